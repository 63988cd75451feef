import ObjectGraph
import Queues
import SQLiteStore

// grdb-pool and grdb-queue: no contexts, but GRDB as its own guides recommend it.
//
//   worker ──write──▶ pool: writer ──▶ SQLite
//                           readers ◀─ value observation fetches the whole list, off main
//                                          ┆ a new array of records
//                                          ▼
//   main                                 list         swaps one array for the other
//
// Rows are records: structs without identity, in a new array after each commit. Main computes no
// difference and merges nothing; its screen is told to reload. A fetch of the user's is a read on main;
// an edit is a write on main, which waits for the worker's transaction.
//
// A whole row that arrives is fetched and compared, and updated or inserted; where a uniqueness
// constraint finds it, it is an upsert. JSON is decoded before the transaction. A sweep fetches keys,
// carries the model's delete rules out by statements of its own, as the store has no foreign keys, and
// deletes by key.
//
// With one connection (`DatabaseQueue`) everything stands in one line: main's reads wait for the
// worker's transaction, and for the observation's fetch, which follows each commit before the next
// access gets its turn. Both run in WAL, with the settings of the contexts' store.

/// GRDB records, a database pool or queue, and a list kept by a `ValueObservation`.
final class GRDBPeer: Topology {
  private let access: GRDBAccess
  private let changes: RecordChanges
  private let observed: ObservedList
  private let workerQueue = PrivateQueue(label: "worker", isWarm: true)

  static let poolDescriptor = TopologyDescriptor(
    name: "grdb-pool",
    wiring: "worker → DatabasePool → SQLite    ValueObservation ⇢ main's array",
    summary:
      "GRDB records in a DatabasePool; a ValueObservation fetches the whole list after a commit and"
      + " hands it to main.",
    mainCosts:
      "Taking the new array and letting go of the old one; a reload of the screen. An edit on main"
      + " waits for the worker's transaction.",
    chooseWhen:
      "SQLite without objects that are unique and followed; lists that may be fetched whole.",
    kind: .peer, fixedStoreMode: .pool,
    make: { try GRDBPeer($0, .pool) })

  static let queueDescriptor = TopologyDescriptor(
    name: "grdb-queue",
    wiring: "worker → DatabaseQueue → SQLite    ValueObservation ⇢ main's array",
    summary: "As grdb-pool, but with one connection for everybody.",
    mainCosts:
      "As grdb-pool; and main's reads wait for the worker's transaction and for the observation's"
      + " fetch.",
    chooseWhen: "Small databases, and tests. An app's list wants the pool.",
    kind: .peer, fixedStoreMode: .serial,
    make: { try GRDBPeer($0, .queue) })

  private init(_ environment: TopologyEnvironment, _ kind: GRDBAccess.Kind) throws {
    changes = try RecordChanges(environment)
    let observed = ObservedList(environment, changes.tables[0])
    self.observed = observed
    access = try GRDBAccess(
      kind, StoreConfiguration(url: environment.store, mode: environment.storeMode),
      began: { observed.deliveries.willRead($0) })
  }

  func load() async throws {
    try await observed.start(in: access.database)
  }

  func apply(_ batch: [Change]) async throws {
    let (access, changes) = (access, changes)
    try await workerQueue.run {
      let decoded = try changes.decoded(batch)
      try access.write { try changes.apply(decoded, in: $0) }
    }
  }

  func settle() async throws {
    try await observed.deliveries.allArrived()
  }

  func close() async throws {
    observed.cancel()
    let access = access
    try await workerQueue.run { try access.close() }
  }

  var lastCommit: Instant? { access.lastCommit }

  var list: any ListOnMain { observed }

  func fetchOnMain(_ keys: [Value]) throws -> Int {
    try access.read { try changes.count(of: keys, in: $0) }
  }

  func editOnMain(_ changes: [Change]) throws {
    try access.write { try self.changes.apply(changes, in: $0) }
  }
}

extension SerialQueue {
  /// Runs `body` as a block of its own and resumes the caller with what it returns. Blocks no thread.
  func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      self.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
