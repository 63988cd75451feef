package import Support

/// Finds mistakes in scenarios and their data before anything is measured, without planning the
/// work of each.
///
/// The scenarios of a sweep mostly share their rows, so the rows of the last one are kept. A sample
/// of generated rows has the mistakes of all.
package struct WorkloadCheck {
  /// Of each kind: untouched, updated, deleted and new.
  private static let mostGeneratedRows = 1000

  private var last: (key: [String], source: DataSource, tables: [TableRows])?

  package init() {}

  /// - Returns: the digest of ``Workload/make(_:seed:)``.
  /// - Throws: the error that it would throw.
  package mutating func digest(of scenario: Scenario, seed: UInt64) throws(InputError) -> String {
    // At a rate, the number of rows decides when the last save is due; recorded saves need them.
    guard scenario.changes.pace.perSecond == 0, scenario.changes.saves == nil else {
      return try Workload.make(scenario, seed: seed).digest
    }
    let sample = scenario.limited(toRows: Self.mostGeneratedRows)
    let (source, tables) = try rows(of: sample)
    guard Workload.certainlyHasWork(sample, tables) else {
      return try Workload.make(sample, seed: seed).digest
    }
    return source.digest()
  }

  private mutating func rows(
    of scenario: Scenario
  ) throws(InputError) -> (DataSource, [TableRows]) {
    let key = scenario.rowSettings
    if let last, last.key == key {
      return (DataSource(scenario, sharing: last.source), last.tables)
    }
    let source = try DataSource(scenario)
    let tables = try source.tables()
    last = (key, source, tables)
    return (source, tables)
  }
}

extension Scenario {
  private static let rowPaths = Set((rowFields + Generation.fields).map(\.path))

  /// Everything that decides the rows, and the file, from which data files are found.
  fileprivate var rowSettings: [String] {
    [file] + fields.filter { Self.rowPaths.contains($0.path) }.map(\.value.json)
  }
}
