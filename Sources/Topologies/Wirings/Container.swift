import ObjectGraph
import Queues

// container: what a persistent container gives, siblings that merge by themselves.
//
//   background task ──save──▶ coordinator ──▶ SQLite
//                                 ┆ told of every sibling's save
//                                 ▼
//   view context ───────────▶ coordinator      merges by itself, on the main queue
//
// `performBackgroundTask` makes a context for each task, on a private queue. It does not merge what
// others save, as it is gone by then. (The queues of all tasks share a thread here, as Dispatch
// gives them one that stands ready.) The view context's `automaticallyMergesChangesFromParent` makes
// it merge on its own queue, some time after the save; nobody waits for that but `settle`.
//
// A merge passes over objects that are faults on main. Before iOS 10 lists did not hear of such rows;
// since then they do. Here it takes a block of its own, in front of the merge, that fires the faults
// among the updated objects: the reads that the list could not do without fall on main either way.

/// The stack of Apple's templates since 2016: nobody writes a line of merging.
final class Container: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "container",
    wiring: "background task → coordinator ⇢ view context",
    summary:
      "As notification-merge, but the view context merges what siblings save by itself.",
    mainCosts:
      "As notification-merge, in one more block for each save; whose save it was makes no"
      + " difference.",
    chooseWhen: "A new app: the least code, and the costs of notification-merge.",
    make: { try Container($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func load() async throws {
    let (main, list) = (stack.main, stack.list)
    try await main.perform {
      main.automaticallyMergesChangesFromParent = true
      try list.performFetch()
    }
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let stack = stack
    let task = stack.worker(on: workers[writer], savingInto: stack.main.parent)
    // Told before the coordinator tells the view context.
    task.observeDidSave { save in
      stack.main.perform { stack.main.fireFaults(of: save.updated) }
    }
    try await task.perform {
      try work(task)
      try task.save()
    }
  }
}
