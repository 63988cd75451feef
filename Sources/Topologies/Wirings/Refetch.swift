import ObjectGraph
import Queues

// refetch: main merges nothing; it begins anew.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator          reset and fetch of the whole list, on the main queue
//
// A worker context lives for one batch; `apply` returns when it has saved. After every save main lets
// go of all its objects and fetches its list again: what that costs grows with the list, not with
// what changed, and every row that is shown is a fault again. The list says nothing of what changed;
// the screen is told to reload.
//
// A reset forgets unsaved edits. The user's are saved in the block that makes them.

/// No merging and no differences: what many apps do after a large import.
final class Refetch: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()
  private let fetches = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "refetch",
    wiring: "worker → coordinator ← main    did-save ⇢ main: reset, fetch all",
    summary:
      "The worker writes beside main; after each save main resets and fetches its list again.",
    mainCosts:
      "A fetch of the whole list for each save, the end of all objects that main had, and a reload"
      + " of the screen instead of its changes.",
    chooseWhen: "One huge save that changes most of the list; rarely otherwise.",
    make: { try Refetch($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let (stack, fetches) = (stack, fetches)
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent)
    worker.observeDidSave { _ in
      stack.main.perform { fetches.run { try stack.list.resetAndFetch() } }
    }
    try await worker.perform {
      try work(worker)
      try worker.save()
    }
  }

  func settle() async throws {
    try await main.perform {}
    try fetches.check()
  }
}
