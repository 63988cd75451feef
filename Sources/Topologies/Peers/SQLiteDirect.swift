import ObjectGraph
import Queues
import SQLiteStore

// sqlite-direct: prepared statements and no other layer.
//
//   worker ──prepared statements──▶ SQLite ◀── main: the visible rows, one by one
//      ┆ after each commit: the keys of the list's rows, in order
//      ▼
//   main      swaps one array of keys for the other
//
// The worker runs the same statements as the baseline `raw_sqlite_ms`. An arriving row is looked
// up, and updated if a column differs. With a uniqueness constraint it is one `INSERT … ON CONFLICT
// DO UPDATE`. Delete rules are statements of their own.
//
// After its commit the worker reads the list's order and hands main the keys. Main queries the
// visible rows by key, on a connection of its own. Until the next list arrives, a changed row shows
// its new values at its old index, and a deleted one reads as empty.

/// The lower bound: the cost on main of a list written by hand.
final class SQLiteDirect: Topology {
  private let store: PlainStore
  private let decoder: RecordDecoder
  private let keys: KeyList
  private let main: any SerialQueue
  private let workerQueue = PrivateQueue(label: "worker", isWarm: true)
  private let mainWork = FirstError()
  private let didChange: @Sendable (ListEvent) -> Void

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
      "As the lower bound for all others. An app would have to write the rest of a store itself.",
    knownAs: ["SQLite's C API: sqlite3_prepare_v2, sqlite3_step"],
    kind: .peer, fixedStoreMode: .pool,
    make: { try SQLiteDirect($0) })

  init(_ environment: TopologyEnvironment) throws {
    store = try PlainStore(
      StoreConfiguration(url: environment.store, mode: environment.storeMode),
      model: environment.model, rows: environment.rowEntities, lookup: environment.lookup,
      list: FetchRequest(environment.entity, sortedBy: environment.sortTerms))
    decoder = RecordDecoder(environment.rowEntities, in: environment.model)
    keys = KeyList(store, columnCount: environment.entity.columns.count)
    main = environment.mainQueue
    didChange = environment.listDidChange
  }

  func load() async throws {
    let (store, keys) = (store, keys)
    let ordered = try await workerQueue.run { try store.orderedKeys() }
    try await main.run { keys.take(ordered) }
  }

  func apply(_ batch: [Change]) async throws {
    try await workerQueue.run { [self] in try write(decoder.decoded(batch)) }
    workerQueue.async { self.handKeysToMain() }
  }

  private func write(_ batch: [Change]) throws {
    do {
      try store.apply(batch)
    } catch StoreError.noSuchRow(let entity, let key) {
      throw ChangeError.missing(.string(key), entity: entity)
    }
  }

  /// Runs on the worker's queue, so that orders reach main in sequence.
  private func handKeysToMain() {
    let (keys, didChange) = (keys, didChange)
    mainWork.run {
      let ordered = try store.orderedKeys()
      main.async {
        Activity.slice(.list) {
          keys.take(ordered)
          didChange(.reload)
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

  var list: any ListOnMain { keys }

  func fetchOnMain(_ keys: [Value]) throws -> Int { try store.readRows(of: keys) }

  func editOnMain(_ changes: [Change]) throws {
    try write(changes)
    workerQueue.async { self.handKeysToMain() }
  }
}

/// The keys of the list on screen, in order. Rows are read when they are shown.
// @unchecked: `keys` is confined to the main queue.
private final class KeyList: ListOnMain, @unchecked Sendable {
  private let store: PlainStore
  private let empty: ContiguousArray<Value>
  private var keys: [Int64] = []

  init(_ store: PlainStore, columnCount: Int) {
    self.store = store
    empty = ContiguousArray(repeating: .null, count: columnCount)
  }

  func take(_ keys: [Int64]) { self.keys = keys }

  var count: Int { keys.count }

  func row(at index: Int) -> ContiguousArray<Value> {
    // A store that cannot be read is reported by the next write or by verification.
    (try? store.row(keys[index])) ?? empty
  }
}
