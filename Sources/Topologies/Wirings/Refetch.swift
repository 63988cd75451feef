import ObjectGraph
import Queues

// refetch: main merges nothing and fetches its list again.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator          reset and fetch of the whole list, on the main queue
//
// Many apps do this after a large import. The cost grows with the list, not with the changes. A
// reset discards unsaved edits, but the user's edits are saved in the block that makes them.

final class Refetch: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "refetch",
    wiring: "worker → coordinator ← main    did-save ⇢ main: reset, fetch all",
    summary:
      "The worker writes beside main. After each save main resets and fetches its list again.",
    mainCosts:
      "A fetch of the whole list for each save, the release of all of main's objects, and a reload"
      + " of the screen.",
    chooseWhen: "One huge save that changes most of the list. Rarely otherwise.",
    knownAs: ["viewContext.reset() and performFetch() after each save"],
    make: { try Refetch($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent) {
      $0.observeDidSave { [stack] _ in stack.onMain { _ in try stack.list.resetAndFetch() } }
    }
    try await worker.performAndSave(work)
  }
}
