import Baseline
import ObjectGraph
import Queues
import SQLiteStore

// sqlite-direct: a list written by hand, without contexts and records.
//
//   worker ──prepared statements──▶ SQLite ◀── main: the visible rows, one by one
//      ┆ after each commit: the keys of each list's rows, in order
//      ▼
//   main      swaps one array of keys for the other
//
// The worker runs the same statements as the baseline `raw_sqlite_ms`. An arriving row is looked
// up, and updated if a column differs. With a uniqueness constraint it is one `INSERT … ON CONFLICT
// DO UPDATE`. Delete rules are separate statements.
//
// Main queries visible rows on its own connection. Until the next list arrives, a changed row shows
// its new values at its old index, and a deleted one reads as empty. After a commit, the worker
// reads the lists of the first entity again, and each other list whose entity has changes.

final class SQLiteDirect: Topology {
  private let store: PlainStore
  private let decoder: RecordDecoder
  private let keyLists: [KeyList]
  private let main: any SerialQueue
  private let workerQueue = PrivateQueue(label: "worker", isWarm: true)
  private let readerQueue = PrivateQueue(label: "reader", isWarm: true)
  private let environment: TopologyEnvironment
  private let mainWork = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "sqlite-direct",
    wiring: "worker → SQLite ← main: visible rows    keys in order ⇢ main",
    summary:
      "Prepared statements on a background connection. Main receives the keys in order and queries"
      + " the rows that it shows.",
    mainCosts:
      "A statement for each visible row after each save, and a reload of the screen. An edit on main"
      + " waits for the worker's transaction.",
    chooseWhen:
      "As a reference without contexts and records. An app would have to write the rest of a store"
      + " itself.",
    knownAs: ["SQLite's C API: sqlite3_prepare_v2, sqlite3_step"],
    kind: .peer, fixedStoreMode: .pool,
    refusals: WorkKind.noContexts.merging([
      .batches: "it reads the keys of all rows, and each row when it is shown",
      .prefetching: "a row has no relationships to read ahead",
      .computedSections: "only an object can compute them, and there is none",
    ]) { $1 },
    make: { try SQLiteDirect($0) })

  init(_ environment: TopologyEnvironment) throws {
    store = try PlainStore(
      environment.storeConfiguration, model: environment.model, rows: environment.rowEntities,
      lookup: environment.lookup)
    decoder = RecordDecoder(environment.rowEntities, in: environment.model)
    self.environment = environment
    keyLists = environment.lists.map { [store] in KeyList($0, of: environment, store) }
    main = environment.mainQueue
  }

  func load() async throws {
    for keys in keyLists {
      let ordered = try await workerQueue.run { try keys.ordered() }
      try await main.run { keys.take(ordered) }
    }
  }

  func openReaders() async throws { try store.openReaders() }

  func apply(_ batch: ChangeBatch) async throws {
    let changed = try await workerQueue.run { [self] in
      let changes = try decoder.changes(of: batch)
      try write(changes)
      return lists(changedBy: changes)
    }
    workerQueue.async { self.handToMain(changed) }
  }

  private func write(_ changes: [Change]) throws {
    do {
      try store.apply(changes)
    } catch StoreError.noSuchRow(let entity, let key) {
      throw ChangeError.missing(.string(key), entity: entity)
    }
  }

  private func lists(changedBy changes: [Change]) -> [KeyList] {
    keyLists.filter { list in list.rows == 0 || changes.contains { $0.entity == list.rows } }
  }

  /// Runs on the worker's queue, so that main gets the lists of keys in order.
  private func handToMain(_ lists: [KeyList]) {
    for keys in lists {
      mainWork.run {
        let ordered = try keys.ordered()
        main.async {
          Activity.slice(.list) {
            keys.take(ordered)
            keys.didChange(.reload)
          }
        }
      }
    }
  }

  func settle() async throws {
    // The user's edits continue on the worker's queue.
    try await workerQueue.run {}
    try await main.run {}
    try mainWork.check()
  }

  func close() async throws {
    let store = store
    try await workerQueue.run { try store.close() }
  }

  var lastCommit: Instant? { store.lastCommit }

  var list: any ListOnMain { keyLists.first ?? NoList() }

  var lists: [any ListOnMain] { keyLists }

  func fetchOnMain(_ keys: [Value]) throws -> Int { try store.readRows(of: keys) }

  func countOnMain(_ query: ListQuery) throws -> Int { try store.count(query.request) }

  func searchOnMain(_ query: ListQuery) throws -> any ListOnMain { try found(query) }

  func count(_ query: ListQuery) async throws -> Int {
    try await readerQueue.run { [store] in try store.count(query.request) }
  }

  func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    try await readerQueue.run { [self] in try found(query) }
  }

  private func found(_ query: ListQuery) throws -> KeyList {
    let found = KeyList(ListDescription(query), of: environment, store)
    found.take(try found.ordered())
    return found
  }

  func editOnMain(_ changes: [Change]) throws {
    try write(changes)
    workerQueue.async { self.handToMain(self.lists(changedBy: changes)) }
  }
}

/// A list that reads rows when they are shown.
// @unchecked: `shown` is confined to the main queue. A search sets it before main gets the list.
private final class KeyList: ListOnMain, @unchecked Sendable {
  private let store: PlainStore
  private let query: ListQuery
  /// Nil if cells read their rows alone.
  private let related: RelatedQuery?
  /// Its index in the model.
  private let entity: Int
  /// The index among the entities whose rows change.
  let rows: Int?
  let didChange: @Sendable (ListEvent) -> Void
  private let empty: ContiguousArray<Value>
  private var shown = ShownKeys()

  init(_ list: ListDescription, of environment: TopologyEnvironment, _ store: PlainStore) {
    self.store = store
    let entity = list.query.entity
    query = list.query
    self.entity = environment.model.index(of: entity)
    related =
      query.related.isEmpty
      ? nil : store.query(ofEntity: self.entity, related: query.related)
    rows = environment.rowEntities.firstIndex { $0.entity === entity }
    didChange = list.didChange
    empty = ContiguousArray(repeating: .null, count: entity.columns.count)
  }

  func ordered() throws -> ShownKeys {
    let section = query.sections?.column.map { RelatedValue(.column(PredicatePath(column: $0))) }
    let ordered = try store.orderedKeys(of: query.request, section: section)
    return ShownKeys(
      keys: ordered.keys, sections: ListSection.all(ordered.sections, by: query.sections))
  }

  func take(_ shown: ShownKeys) { self.shown = shown }

  var count: Int { shown.keys.count }

  // The next write or the verification reports a store that cannot be read.

  func row(at index: Int) -> ContiguousArray<Value> {
    (try? store.row(shown.keys[index], of: entity)) ?? empty
  }

  func cell(at index: Int) -> ContiguousArray<Value> {
    guard let related else { return row(at: index) }
    return (try? store.row(shown.keys[index], related)) ?? empty
  }

  var sections: [ListSection] { shown.sections }
}

private struct ShownKeys {
  var keys: [Int64] = []
  var sections: [ListSection] = []
}
