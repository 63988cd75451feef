import ObjectGraph
import Queues

// thread-confinement: a context for each thread, as before 2011.
//
//   thread 1 ┄ context ──save──▶ coordinator ──▶ SQLite
//   thread 2 ┄ context ──save──▶     │
//                 ┆ did-save         │
//                 ▼                  │
//   main ┄┄┄┄┄ context ──────────────┘          merge, on the main thread
//
// Each batch starts a thread, which makes its context, works, and ends. Only the thread protects
// the context. As in Apple's sample code of the time, main merges the IDs of the did-save.
//
// A reused worker keeps its thread, because a context cannot move to another thread. The core knows
// only contexts with queues, so each thread has its own queue.

final class ThreadConfinement: ContextTopology {
  let stack: ContextStack
  /// The threads of reused workers; nil if each batch starts its own.
  private let lastingThreads: WorkerQueues?

  static let descriptor = TopologyDescriptor(
    name: "thread-confinement",
    wiring: "context of a thread → coordinator ← main's context    IDs ⇢ main",
    summary:
      "A thread and its context for each batch. The IDs of its saved objects are merged into main.",
    mainCosts: "As notification-merge. Starting a thread costs the batch, not main.",
    chooseWhen: "Code from before 2011. notification-merge is the same with queues.",
    knownAs: ["NSConfinementConcurrencyType", "a context for each thread or NSOperation"],
    make: { try ThreadConfinement($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
    lastingThreads = environment.reusesWorkers ? WorkerQueues() : nil
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let stack = stack
    let thread = lastingThreads?[writer] ?? PrivateQueue(label: "import thread")
    try await thread.run {
      let context = stack.worker(on: thread, savingInto: stack.main.parent) {
        $0.observeDidSave { save in
          stack.onMain { try $0.mergeFiringFaults(save, unregistered: stack.hasBatches) }
        }
      }
      try context.rollingBack {
        try work(context)
        try context.save()
      }
    }
  }
}
