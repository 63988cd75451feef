package import DataModel
package import Support

// before.csv ─▶ initial rows ──────────────────────────▶ loaded into every store
//      ╲ difference, shuffled, cut ─▶ batches ─────────▶ applied by a topology
// after.csv ─▶ expected rows ─▶ order, fingerprint ────▶ what the store and the list must hold
//
// The expected rows come from the data set, not from applying the changes.

/// The work of one cell, planned before any topology runs and the same for each.
package struct Workload: Sendable {
  package let scenario: Scenario
  package let seed: UInt64
  private let rows: WorkloadRows
  package let batches: [ChangeBatch]
  /// When each batch is due after the window's opening; empty if no batch has a due time.
  package let due: [Duration]
  /// The batches of a second worker, which works at the same time.
  package private(set) var secondBatches: [ChangeBatch] = []
  /// The plain inserts, updates and deletes; a second worker's come last.
  ///
  /// An update without fields is a row that is looked up and not changed.
  package private(set) var effects: [[Change]]
  package private(set) var counts: ChangeCounts
  /// Rows that stay although a rule would delete them. Nil if rules run.
  package let orphans: Int?
  /// SHA-256 of everything that influences the work, as 64 hexadecimal digits.
  package let digest: String

  /// Plans the same changes in the same order on every platform.
  ///
  /// - Parameter seed: determines the user's rows, the order of an `incremental` or `arrivals`
  ///   stream, and the rows that recorded saves change. A `replace` stream keeps the files' order.
  /// - Throws: an error in a data file with its line, or in a scenario without work.
  package static func make(_ scenario: Scenario, seed: UInt64) throws(InputError) -> Workload {
    try Workload(scenario, seed: seed)
  }

  private init(_ scenario: Scenario, seed: UInt64) throws(InputError) {
    let source = try DataSource(scenario)
    let replay = try Self.replay(source, scenario, seed)
    let tables: [TableRows]
    if let replay { tables = replay.rows } else { tables = try source.tables() }
    let pairs = try source.pairs(tables)
    let rules = scenario.deleteRules
    let owners = tables.owners(by: rules, pairs)
    rows = WorkloadRows(
      try tables.ruled(for: scenario, pairs), pairs, replay?.touched ?? [], of: scenario, seed: seed
    )
    orphans = tables.orphans(of: scenario, pairs)
    self.scenario = scenario
    self.seed = seed
    if let replay {
      (effects, due) = (replay.batches, replay.due)
      batches = effects.map { ChangeBatch(changes: $0) }
    } else if scenario.changes.stream == .arrivals {
      let stream = ArrivingStream(
        tables: tables, scenario: scenario, owners: owners, seed: seed)
      let arriving = scenario.changes.pace.paced(try stream.batches(), join: +=)
      (batches, due) = (arriving.batches.map(\.batch), arriving.due)
      effects = stream.effects(of: arriving.batches)
    } else {
      let changes = Self.batches(tables, owners, scenario, seed)
      (effects, due) = scenario.changes.pace.paced(changes, join: +=)
      batches = effects.map { ChangeBatch(changes: $0) }
    }
    if let rules { effects = tables.effects(of: effects, by: rules, pairs) }
    counts = ChangeCounts(effects.joined())
    digest = source.digest()
    try requireWork()
    addSecondWorker()
  }

  private mutating func addSecondWorker() {
    let edits = edits(0..<scenario.changes.bySecondWorker).batches(of: scenario.changes.perSave)
    secondBatches = edits.map { ChangeBatch(changes: $0) }
    effects += edits
    counts = ChangeCounts(effects.joined())
  }

  /// Nil if the rows decide the changes.
  private static func replay(
    _ source: DataSource, _ scenario: Scenario, _ seed: UInt64
  ) throws(InputError) -> Replay? {
    guard let (file, saves) = try source.saves(), let generation = scenario.generation else {
      return nil
    }
    return try Replay(
      saves, of: file, try source.tables(), generation,
      longestPause: scenario.changes.longestPause, seed: seed)
  }

  private static func batches(
    _ tables: [TableRows], _ owners: [Set<Value>]?, _ scenario: Scenario, _ seed: UInt64
  ) -> [[Change]] {
    let size = scenario.changes.perSave
    var stream = RelatedStream(
      tables, scenario.changes.references, owners: owners, seed: seed)
    switch scenario.changes.stream {
    case .incremental: return stream.incremental().batches(of: size)
    case .replace:
      let (deletes, inserts) = stream.replacement()
      return deletes.batches(of: size) + inserts.batches(of: size)
    case .arrivals: preconditionFailure("ArrivingStream divides arriving rows")
    }
  }

  private func requireWork() throws(InputError) {
    guard effects.contains(where: { !$0.isEmpty }) else {
      throw scenario.error(
        fieldOfChanges, "data.rows", "data.before", "data.after", "generate.rows",
        message: "the rows before and after are the same: nothing to change")
    }
    guard Self.keepsSharedRows(scenario, tables) else {
      throw scenario.error(
        "list.share_entity", "changes.unrelated",
        message:
          "the rows of \(tables[1].entity.name) change; the first entity of `others` must not")
    }
    if let last = due.last, last > scenario.horizon {
      let isReplay = scenario.changes.saves != nil
      throw scenario.error(
        isReplay ? "changes.saves" : "changes.rate_per_s", "horizon_ms", "changes.per_save",
        message:
          "the last save is due \(Int(last / .milliseconds(1))) ms after the opening; raise horizon_ms"
          + " (\(Int(scenario.horizon / .milliseconds(1)))) or "
          + (isReplay ? "set changes.longest_pause_ms" : "the rate, or change fewer rows"))
    }
    guard !scenario.editsRows || !editableKeys.isEmpty else {
      let edited = scenario.entity.attributes[scenario.user.editedAttribute].name
      throw scenario.error(
        scenario.user.editsPerSecond > 0 ? "user.edits_per_s" : "changes.second_worker",
        "user.edited_rows", "user.edited", "data.rows",
        message: scenario.user.editedRows == .untouched
          ? "the stream touches every row, so none is left to edit"
          : "the stream changes '\(edited)' in every row that it updates, so none is left to edit")
    }
    guard !scenario.user.needsLastingRows || !lastingKeys.isEmpty else {
      let isSearched = scenario.user.searchesPerSecond > 0
      throw scenario.error(
        isSearched ? "user.searches_per_s" : "user.fetches_per_s", "data.rows",
        message: "no row is there before and after, so none can be "
          + (isSearched ? "searched" : "looked up"))
    }
  }

  private var fieldOfChanges: String {
    if scenario.changes.saves != nil { return "changes.saves" }
    if scenario.changes.deleteWhere != nil { return "changes.delete_where" }
    if scenario.generation != nil { return "generate.updates" }
    return scenario.data.rows == nil ? "data.after" : "data.rows"
  }

  /// Whether a list of another entity, if any, shows only unchanged rows.
  private static func keepsSharedRows(_ scenario: Scenario, _ tables: [TableRows]) -> Bool {
    !scenario.list.shown.contains(1) || tables[1].before.rows == tables[1].after.rows
  }

  /// Whether `requireWork` certainly accepts these rows, without planning the work.
  static func certainlyHasWork(_ scenario: Scenario, _ tables: [TableRows]) -> Bool {
    let rows = tables[0]
    let keys = rows.before.rows.lazy.map { $0[rows.entity.keyIndex] }
    let isEditable = rows.editable(by: scenario.user)
    return rows.differs && keepsSharedRows(scenario, tables)
      && (!scenario.editsRows || keys.contains(where: isEditable))
      && (!scenario.user.needsLastingRows || keys.contains { rows.after[$0] != nil })
  }

  /// The list's rows come first.
  package var tables: [TableRows] { rows.contents.tables }
  /// By many-to-many relationship. They are there before the changes.
  package var pairs: [[KeyPair]] { rows.contents.pairs }
  package var initialRows: [Row] { tables[0].before.rows }
  /// After the first worker's stream.
  package var expectedRows: [Row] { tables[0].after.rows }
  var editableKeys: [Value] { rows.editableKeys }
  var lastingKeys: [Value] { rows.lastingKeys }

  /// Frees generated rows until they are needed again, unless the user's changes or a log of saves
  /// need them.
  package func freeRows() {
    guard scenario.generation != nil, scenario.changes.saves == nil else { return }
    if !scenario.editsRows, !scenario.user.needsLastingRows { rows.free() }
  }

  /// The rows that main reads before the window opens, besides those on screen.
  package var realisedKeys: [Value] {
    let count = initialRows.count.share(percent: scenario.realisedShare * 100)
    guard count > 0 else { return [] }
    let rows = inListOrder(initialRows)
    return (0..<count).map { rows[$0 * rows.count / count][scenario.entity.keyIndex] }
  }

  package func inListOrder(_ rows: [Row]) -> [Row] {
    rows.sorted { scenario.list.order.isOrdered($0, before: $1) }
  }
}

extension Scenario {
  fileprivate var editsRows: Bool { user.editsPerSecond > 0 || changes.bySecondWorker > 0 }
}
