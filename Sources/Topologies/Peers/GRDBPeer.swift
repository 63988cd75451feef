import ObjectGraph
import Queues
import SQLiteStore

// grdb-pool and grdb-queue: GRDB as its guides recommend it.
//
//   worker ──write──▶ pool: writer ──▶ SQLite
//                           readers ◀─ value observation fetches the whole list, off main
//                                          ┆ a new array of records
//                                          ▼
//   main                                 list         swaps one array for the other
//
// Records have no identity. After each commit main gets a new array and its screen reloads. A
// user's fetch is a read on main. An edit is a write on main, which waits for the worker's
// transaction.
//
// An arriving row is fetched and compared, then updated or inserted. With a uniqueness constraint
// it is an upsert. Delete rules are separate statements: the store has no foreign keys.
//
// In `grdb-pool-async` an edit is a write on a queue of its own, as GRDB's `asyncWrite` makes it.
// Main does not wait, and shows the edit when the observation delivers it.
//
// With one connection (`DatabaseQueue`) main's reads wait for the worker's transaction and for the
// observation's fetch after each commit. Both run in WAL mode.

final class GRDBPeer: Topology {
  private let access: GRDBAccess
  private let changes: RecordChanges
  private let observed: [ObservedList]
  private let main: any SerialQueue
  private let workerQueue = PrivateQueue(label: "worker", isWarm: true)
  private let readerQueue = PrivateQueue(label: "reader", isWarm: true)
  private let schema: Schema
  /// Makes the user's edits. Nil if main makes them.
  private let edits: (queue: PrivateQueue, errors: FirstError)?

  private static let refusals = WorkKind.noContexts.merging([
    .batches: "a value observation fetches its whole list",
    .prefetching: "a record has no relationships to read ahead",
    .computedSections: "only an object can compute them, and a record is none",
  ]) { $1 }

  static let poolDescriptor = TopologyDescriptor(
    name: "grdb-pool",
    wiring: "worker → DatabasePool → SQLite    ValueObservation ⇢ main's array",
    summary:
      "GRDB records in a DatabasePool. A ValueObservation fetches the whole list after a commit and"
      + " hands it to main.",
    mainCosts:
      "Releasing the old array, and a reload of the screen. An edit on main waits for the worker's"
      + " transaction.",
    chooseWhen:
      "SQLite without unique, observable objects, for lists that may be fetched whole.",
    knownAs: ["GRDB DatabasePool with ValueObservation"],
    kind: .peer, fixedStoreMode: .pool, refusals: refusals,
    make: { try GRDBPeer($0, .pool) })

  static let queueDescriptor = TopologyDescriptor(
    name: "grdb-queue",
    wiring: "worker → DatabaseQueue → SQLite    ValueObservation ⇢ main's array",
    summary: "As grdb-pool, but with one connection for all.",
    mainCosts:
      "As grdb-pool. Main's reads also wait for the worker's transaction and for the observation's"
      + " fetch.",
    chooseWhen: "Small databases, and tests. For an app's list the pool is better.",
    knownAs: ["GRDB DatabaseQueue with ValueObservation"],
    kind: .peer, fixedStoreMode: .serial, refusals: refusals,
    make: { try GRDBPeer($0, .queue) })

  static let asyncDescriptor = TopologyDescriptor(
    name: "grdb-pool-async",
    wiring: "worker, edits ⇢ DatabasePool → SQLite    ValueObservation ⇢ main's array",
    summary: "As grdb-pool, but the user's edits are asynchronous writes.",
    mainCosts:
      "As grdb-pool, without the wait and the write of an edit. The screen shows an edit later.",
    chooseWhen: "As grdb-pool, if users edit while a worker writes.",
    knownAs: ["asyncWrite; try await dbPool.write"],
    kind: .peer, fixedStoreMode: .pool, refusals: refusals,
    make: { try GRDBPeer($0, .pool, editsAreAsynchronous: true) })

  private init(
    _ environment: TopologyEnvironment, _ kind: GRDBAccess.Kind, editsAreAsynchronous: Bool = false
  ) throws {
    edits =
      editsAreAsynchronous ? (PrivateQueue(label: "edits", isWarm: true), FirstError()) : nil
    changes = try RecordChanges(environment)
    main = environment.mainQueue
    let schema = try Schema(environment.model)
    self.schema = schema
    let observed = environment.lists.map {
      ObservedList(environment, $0, in: schema)
    }
    self.observed = observed
    access = try GRDBAccess(
      kind, environment.storeConfiguration,
      began: { for list in observed { list.progress.willRead($0) } })
  }

  func load() async throws {
    for list in observed { try await list.start(in: access.database) }
  }

  func openReaders() async throws { access.openReaders() }

  func apply(_ batch: ChangeBatch) async throws {
    let (access, changes) = (access, changes)
    try await workerQueue.run {
      let decoded = try changes.decoder.changes(of: batch)
      try access.write { try changes.apply(decoded, in: $0) }
    }
  }

  func settle() async throws {
    try await edits?.queue.run {}
    try edits?.errors.check()
    for list in observed { try await list.progress.allArrived() }
    if observed.isEmpty { try await main.run {} }
  }

  func close() async throws {
    for list in observed { list.cancel() }
    let access = access
    try await workerQueue.run { try access.close() }
  }

  var lastCommit: Instant? { access.lastCommit }

  var list: any ListOnMain { observed.first ?? NoList() }

  var lists: [any ListOnMain] { observed }

  func fetchOnMain(_ keys: [Value]) throws -> Int {
    try access.read { try changes.count(of: keys, in: $0) }
  }

  func countOnMain(_ query: ListQuery) throws -> Int {
    let rows = RowQuery(query, .count, in: schema)
    return try access.read { try rows.count($0) }
  }

  func searchOnMain(_ query: ListQuery) throws -> any ListOnMain { try found(query) }

  func count(_ query: ListQuery) async throws -> Int {
    try await readerQueue.run { [self] in try countOnMain(query) }
  }

  func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    try await readerQueue.run { [self] in try found(query) }
  }

  private func found(_ query: ListQuery) throws -> FoundValues {
    let rows = RowQuery(query, .rows, in: schema)
    let records = try access.read { try rows.records($0) }
    return FoundValues(cells: records.map(\.values), columns: query.entity.columns.count)
  }

  func editOnMain(_ changes: [Change]) throws {
    let (access, applier) = (access, self.changes)
    let write = { @Sendable in try access.write { try applier.apply(changes, in: $0) } }
    guard let edits else { return try write() }
    edits.queue.async { edits.errors.run(write) }
  }
}

extension SerialQueue {
  /// Runs `body` as a block on the queue. Blocks no thread.
  func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      self.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
