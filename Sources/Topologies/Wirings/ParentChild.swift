import ObjectGraph
import Queues

// parent-child: a worker context whose parent is main.
//
//   worker ──save──▶ main ──save──▶ coordinator ──▶ SQLite
//          push, on the main queue      on the main queue
//
// The worker's lookups go through main. Its save pushes every changed object into main, which
// writes to disk in its own block. The list learns of the push before anything is durable.

final class ParentChild: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "parent-child",
    wiring: "worker → main → coordinator → SQLite",
    summary:
      "The worker looks up objects through main and saves into main. Main writes to disk.",
    mainCosts:
      "The SQL of the worker's lookups, a copy of every changed object, and the write to disk.",
    chooseWhen:
      "A draft that may be discarded, such as an edit form below main. Not to take work off main.",
    knownAs: ["a private context whose parent is viewContext"],
    make: { try ParentChild($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: .context(main))
    try await worker.performAndSave(work)
    try await main.perform { [main] in try main.save() }
  }
}
