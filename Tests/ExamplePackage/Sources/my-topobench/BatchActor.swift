import ObjectGraph
import Queues
import Topologies

// batch-actor: an actor whose executor is the queue of its context makes a whole batch in one call.
//
//   import ──await batch──▶ actor ──save──▶ coordinator ──▶ SQLite
//                             ┆ did-save
//                             ▼
//                           main ─────────▶ coordinator     merge, on the main queue
//
// The built-in `context-actor` makes each change in a call, which costs a hop and a lookup.

nonisolated final class BatchActor: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "batch-actor",
    wiring: "import ─await batch▶ actor → coordinator ← main    did-save ⇢ main",
    summary: "An actor on its context's queue makes each batch in one call. Main merges each save.",
    make: { try BatchActor($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let (stack, queue) = (stack, workers[writer])
    let context = stack.worker(on: queue, savingInto: stack.main.parent) {
      $0.observeDidSave { save in
        stack.onMain { try $0.mergeFiringFaults(save, unregistered: stack.hasBatches) }
      }
    }
    try await Importer(context, on: queue).save(work)
  }
}

/// Works in a context, on the context's queue.
actor Importer {
  private let context: ManagedObjectContext
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ context: ManagedObjectContext, on queue: any SerialQueue) {
    self.context = context
    executor = QueueExecutor(queue)
  }

  /// A context that lives for the run must not save the changes of a failed batch later.
  func save(_ work: BackgroundWork) throws {
    try QueueExecutor.carryingChange {
      try context.performAndWait {
        do {
          try work(context)
          try context.save()
        } catch {
          context.rollback()
          throw error
        }
      }
    }
  }
}
