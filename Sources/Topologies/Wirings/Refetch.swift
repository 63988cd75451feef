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
//
// In `refetch-coalesced` a save starts no refresh while one is pending.

final class Refetch: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()
  /// Whether a refresh is pending. Nil to refresh after every save.
  private let isPending: Lock<Bool>?

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

  static let coalescedDescriptor = TopologyDescriptor(
    name: "refetch-coalesced",
    wiring: "worker → coordinator ← main    did-save ⇢ main: reset, fetch all, once",
    summary: "As refetch, but at most one refresh is pending.",
    mainCosts: "As refetch, but saves that come while main is busy share a refresh.",
    chooseWhen: "As refetch, if saves come faster than main can fetch.",
    knownAs: ["a debounced or coalesced reload after saves"],
    dependsOnTiming: true, make: { try Refetch($0, coalesces: true) })

  init(_ environment: TopologyEnvironment, coalesces: Bool = false) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
    isPending = coalesces ? Lock(false) : nil
  }

  /// Any thread may call it.
  private func refreshMain() {
    if let isPending {
      let wasPending = isPending.withLock { pending in
        defer { pending = true }
        return pending
      }
      guard !wasPending else { return }
    }
    stack.onMain { [stack, isPending] _ in
      #if TOPOBENCH_PLANTED_BUGS
        if PlantedBug.droppedRefresh.isActive {
          defer { isPending?.withLock { $0 = false } }
          return try stack.list.resetAndFetch()
        }
      #endif
      // A save that comes during the fetch may be missing in it.
      isPending?.withLock { $0 = false }
      try stack.list.resetAndFetch()
    }
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent) {
      $0.observeDidSave { [weak self] _ in self?.refreshMain() }
    }
    try await worker.performAndSave(work)
  }
}
