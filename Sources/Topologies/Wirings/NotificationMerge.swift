import ObjectGraph
import Queues

// notification-merge: siblings on one coordinator.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator          merge, on the main queue
//
// A worker context lives for one batch. `apply` returns when the worker has saved, without waiting
// for the merge. So main may be one or more saves behind. `settle` waits for the merges. Main's own
// saves are not merged into main.
//
// A merge skips faults on main, so the list would not learn that such a row must move. Therefore
// the faults among the updated objects are fired first, on main, as libraries do.

/// The wiring of Core Data's guides: save beside main, then notify main.
final class NotificationMerge: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()
  private let merges = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "notification-merge",
    wiring: "worker → coordinator ← main    did-save ⇢ main",
    summary: "The worker writes beside main. Its saves are merged into main, on the main queue.",
    mainCosts:
      "The merge of each inserted object and each changed object that main has registered. In the"
      + " serial store, main's reads also wait for the worker's save.",
    chooseWhen: "Imports and updates beside a list. The default, unless a requirement excludes it.",
    make: { try NotificationMerge($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let stack = stack
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent)
    worker.observeDidSave { [merges] save in
      stack.main.perform { merges.run { try stack.main.mergeFiringFaults(save) } }
    }
    try await worker.perform {
      try work(worker)
      try worker.save()
    }
  }

  func settle() async throws {
    try await main.perform {}
    try merges.check()
  }
}
