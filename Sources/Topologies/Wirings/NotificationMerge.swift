import ObjectGraph
import Queues

// notification-merge: siblings on one coordinator.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator          merge, on the main queue
//
// A worker context lives for one batch. `apply` returns when the worker has saved; the merge is not
// waited for, so main may lag behind by a save or more. `settle` waits for it. Main's own saves are
// not merged into main.
//
// A merge passes over objects that are faults on main, and then the list would not hear that such a
// row must move. So the faults among the updated objects are fired first, as the libraries do it;
// what that costs falls on main.

/// What Core Data's own guides showed for years: save beside main, tell main afterwards.
final class NotificationMerge: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()
  private let merges = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "notification-merge",
    wiring: "worker → coordinator ← main    did-save ⇢ main",
    summary: "The worker writes beside main; what it saved is merged into main, on the main queue.",
    mainCosts:
      "The merge: each changed object that main has registered, each inserted one. In the serial"
      + " store, main's reads wait for the worker's save.",
    chooseWhen: "Imports and updates beside a list; the rule, unless something speaks against it.",
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
