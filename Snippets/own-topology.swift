//! Measures a topology of one's own. It takes all of the command's arguments, such as
//! `--scenario 5000-cities --topology merge-at-once --topology container`.

import Commands
import ObjectGraph
import Topologies

// merge-at-once: main merges each save of a worker as soon as it is free.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator
final class MergeAtOnce: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "merge-at-once",
    wiring: "worker → coordinator ← main    worker's did-save ⇢ main",
    summary: "The worker writes beside main. Main merges each save.",
    make: { try MergeAtOnce($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let stack = stack
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent)
    worker.observeDidSave { save in stack.onMain { try $0.mergeFiringFaults(save) } }
    try await worker.performAndSave(work)
  }
}

// Each cell runs this executable again, so it must always reach this call.
Topobench.main(adding: [MergeAtOnce.descriptor])
