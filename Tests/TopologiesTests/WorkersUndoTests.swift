import ObjectGraph
import Queues
import Testing
import Topologies

@Suite("Undo managers of workers' contexts")
struct WorkersUndoTests {
  private static let takers = Topologies.builtIn.filter { $0.refusal(of: [.workersUndo]) == nil }

  @Test(arguments: takers, [false, true])
  func `a worker's context has an undo manager if the environment says so, and main has none`(
    descriptor: TopologyDescriptor, workersUndo: Bool
  ) async throws {
    let bench = try Bench(descriptor, workersUndo: workersUndo)
    let topology = try #require(bench.topology as? any ContextTopology)
    try await topology.load()
    let hasManager = Lock<[Bool]>([])
    for writer in 0..<2 {
      try await topology.saveInBackground(by: writer) { context in
        hasManager.withLock { $0.append(context.undoManager != nil) }
      }
    }
    #expect(hasManager.withLock { $0 } == [workersUndo, workersUndo])
    let mainHasNone = bench.main.sync { topology.main.undoManager == nil }
    #expect(mainHasNone)
    try await bench.close()
  }

  @Test(arguments: takers)
  func `undo managers change no row of a stream`(descriptor: TopologyDescriptor) async throws {
    let bench = try Bench(descriptor, workersUndo: true)
    try await bench.topology.load()
    for batch in Stream.batches { try await bench.topology.apply(batch) }
    try await bench.topology.settle()
    #expect(bench.shown() == Stream.expected)
    #expect(try bench.stored() == Stream.expected)
    try await bench.close()
  }

  @Test func `a topology whose workers have no context refuses, with the reason`() {
    let withoutContext = [
      "main-only", "grdb-pool", "grdb-pool-async", "grdb-queue", "sqlite-direct",
    ]
    let expected = withoutContext.map { "\($0), undo in workers: no worker has a context" }
    let refusals = Topologies.builtIn.compactMap { topology in
      topology.refusal(of: [.workersUndo]).map { "\(topology.name), \($0)" }
    }
    #expect(refusals.sorted() == expected.sorted())
  }
}
