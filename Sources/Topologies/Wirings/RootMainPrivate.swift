import ObjectGraph
import Queues

// root-main-private: a private context above main, and one below it that does the I/O.
//
//   worker ──save──▶ main ──save──▶ root ──save──▶ coordinator ──▶ SQLite
//          push-up, on the main queue   push-up     on root's queue
//                                       main occupied, waits while root writes
//
// A worker context lives for one batch. Before it saves it obtains permanent IDs, as the nested
// libraries do: main's instances would keep temporary ones otherwise, and a later fetch would bring
// the same row a second time. Its lookups go through main and root.
//
// `apply` returns when root has saved; it is the background task that waits for root, not the main
// queue. In `root-main-private-nowait` it returns when main has saved into root; root's write is left
// to itself, and main's next push or fetch may find root busy. Nothing is merged: the list hears of
// the worker's push-up.

/// Three levels: main is spared the write to disk, at the price of one more push-up.
final class RootMainPrivate: ContextTopology {
  let stack: ContextStack
  private let root: ManagedObjectContext
  private let waitsForRoot: Bool
  private let workers = WorkerQueues()
  private let unwaited = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "root-main-private",
    wiring: "worker → main → root → coordinator → SQLite",
    summary:
      "The worker's save pushes into main, main's into root; root writes, and is waited for.",
    mainCosts:
      "The worker's lookups pass through main, and main waits for root meanwhile; then two copies of"
      + " every changed object. Not the write to disk.",
    chooseWhen:
      "The list has to show changes before they are on disk, and saves are small.",
    make: { try RootMainPrivate($0, waitsForRoot: true) }
  ).refusing(noConstraint)

  static let noWaitDescriptor = TopologyDescriptor(
    name: "root-main-private-nowait",
    wiring: "worker → main → root ⇢ coordinator → SQLite",
    summary: "The same, but the next batch starts while root still writes.",
    mainCosts:
      "As root-main-private; main's next fetch or save may find root at its write, and wait.",
    chooseWhen:
      "As root-main-private, if what was saved last may be lost when the app ends.",
    make: { try RootMainPrivate($0, waitsForRoot: false) }
  ).refusing(noConstraint)

  private static let noConstraint: [WorkKind: String] = [
    .constraint: "its root makes one row of two, and nothing tells main, whose list would show both"
  ]

  init(_ environment: TopologyEnvironment, waitsForRoot: Bool) throws {
    (stack, root) = try ContextStack.mainOnRoot(environment)
    self.waitsForRoot = waitsForRoot
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let (stack, root) = (stack, root)
    let worker = stack.worker(on: workers[writer], savingInto: .context(stack.main))
    try await worker.perform {
      try work(worker)
      try worker.obtainPermanentIDs(for: worker.insertedObjects)
      try worker.save()
    }
    try await stack.main.perform { try stack.main.save() }
    if waitsForRoot {
      try await root.perform { try root.save() }
    } else {
      saveRootUnwaited()
    }
  }

  func settle() async throws {
    try await root.perform {}
    try unwaited.check()
    try await main.perform {}
  }

  func saveOnMain() throws {
    try main.obtainPermanentIDs(for: main.insertedObjects)
    try main.save()
    saveRootUnwaited()
  }

  private func saveRootUnwaited() {
    let (root, unwaited) = (root, unwaited)
    root.perform { unwaited.run { try root.save() } }
  }
}
