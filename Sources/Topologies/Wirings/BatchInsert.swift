package import ObjectGraph
import Queues
import SQLiteStore

// batch-insert: rows go straight to SQL, and main learns of them from the store's history.
//
//   worker ──batch requests──▶ coordinator ──▶ SQLite: rows + history
//      ▲ history since the last token ────────────┘
//      ┆ transactions
//      ▼
//    main ───────────────────▶ coordinator          merge of the history, on the main queue
//
// Nothing is validated, and no did-save is posted. Each request is its own transaction, so a batch
// is not atomic: if a row is missing, earlier requests are already written.
//
// As in Apple's sample code, main merges the history. It skips main's own transactions. The rows
// bypassed the row cache, so main reads every changed and inserted row from SQLite.

package final class BatchInsert: ContextTopology {
  package let stack: ContextStack
  /// Has objects only while it relates or updates them.
  package let worker: ManagedObjectContext
  private let requests: BatchRequests
  private let lastToken: Lock<HistoryToken>

  private static let mainAuthor = "main"

  static let descriptor = TopologyDescriptor(
    name: "batch-insert",
    wiring: "worker ─batch requests▶ coordinator ← main    history ⇢ main",
    summary:
      "Batch requests insert, update and delete rows without managed objects. The store's history"
      + " is merged into main. It is the only topology that can skip delete rules.",
    mainCosts:
      "The merge, with SQL for every changed and inserted row. Main's own saves write history too.",
    chooseWhen:
      "Imports that must make no objects, or must leave a history, and need no delete rules or"
      + " relationships."
      + " Not to spare main: large ones block it longer than in notification-merge (big-merge)."
      + " Not many different updates: each is a request and a transaction.",
    knownAs: [
      "NSBatchInsertRequest with persistent history", "NSBatchUpdateRequest, NSBatchDeleteRequest",
      "NSPersistentHistoryChangeRequest",
    ],
    deletesWithoutRules: true, make: { try BatchInsert($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment, keepsHistory: true)
    worker = stack.worker(
      on: PrivateQueue(label: "worker", isWarm: true), savingInto: stack.main.parent)
    requests = BatchRequests(environment)
    lastToken = Lock(try stack.coordinator.currentHistoryToken())
  }

  package func load() async throws {
    try await main.perform { [stack] in
      stack.main.transactionAuthor = Self.mainAuthor
      try stack.list.performFetch()
    }
  }

  package func apply(_ batch: ChangeBatch, by writer: Int) async throws {
    try await worker.perform { [self] in
      // Main must learn of the requests that were written before an error.
      defer { stack.errors.run(mergeHistoryIntoMain) }
      try requests.send(batch, through: worker)
    }
  }

  package func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    try await worker.perform { [self] in
      defer { worker.reset() }
      try work(worker)
      try worker.save()
      stack.errors.run(mergeHistoryIntoMain)
    }
  }

  /// A purge keeps the transactions that main has not merged yet.
  package func use(_ history: HistoryRequest) async throws {
    try await stack.coordinator.use(history, keepingFrom: lastToken.withLock { $0 })
  }

  /// Runs on the worker's queue.
  private func mergeHistoryIntoMain() throws {
    let transactions = try stack.coordinator.history(after: lastToken.withLock { $0 })
    guard let last = transactions.last else { return }
    lastToken.withLock { $0 = last.token }
    let changes = ChangedObjectIDs(transactions.filter { $0.author != Self.mainAuthor })
    stack.onMain { [stack] in
      try $0.mergeFiringFaults(changes, unregistered: stack.hasBatches)
    }
  }
}
