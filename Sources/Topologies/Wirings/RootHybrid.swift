import ObjectGraph
import Queues

// root-hybrid: main and worker are children of one private context, which does the I/O.
//
//   worker ──save──▶ root ──save──▶ coordinator ──▶ SQLite
//                     ▲ ┆ did-save
//   main ──save───────┘ └┄┄▶ main                merge, on the main queue
//
// Main's fetches and faults go through root, and wait while root takes a push or writes. A child is
// not notified of its parent's saves, so root's did-save is merged into main. A save that main
// caused is merged back only if root also held a worker's push.
//
// A new object can become stale on main. Main reads it before root's first save, then another push
// changes it, and root's save reports it as inserted. As in Core Data, a merge refreshes only
// updated objects.
//
// Like libraries, the worker obtains permanent IDs before it saves. `apply` returns when root has
// saved. Root writes the user's edits without main waiting.

final class RootHybrid: RootTopology {
  let stack: ContextStack
  let root: ManagedObjectContext
  private let workers = WorkerQueues()
  /// The number of batches that root may hold and has not saved.
  private let batchesInRoot = Lock(0)

  static let descriptor = TopologyDescriptor(
    name: "root-hybrid",
    wiring: "worker → root ← main    root → coordinator → SQLite    root's did-save ⇢ main",
    summary:
      "Worker and main both save into root, which writes. Root's saves are merged into main.",
    mainCosts:
      "The merge, and waits: main's fetches and faults go through root, which is busy with the"
      + " worker's lookups, its push and the write to disk.",
    chooseWhen:
      "An app that uses a library that does this. notification-merge has no such waits.",
    // MagicalRecord 2.3, NSManagedObjectContext+MagicalRecord.m; CoreStore,
    // NSManagedObjectContext+Setup.swift; RestKit, RKManagedObjectStore.h.
    knownAs: [
      "two children of a private root", "CoreStore", "MagicalRecord 2.3 (saveWithBlock)",
      "RestKit (RKManagedObjectStore)",
    ],
    make: { try RootHybrid($0) })

  init(_ environment: TopologyEnvironment) throws {
    (stack, root) = try ContextStack.mainOnRoot(environment)
    // Weak: main retains root, and root retains the observer.
    root.observeDidSave { [weak stack, batchesInRoot] save in
      guard let stack, batchesInRoot.withLock({ $0 > 0 }) else { return }
      stack.onMain { try $0.mergeFiringFaults(save, unregistered: stack.hasBatches) }
    }
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: .context(root))
    batchesInRoot.withLock { $0 += 1 }
    defer { batchesInRoot.withLock { $0 -= 1 } }
    try await worker.performAndSaveWithPermanentIDs(work)
    try await root.perform { [root] in try root.save() }
  }
}

/// Main above a private context, which alone writes.
protocol RootTopology: ContextTopology {
  var root: ManagedObjectContext { get }
}

extension RootTopology {
  func settle() async throws {
    try await root.perform {}
    try await stack.settle()
  }

  func saveOnMain() throws {
    try main.obtainPermanentIDs(for: main.insertedObjects)
    try main.save()
    saveRootWithoutWaiting()
  }

  func saveRootWithoutWaiting() {
    root.perform { [stack, root] in stack.errors.run { try root.save() } }
  }
}

extension ManagedObjectContext {
  func performAndSaveWithPermanentIDs(_ work: @escaping BackgroundWork) async throws {
    try await performAndSave {
      try work($0)
      try $0.obtainPermanentIDs(for: $0.insertedObjects)
    }
  }
}
