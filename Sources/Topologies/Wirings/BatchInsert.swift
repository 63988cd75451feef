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
// The worker makes no managed object, unless rows refer to each other, which a batch insert cannot set,
// or arrive whole and are there already. Nothing is validated, and no did-save is posted. Each request is
// a transaction of its own, so a batch is not one: what is missing is found out after a part of it is
// written. `BatchRequests` says which requests a batch is. No request applies a delete rule but nullify:
// what the others take along is fetched by its IDs, and deleted by requests before (`BatchDeletion`).
//
// When its requests are done, the worker reads the history that came since, leaves out what main
// wrote itself (it is the author of it) and hands the rest to main, as Apple's sample code does.
// What is merged passed by the row cache: main reads every changed and inserted row from SQLite.

/// Imports by batch requests: next to nothing in the background, the rest when main merges.
package final class BatchInsert: ContextTopology {
  package let stack: ContextStack
  /// Sends requests; knows objects for as long as it relates them.
  package let worker: ManagedObjectContext
  private let requests: BatchRequests
  private let merges = FirstError()
  private let seen: Lock<HistoryToken>

  private static let mainAuthor = "main"

  static let descriptor = TopologyDescriptor(
    name: "batch-insert",
    wiring: "worker ─batch requests▶ coordinator ← main    history ⇢ main",
    summary:
      "Rows are inserted, updated and deleted by batch requests, without managed objects; the"
      + " store's history is merged into main.",
    mainCosts:
      "The merge, with SQL for every changed and inserted row. Main's own saves write history too.",
    chooseWhen:
      "Large imports of new rows without rules or relationships. Not for many different updates:"
      + " each is a request and a transaction.",
    make: { try BatchInsert($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment, keepsHistory: true)
    worker = stack.worker(
      on: PrivateQueue(label: "worker", isWarm: true), savingInto: stack.main.parent)
    requests = BatchRequests(
      environment.rowEntities, in: environment.model, lookup: environment.lookup)
    seen = Lock(try stack.coordinator.currentHistoryToken())
  }

  package func load() async throws {
    let (main, list) = (stack.main, stack.list)
    try await main.perform {
      main.transactionAuthor = Self.mainAuthor
      try list.performFetch()
    }
  }

  package func apply(_ batch: [Change], by writer: Int) async throws {
    let (worker, requests) = (worker, requests)
    try await worker.perform { [self] in
      // What was written before something was found missing is there, and main is told of it.
      defer { merges.run(handHistoryToMain) }
      try requests.send(batch, through: worker)
    }
  }

  /// What needs managed objects is saved with them, as everywhere, and main hears of it alike.
  package func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let worker = worker
    try await worker.perform { [self] in
      // It lives on, without anything of what it did.
      defer { worker.reset() }
      try work(worker)
      try worker.save()
      merges.run(handHistoryToMain)
    }
  }

  /// On the worker's queue.
  private func handHistoryToMain() throws {
    let transactions = try stack.coordinator.history(after: seen.withLock { $0 })
    guard let last = transactions.last else { return }
    seen.withLock { $0 = last.token }
    let changes = ChangedObjectIDs(transactions.filter { $0.author != Self.mainAuthor })
    let (main, merges) = (main, merges)
    main.perform { merges.run { try main.mergeFiringFaults(changes) } }
  }

  package func settle() async throws {
    try await main.perform {}
    try merges.check()
  }
}
