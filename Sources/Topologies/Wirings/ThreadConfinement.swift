import ObjectGraph
import Queues

// thread-confinement: a context for each thread, as it had to be before 2011.
//
//   thread 1 ┄ context ──save──▶ coordinator ──▶ SQLite
//   thread 2 ┄ context ──save──▶     │
//                 ┆ did-save         │
//                 ▼                  │
//   main ┄┄┄┄┄ context ──────────────┘          merge, on the main thread
//
// A thread is started for each batch, makes its context, works, and ends. No block is performed on
// that context: being used on no other thread is all that protects it. Objects stay on their thread;
// what goes across are the IDs in the did-save notification, which is handed to the main thread
// without waiting (as Apple's sample code of the time did it) and merged there.
//
// The core knows contexts of queues only. So each thread here is the own thread of a queue that
// nobody else uses, and the checked mode stops a context that is touched off it.

/// What is left of it in many code bases: notification-merge with a thread for each import.
final class ThreadConfinement: ContextTopology {
  let stack: ContextStack
  private let merges = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "thread-confinement",
    wiring: "context of a thread → coordinator ← main's context    IDs ⇢ main",
    summary:
      "A thread and its context for each batch; the IDs of what it saved are handed to main and"
      + " merged.",
    mainCosts: "As notification-merge. Starting a thread costs the batch, not main.",
    chooseWhen: "Code that is older than 2011; notification-merge is the same with queues.",
    make: { try ThreadConfinement($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let (stack, merges) = (stack, merges)
    let thread = PrivateQueue(label: "import thread")
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      thread.async {
        let context = stack.worker(on: thread, savingInto: stack.main.parent)
        context.observeDidSave { save in
          stack.main.perform { merges.run { try stack.main.mergeFiringFaults(save) } }
        }
        continuation.resume(
          with: Result {
            try work(context)
            try context.save()
          })
      }
    }
  }

  func settle() async throws {
    try await main.perform {}
    try merges.check()
  }
}
