import ObjectGraph
import Queues

// root-main-private: worker, main and a private root in a chain; root does the I/O.
//
//   worker ──save──▶ main ──save──▶ root ──save──▶ coordinator ──▶ SQLite
//          push, on the main queue      push       on root's queue
//                                       main occupied, waits while root writes
//
// Like libraries with nested contexts, the worker obtains permanent IDs before it saves. Otherwise
// main's objects would keep temporary IDs, and a later fetch would return the same row twice.
//
// `apply` returns when root has saved. In `root-main-private-nowait` it returns when main has saved
// into root, so main's next push or fetch may find root busy.

final class RootMainPrivate: RootTopology {
  let stack: ContextStack
  let root: ManagedObjectContext
  private let waitsForRoot: Bool
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "root-main-private",
    wiring: "worker → main → root → coordinator → SQLite",
    summary:
      "The worker saves into main, main into root, and root writes. The batch waits for root.",
    mainCosts:
      "The worker's lookups, with waits for root, and two copies of every changed object. Not the"
      + " write to disk.",
    chooseWhen:
      "The list must show changes before they are on disk, and saves are small.",
    // github.com/bignerdranch/CoreDataStack: "worker contexts that are children of the main queue
    // context", whose parent is `privateQueueContext`. MR_saveNestedContexts is of early
    // MagicalRecord 2.
    knownAs: [
      "three nested contexts with a private root", "CoreDataStack (Big Nerd Ranch)",
      "MagicalRecord: MR_saveNestedContexts",
    ],
    refusals: noConstraint,
    make: { try RootMainPrivate($0, waitsForRoot: true) })

  static let noWaitDescriptor = TopologyDescriptor(
    name: "root-main-private-nowait",
    wiring: "worker → main → root ⇢ coordinator → SQLite",
    summary: "As root-main-private, but the next batch starts while root still writes.",
    mainCosts:
      "As root-main-private. Main's next fetch or save may also wait for root's write.",
    chooseWhen:
      "As root-main-private, if the app may lose its last saves when it ends.",
    knownAs: ["three nested contexts with a private root, root.perform { save() }"],
    refusals: noConstraint,
    make: { try RootMainPrivate($0, waitsForRoot: false) })

  private static let noConstraint: [WorkKind: String] = [
    .constraint: "root merges two rows into one without notifying main, whose list would show both"
  ]

  init(_ environment: TopologyEnvironment, waitsForRoot: Bool) throws {
    (stack, root) = try ContextStack.mainOnRoot(environment)
    self.waitsForRoot = waitsForRoot
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: .context(main))
    try await worker.performAndSaveWithPermanentIDs(work)
    try await main.perform { [main] in try main.save() }
    if waitsForRoot {
      try await root.perform { [root] in try root.save() }
    } else {
      saveRootWithoutWaiting()
    }
  }
}
