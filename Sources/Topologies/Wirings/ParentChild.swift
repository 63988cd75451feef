import ObjectGraph
import Queues

// parent-child: a private context above main.
//
//   worker ──save──▶ main ──save──▶ coordinator ──▶ SQLite
//          push-up, on the main queue    on the main queue
//
// A worker context lives for one batch. Its lookups go through main, which is occupied meanwhile; its
// save pushes every changed object up into main; then main writes to disk, in a block of its own, on
// the main queue. `apply` returns when main has saved. Nothing is merged: the list hears of the
// push-up, before anything is durable.

/// The first answer to the freeze: the work is elsewhere, its results and its I/O are on main.
final class ParentChild: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "parent-child",
    wiring: "worker → main → coordinator → SQLite",
    summary:
      "The worker's lookups go through main, its save pushes into main, main writes to disk.",
    mainCosts:
      "The SQL of the worker's lookups, a copy of every changed object, and the write to disk.",
    chooseWhen:
      "A draft that may be thrown away: an edit form below main. Not to take work off main.",
    make: { try ParentChild($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let stack = stack
    let worker = stack.worker(on: workers[writer], savingInto: .context(stack.main))
    try await worker.perform {
      try work(worker)
      try worker.save()
    }
    try await stack.main.perform { try stack.main.save() }
  }
}
