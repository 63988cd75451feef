import ObjectGraph

// main-only: everything on the main queue.
//
//   main ──save──▶ coordinator ──▶ SQLite
//        on the main queue
//
// There is no worker context, and as many writers as there are take turns. `apply` returns when main has saved. Each batch is one block on main:
// lookups, changes, save and the list's update run without a pause in which a tap could be served.
// Nothing is merged.

/// The freeze that started it all; the point of reference.
final class MainOnly: ContextTopology {
  let stack: ContextStack

  static let descriptor = TopologyDescriptor(
    name: "main-only",
    wiring: "main → coordinator → SQLite",
    summary: "Every batch is one block on the main queue: lookups, changes, save.",
    mainCosts: "Everything: lookups, changes, the write to disk, the list.",
    chooseWhen: "A handful of changes at a time; as the point of reference for all others.",
    make: { try MainOnly($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let stack = stack
    try await main.perform {
      do {
        try work(stack.main)
      } catch {
        // A worker's context would be gone now, with what it had begun.
        stack.main.rollback()
        throw error
      }
      try stack.main.save()
    }
  }
}
