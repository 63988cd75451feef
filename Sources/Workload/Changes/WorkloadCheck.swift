package import Support

/// Finds mistakes in scenarios and their data without planning the work.
///
/// Most scenarios of a sweep share their rows, so those of the last one are kept. A sample of
/// generated rows has the mistakes of all.
package struct WorkloadCheck {
  /// The most rows of each kind: untouched, updated, deleted and new.
  private static let mostGeneratedRows = 1000

  /// Notes on columns that the scenarios leave out, each once.
  package private(set) var notes: [String] = []

  private var last: (key: [String], source: DataSource, tables: [TableRows])?

  package init() {}

  /// - Returns: the digest of ``Workload/make(_:seed:)``.
  /// - Throws: the same error.
  package mutating func digest(of scenario: Scenario, seed: UInt64) throws(InputError) -> String {
    guard scenario.changes.saves == nil, scenario.certainlyEndsInTime else {
      return try noted(Workload.make(scenario, seed: seed)).digest
    }
    let sample = scenario.limited(toRows: Self.mostGeneratedRows)
    let (source, tables) = try rows(of: sample)
    // Only writing the records finds out whether they can be nested.
    guard !sample.changes.arriveAsJSON, Workload.certainlyHasWork(sample, tables) else {
      return try noted(Workload.make(sample, seed: seed)).digest
    }
    return source.digest()
  }

  private mutating func noted(_ workload: Workload) -> Workload {
    note(workload.tables, of: workload.scenario)
    return workload
  }

  private mutating func note(_ tables: [TableRows], of scenario: Scenario) {
    let unused = tables.filter { !$0.unusedColumns.isEmpty }.map {
      "\($0.unusedColumns.quotedList) of \($0.entity.name)"
    }
    guard !unused.isEmpty else { return }
    let note =
      "\(scenario.file.short): columns that lead to no attribute are ignored: "
      + "\(unused.joined(separator: "; ")). List them in 'ignore', beside 'before', to drop this note"
    if !notes.contains(note) { notes.append(note) }
  }

  private mutating func rows(
    of scenario: Scenario
  ) throws(InputError) -> (DataSource, [TableRows]) {
    let key = scenario.rowSettings
    if let last, last.key == key {
      return (DataSource(scenario, sharing: last.source), last.tables)
    }
    let source = try DataSource(scenario)
    let given = try source.tables()
    let tables = try given.ruled(for: scenario, try source.pairs(given))
    note(tables, of: scenario)
    last = (key, source, tables)
    return (source, tables)
  }
}

extension Scenario {
  private static let rowPaths = Set(
    (rowFields + Generation.fields).map(\.path) + ["changes.deletions"])

  /// Found without planning the saves.
  fileprivate var certainlyEndsInTime: Bool {
    let pace = changes.pace
    guard pace.perSecond > 0 else { return true }
    guard let generation, changes.stream == .incremental, entities.count == 1,
      entity.references.isEmpty
    else { return false }
    // Without references, each touched row is at most one change.
    let most = generation.inserts + generation.updates + generation.deletes
    let saves = changes.perSave.map { most / $0 + 1 } ?? 1
    return Double(saves) / pace.perSecond <= (horizon - pace.span) / .seconds(1)
  }

  /// The settings of the rows, with the file, to which data files are relative.
  fileprivate var rowSettings: [String] {
    [file] + fields.filter { Self.rowPaths.contains($0.path) }.map(\.value.json)
  }
}
