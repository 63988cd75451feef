import ObjectGraph
import Queues
import Topologies

// late-merge: main hears of nothing until the worker is through with everything.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save, kept
//      ▼ at the end
//    main ──────────▶ coordinator          all saves merged, one block on the main queue each

/// What becomes of notification-merge if the app waits with all merges until the import is over.
final class LateMerge: ContextTopology {
  let stack: ContextStack
  private let workerQueue = PrivateQueue(label: "worker")
  private let saves = Lock<[DidSave]>([])

  static let descriptor = TopologyDescriptor(
    name: "late-merge",
    wiring: "worker → coordinator ← main, every did-save merged at the end",
    summary: "The worker writes beside main; main merges what was saved when everything is.",
    make: { try LateMerge($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let (stack, saves) = (stack, saves)
    let worker = stack.worker(on: workerQueue, savingInto: stack.main.parent)
    worker.observeDidSave { save in saves.withLock { $0.append(save) } }
    try await worker.perform {
      try work(worker)
      try worker.save()
    }
  }

  func settle() async throws {
    let main = main
    for save in saves.withLock({ $0 }) {
      try await main.perform {
        // A merge passes over faults, and the list would not learn that such a row must move.
        for id in save.updated { main.registeredObject(for: id)?.fireFault() }
        try main.mergeChanges(fromContextDidSave: save)
      }
    }
    saves.withLock { $0 = [] }
  }
}
