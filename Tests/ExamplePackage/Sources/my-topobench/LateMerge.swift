import ObjectGraph
import Queues
import Topologies

// late-merge: main learns of no save until the worker has finished everything.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save, kept
//      ▼ at the end
//    main ──────────▶ coordinator          all saves merged, one block on the main queue each

nonisolated final class LateMerge: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()
  private let saves = Lock<[DidSave]>([])

  static let descriptor = TopologyDescriptor(
    name: "late-merge",
    wiring: "worker → coordinator ← main, every did-save merged at the end",
    summary: "The worker writes beside main. Main merges all saves when the last one is done.",
    make: { try LateMerge($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let (stack, saves) = (stack, saves)
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent)
    worker.observeDidSave { save in saves.withLock { $0.append(save) } }
    try await worker.performAndSave(work)
  }

  func settle() async throws {
    for save in saves.withLock({ $0 }) { stack.onMain { try $0.mergeFiringFaults(save) } }
    saves.withLock { $0 = [] }
    try await stack.settle()
  }
}
