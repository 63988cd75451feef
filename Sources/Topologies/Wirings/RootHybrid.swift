import ObjectGraph
import Queues

// root-hybrid: main and worker side by side, below a private context that does the I/O.
//
//   worker ──save──▶ root ──save──▶ coordinator ──▶ SQLite
//                     ▲ ┆ did-save
//   main ──save───────┘ └┄┄▶ main                merge, on the main queue
//
// The worker's lookups and its push-up occupy root, not main. But whatever main reads that it has not
// realised comes through root as well: main's fetches and faults wait while root takes a push-up in
// or writes. A child does not hear what its parent saves, so root's did-save is merged into main;
// faults among the updated objects are fired first, through root.
//
// A save of root that main caused is not merged back, unless a worker's push lay in root as well by
// then: it would be saved along with main's changes, and nobody else would tell main of it.
//
// A worker context lives for one batch and obtains permanent IDs before it saves, as the libraries
// do; `apply` returns when root has saved. What the user edits on main is pushed at once, and written
// by root without being waited for.

/// The libraries' favourite: main never copies what the worker changed, nor writes to disk.
final class RootHybrid: ContextTopology {
  let stack: ContextStack
  private let root: ManagedObjectContext
  private let workers = WorkerQueues()
  private let unwaited = FirstError()
  /// Batches that may have been pushed into root, and for which root has not been saved yet.
  private let batchesInRoot = Lock(0)

  static let descriptor = TopologyDescriptor(
    name: "root-hybrid",
    wiring: "worker → root ← main    root → coordinator → SQLite    root's did-save ⇢ main",
    summary:
      "Worker and main both save into root, which writes; what root saved is merged into main.",
    mainCosts:
      "The merge, and waiting: main's fetches and faults go through root, which is busy with the"
      + " worker's lookups, its push-up and the write to disk.",
    chooseWhen:
      "A library's stack that is there already. notification-merge spares main the waits.",
    make: { try RootHybrid($0) })

  init(_ environment: TopologyEnvironment) throws {
    (stack, root) = try ContextStack.mainOnRoot(environment)
    mergeIntoMain(whatSaves: root)
  }

  private func mergeIntoMain(whatSaves root: ManagedObjectContext) {
    // Weak, as main holds its parent, which holds what observes it.
    root.observeDidSave { [weak main, unwaited, batchesInRoot] save in
      guard let main, batchesInRoot.withLock({ $0 > 0 }) else { return }
      main.perform { unwaited.run { try main.mergeFiringFaults(save) } }
    }
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let (stack, root) = (stack, root)
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
    try await main.perform {}
    try unwaited.check()
  }

  func saveOnMain() throws {
    try main.obtainPermanentIDs(for: main.insertedObjects)
    try main.save()
    let (root, unwaited) = (root, unwaited)
    root.perform { unwaited.run { try root.save() } }
  }
}
