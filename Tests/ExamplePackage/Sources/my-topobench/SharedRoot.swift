import ObjectGraph
import Queues
import Topologies

// shared-root: the built-in `root-hybrid`, written with public API only.
//
//   worker ──save──▶ root ──save──▶ coordinator ──▶ SQLite
//                     ▲ ┆ did-save
//   main ──save───────┘ └┄┄▶ main                merge, on the main queue

nonisolated final class SharedRoot: ContextTopology {
  let stack: ContextStack
  private let root: ManagedObjectContext
  private let workers = WorkerQueues()
  /// The number of batches that root may hold and has not saved.
  private let batchesInRoot = Lock(0)

  static let descriptor = TopologyDescriptor(
    name: "shared-root",
    wiring: "worker → root ← main    root → coordinator → SQLite    root's did-save ⇢ main",
    summary:
      "Worker and main both save into root, which writes. Root's saves are merged into main.",
    make: { try SharedRoot($0) })

  init(_ environment: TopologyEnvironment) throws {
    (stack, root) = try ContextStack.mainOnRoot(environment)
    // Weak: main retains root, and root retains the observer.
    root.observeDidSave { [weak stack, batchesInRoot] save in
      guard let stack, batchesInRoot.withLock({ $0 > 0 }) else { return }
      stack.onMain { try $0.mergeFiringFaults(save) }
    }
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let root = root
    let worker = stack.worker(on: workers[writer], savingInto: .context(root))
    batchesInRoot.withLock { $0 += 1 }
    defer { batchesInRoot.withLock { $0 -= 1 } }
    try await worker.perform {
      try work(worker)
      try worker.obtainPermanentIDs(for: worker.insertedObjects)
      try worker.save()
    }
    try await root.perform { try root.save() }
  }

  func settle() async throws {
    try await root.perform {}
    try await stack.settle()
  }

  func saveOnMain() throws {
    try main.obtainPermanentIDs(for: main.insertedObjects)
    try main.save()
    let (stack, root) = (stack, root)
    root.perform { stack.errors.run { try root.save() } }
  }
}
