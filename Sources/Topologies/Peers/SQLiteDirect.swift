import ObjectGraph
import Queues
import SQLiteStore

// sqlite-direct: prepared statements, and nothing that could be left out.
//
//   worker ──prepared statements──▶ SQLite ◀── main: the rows that it shows, one by one
//      ┆ after each commit: the keys of the list's rows, in order
//      ▼
//   main      swaps one array of keys for the other
//
// The worker's statements are those of the ruler, `raw_sqlite_ms`. A whole row that arrives is looked
// for, and an update writes it where a column differs; where a uniqueness constraint finds it, it is
// one `INSERT … ON CONFLICT DO UPDATE`. Delete rules are statements of their own.
//
// After its commit the worker reads the list's order, off main, and hands main the keys. Main forgets
// what it showed and queries the rows that a frame shows anew, by their keys, on a connection that
// nobody else uses. Its screen is told to reload.
//
// Nothing is unique and nothing is followed: a row that changed since the list was ordered shows its
// new values in its old place, and one that is gone reads as empty, until the next list is there.

/// The floor: what a list costs main if everything is done by hand.
final class SQLiteDirect: Topology {
  private let store: PlainStore
  private let decoder: RecordDecoder
  private let hasConstraint: Bool
  private let keys: KeyList
  private let main: any SerialQueue
  private let workerQueue = PrivateQueue(label: "worker", isWarm: true)
  private let unwaited = FirstError()
  private let didChange: @Sendable (ListEvent) -> Void

  static let descriptor = TopologyDescriptor(
    name: "sqlite-direct",
    wiring: "worker → SQLite ← main: visible rows    keys in order ⇢ main",
    summary:
      "Prepared statements on a background connection; main is handed the keys in order and queries"
      + " the rows that it shows.",
    mainCosts:
      "A statement for each row that is shown, again after each save; a reload of the screen. An"
      + " edit on main waits for the worker's transaction.",
    chooseWhen:
      "As the floor of all others; an app would have to write the rest of a store itself.",
    kind: .peer, fixedStoreMode: .pool,
    make: { try SQLiteDirect($0) })

  init(_ environment: TopologyEnvironment) throws {
    store = try PlainStore(
      StoreConfiguration(url: environment.store, mode: environment.storeMode),
      model: environment.model, rows: environment.rowEntities.map(RawSQLite.Rows.init),
      lookup: environment.lookup == .perObject ? .perObject : .perBatch,
      list: FetchRequest(environment.entity, sortedBy: environment.sortDescriptors))
    decoder = RecordDecoder(environment.rowEntities, in: environment.model)
    hasConstraint = environment.lookup == .constraint
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
      let changes = batch.map(RawSQLite.Change.init)
      try store.apply(hasConstraint ? changes.map(\.byConstraint) : changes)
    } catch StoreError.noSuchRow(let entity, let key) {
      throw ChangeError.missing(.string(key), entity: entity)
    }
  }

  /// On the worker's queue, so that a later order never comes before an earlier one.
  private func handKeysToMain() {
    let (keys, didChange) = (keys, didChange)
    unwaited.run {
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
    // What follows from the user's edits stands in the worker's line.
    try await workerQueue.run {}
    try await main.run {}
    try unwaited.check()
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

/// The list on screen: keys, in order. Its rows are read when they are shown.
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
    // A store that cannot be read is found out by who writes it, or verifies it.
    (try? store.row(keys[index])) ?? empty
  }
}
