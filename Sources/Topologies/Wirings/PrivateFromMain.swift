import ObjectGraph
import Queues

// private-from-main: a private context, used from main by `performAndWait`.
//
//   main's thread ──performAndWait──▶ worker ──save──▶ coordinator ──▶ SQLite
//                  borrowed: the block runs on main's thread
//      ┆ did-save
//      ▼
//    main ──────────────────────────▶ coordinator       merge, on the main queue
//
// `performAndWait` waits until the context's queue is free, then runs the block on the calling
// thread. The queue is private, the thread is not. All work takes main's time, as in `main-only`,
// and the merge takes more.

final class PrivateFromMain: ContextTopology {
  let stack: ContextStack
  private let workerQueue = PrivateQueue(label: "worker")

  static let descriptor = TopologyDescriptor(
    name: "private-from-main",
    wiring: "main ─performAndWait▶ worker → coordinator    did-save ⇢ main",
    summary: "Main calls performAndWait on a private context. Its block runs on main's thread.",
    mainCosts:
      "Everything that main-only costs, then the merge. Main also waits if the context's queue is"
      + " busy.",
    chooseWhen: "Never. Call perform, and return to main in its completion.",
    knownAs: ["newBackgroundContext().performAndWait on the main thread"],
    kind: .antiPattern,
    make: { try PrivateFromMain($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workerQueue, savingInto: stack.main.parent) {
      $0.observeDidSave { [stack] save in
        stack.onMain { try $0.mergeFiringFaults(save, unregistered: stack.hasBatches) }
      }
    }
    try await main.perform {
      try worker.performAndWait {
        try worker.rollingBack {
          try work(worker)
          try worker.save()
        }
      }
    }
  }
}
