import ObjectGraph
import Queues

// container: a persistent container, whose view context merges its siblings' saves.
//
//   background task ──save──▶ coordinator ──▶ SQLite
//                                 ┆ notifies of every sibling's save
//                                 ▼
//   view context ───────────▶ coordinator      merges by itself, on the main queue
//
// This is the stack of Apple's templates since 2016. `performBackgroundTask` makes a context for
// each task. That context is gone before others save, so it merges nothing. All tasks share a
// thread, because Dispatch keeps one ready. The view context has
// `automaticallyMergesChangesFromParent`. Only `settle` waits for its merge.
//
// A merge skips faults, but since iOS 10 lists learn of such rows all the same. Here a block before
// the merge fires the faults among the updated objects. Main must make these reads either way.

final class Container: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "container",
    wiring: "background task → coordinator ⇢ view context",
    summary:
      "As notification-merge, but the view context merges its siblings' saves by itself.",
    mainCosts:
      "As notification-merge, with one more block for each save of a background task.",
    chooseWhen: "A new app. It needs the least code, and costs the same as notification-merge.",
    // github.com/3lvis/SwiftSync, README: `SyncContainer` observes background saves for the main
    // context. SwiftData alone is `swiftdata`.
    knownAs: [
      "NSPersistentContainer with automaticallyMergesChangesFromParent", "performBackgroundTask",
      "NSPersistentCloudKitContainer", "SyncContainer (SwiftSync, on SwiftData)",
    ],
    make: { try Container($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func load() async throws {
    try await main.perform { [stack] in
      stack.main.automaticallyMergesChangesFromParent = true
      try stack.list.performFetch()
    }
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let task = stack.worker(on: workers[writer], savingInto: stack.main.parent) {
      // This observer runs before the coordinator notifies the view context.
      $0.observeDidSave { [stack] in stack.fireFaultsOnMain(of: $0, by: writer) }
    }
    try await task.performAndSave(work)
    stack.releaseFired(by: writer)
  }
}
