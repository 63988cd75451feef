import ObjectGraph
import Queues

// notification-merge: siblings on one coordinator.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator          merge, on the main queue
//
// The wiring of Core Data's guides. `apply` returns when the worker has saved; main may be some
// saves behind. `settle` waits for the merges.

final class NotificationMerge: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "notification-merge",
    wiring: "worker → coordinator ← main    did-save ⇢ main",
    summary: "The worker writes beside main. Its saves are merged into main, on the main queue.",
    mainCosts:
      "The merge of each inserted object and each changed object that main has registered. In the"
      + " serial store, main's reads also wait for the worker's save.",
    chooseWhen: "Imports and updates beside a list. The default, unless a requirement excludes it.",
    // github.com/jessesquires/JSQCoreDataKit, CoreDataStack.swift; github.com/3lvis/DATAStack,
    // which Sync uses
    knownAs: [
      "mergeChanges(fromContextDidSave:)", "NSManagedObjectContextDidSave", "JSQCoreDataKit",
      "DATAStack and Sync",
    ],
    make: { try NotificationMerge($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: stack.main.parent) {
      $0.observeDidSave { [stack] save in
        stack.onMain { try $0.mergeFiringFaults(save, unregistered: stack.hasBatches) }
      }
    }
    try await worker.performAndSave(work)
  }
}
