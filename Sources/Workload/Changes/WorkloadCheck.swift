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

  /// - Parameter checkRows: gets the rows of all entities; if no predicate deletes, a sample.
  /// - Returns: the digest of ``Workload/make(_:seed:)``.
  /// - Throws: the same error, or that of `checkRows`.
  package mutating func digest(
    of scenario: Scenario, seed: UInt64,
    checkRows: ([TableRows]) throws(InputError) -> Void = { _ in }
  ) throws(InputError) -> String {
    guard scenario.changes.saves == nil, scenario.certainlyEndsInTime else {
      let workload = try noted(Workload.make(scenario, seed: seed))
      try checkRows(workload.tables)
      return workload.digest
    }
    // A predicate may match a sample, but not all rows.
    let sample =
      scenario.changes.deleteWhere == nil
      ? scenario.limited(toRows: Self.mostGeneratedRows) : scenario
    let (source, tables) = try rows(of: sample)
    // Only writing the records finds out whether they can be nested.
    guard !sample.changes.arriveAsJSON, Workload.certainlyHasWork(sample, tables) else {
      let workload = try noted(Workload.make(sample, seed: seed))
      try checkRows(workload.tables)
      return workload.digest
    }
    try checkRows(tables)
    return source.digest()
  }

  /// Counts the work of a scenario that ``digest(of:seed:)`` accepts. Plans it only if the numbers
  /// of rows do not decide it.
  package mutating func size(
    of scenario: Scenario, seed: UInt64
  ) throws(InputError) -> WorkloadSize {
    if scenario.changes.pace.perSecond == 0 || scenario.countsDecideSaves {
      if let counted = WorkloadSize(counting: scenario) { return counted }
      if scenario.generation == nil {
        let (source, tables) = try rows(of: scenario)
        return WorkloadSize(scenario, tables, bytes: source.byteCount)
      }
    }
    return WorkloadSize(try Workload.make(scenario, seed: seed))
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
    (rowFields + Generation.fields).map(\.path) + ["changes.deletions", "changes.delete_where"])

  /// Found without planning the saves.
  fileprivate var certainlyEndsInTime: Bool {
    guard changes.pace.perSecond > 0 else { return true }
    guard countsDecideSaves, let size = WorkloadSize(counting: self) else { return false }
    return size.lastDue <= horizon
  }

  /// The settings of the rows, with the file, to which data files are relative.
  fileprivate var rowSettings: [String] {
    [file] + fields.filter { Self.rowPaths.contains($0.path) }.map(\.value.json)
  }
}
