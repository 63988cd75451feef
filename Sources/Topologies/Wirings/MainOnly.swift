import ObjectGraph

// main-only: everything on the main queue.
//
//   main ──save──▶ coordinator ──▶ SQLite
//        on the main queue
//
// Several writers take turns. Each batch is one block, in which main cannot serve a tap.

final class MainOnly: ContextTopology {
  let stack: ContextStack

  static let descriptor = TopologyDescriptor(
    name: "main-only",
    wiring: "main → coordinator → SQLite",
    summary: "Every batch is one block on the main queue: lookups, changes, save.",
    mainCosts: "Everything: lookups, changes, the write to disk, the list.",
    chooseWhen: "A handful of changes at a time, or as the reference for all others.",
    knownAs: [
      "viewContext for everything", "ModelContainer.mainContext for everything (SwiftData)",
    ],
    refusals: [.workersUndo: "no worker has a context"],
    make: { try MainOnly($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    try await main.perform { [main] in
      try main.rollingBack { try work(main) }
      try main.save()
    }
  }
}
