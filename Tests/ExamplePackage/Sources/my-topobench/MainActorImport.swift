import ObjectGraph
import Queues
import Topologies

// main-actor-import: an import by an actor of main, edits that main does not wait for, and at most
// one pending refresh.
//
//   import ──await batch──▶ actor on main ──save──▶ ┐
//   main ─edit─▶ queue of edits ────────────save──▶ coordinator ──▶ SQLite
//                                    ┆ did-save
//                                    ▼
//                                  main     reset and fetch of the whole list, once
//
// `swiftdata-on-main`, `grdb-pool-async` and `refetch-coalesced` each have one of the three.

nonisolated final class MainActorImport: ContextTopology {
  let stack: ContextStack
  private let edits = PrivateQueue(label: "edits")
  private let isPending = Lock(false)

  static let descriptor = TopologyDescriptor(
    name: "main-actor-import",
    wiring: "actor on main, edits ⇢ coordinator ← main    did-save ⇢ main: reset, fetch all, once",
    summary: "An actor on main imports. Edits are saved in the background. Refreshes are shared.",
    dependsOnTiming: true, make: { try MainActorImport($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let main = stack.environment.mainQueue
    try await Importer(makeContext(on: main), on: main).save(work)
  }

  /// Returns before the edit is saved.
  func editOnMain(_ changes: [Change]) throws {
    let (stack, context) = (stack, makeContext(on: edits))
    context.perform {
      stack.errors.run {
        try stack.changes.apply(changes, in: context)
        try context.save()
      }
    }
  }

  func settle() async throws {
    try await makeContext(on: edits).perform {}
    try await stack.settle()
  }

  private func makeContext(on queue: any SerialQueue) -> ManagedObjectContext {
    stack.worker(on: queue, savingInto: stack.main.parent) {
      $0.observeDidSave { [stack, isPending] _ in
        let wasPending = isPending.withLock { pending in
          defer { pending = true }
          return pending
        }
        guard !wasPending else { return }
        stack.onMain { _ in
          // A save that comes during the fetch may be missing in it.
          isPending.withLock { $0 = false }
          try stack.list.resetAndFetch()
        }
      }
    }
  }
}
