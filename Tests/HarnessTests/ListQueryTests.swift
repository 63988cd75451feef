import Foundation
import Measurement
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

@Suite(.timeLimit(.minutes(3)))
struct ListQueryTests {
  private let folder = TemporaryFolder()

  /// 40 rows in order of their numbers; the stream inserts 10, updates 10 and deletes 10.
  private static let rows = """
    name: rows
    asks: What does a part of a list cost?
    asks_about: open
    entity:
      name: Row
      key: number
      attributes: { number: int64, name: string, size: int64 }
    generate: { rows: 40, inserts: 10, updates: 10, deletes: 10 }
    changes: { per_save: 10 }
    repeat_for_ms: 0
    """

  private func run(_ topology: TopologyDescriptor, _ set: String...) async throws -> CellResult {
    let file = folder.url.appendingPathComponent("rows.yaml")
    try Data(Self.rows.utf8).write(to: file)
    return try await CellRunner.run(topology, of: file.path, set: set, in: folder).result
  }

  /// Of orders, which refer to customers.
  private func runOrders(
    _ topology: TopologyDescriptor, _ set: [String]
  ) async throws -> CellResult {
    let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/orders.yaml"
    return try await CellRunner.run(topology, of: file, set: set, in: folder).result
  }

  @Test(arguments: Topologies.builtIn)
  func `a list with a limit or a predicate shows the expected rows in every topology`(
    topology: TopologyDescriptor
  ) async throws {
    for set in ["list.limit=15", "list.where=number < 20", "list.where=number BETWEEN {5, 44}"] {
      let result = try await run(topology, set)
      #expect(result.status != .crashed && result.status != .wrong, "\(set): \(result.error)")
    }
  }

  @Test(arguments: Topologies.builtIn)
  func `what a topology cannot do it refuses with a reason`(
    topology: TopologyDescriptor
  ) async throws {
    let batches = try await run(topology, "list.batch_size=5")
    let prefetching = try await runOrders(topology, ["list.prefetch=[customer]"])
    for (kind, result) in [(WorkKind.batches, batches), (WorkKind.prefetching, prefetching)] {
      if let reason = topology.refusals[kind] {
        #expect(result.error.contains("\(kind.rawValue): \(reason)"), "\(result.error)")
      } else {
        #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
      }
    }
  }

  @Test func `a limit is the most rows that an opening reads, a predicate those that match`()
    async throws
  {
    let topology = try TopologyDescriptor.named("container")
    #expect(try await run(topology, "list.limit=15").metrics[.openRowsRead] == 15)
    #expect(try await run(topology, "list.where=number <= 7").metrics[.openRowsRead] == 7)
    #expect(try await run(topology, "list.limit=0").metrics[.openRowsRead] == 40)
  }

  @Test(arguments: Topologies.builtIn.filter { $0.refusals[.batches] == nil })
  func `a list with batches is right while two workers save`(
    topology: TopologyDescriptor
  ) async throws {
    let result = try await run(topology, "list.batch_size=5", "changes.second_worker=5")
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
  }

  /// The orders' customers are read by one more statement. A child ignores it, as in Core Data.
  @Test(arguments: [("container", 1.0), ("root-hybrid", 0)])
  func `prefetching reads the related objects as the list opens`(
    name: String, statements: Double
  ) async throws {
    func opened(_ set: [String]) async throws -> Double {
      let result = try await runOrders(.named(name), set)
      #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
      return try #require(result.metrics[.openStatements])
    }
    let plain = try await opened([])
    #expect(try await opened(["list.prefetch=[customer]"]) == plain + statements)
  }

  @Test func `a list that ignores its limit or its predicate is wrong`() async throws {
    let broken = try TopologyDescriptor.changing { ($0.limit, $0.predicate) = (nil, nil) }
    for set in ["list.limit=15", "list.where=number < 20"] {
      let result = try await run(broken, set)
      #expect(result.status == .wrong, "\(set)")
    }
  }

  @Test(arguments: [
    ("list.where=nothing == 1", "list.where"), ("list.where=number <", "list.where"),
    ("list.prefetch=[owner]", "Row has no relationship 'owner'"),
    ("list.limit=-1", "list.limit"), ("list.batch_size=x", "list.batch_size"),
  ])
  func `a query that cannot be made names its field`(set: String, text: String) async throws {
    let topology = try TopologyDescriptor.named("container")
    let file = folder.url.appendingPathComponent("rows.yaml")
    try Data(Self.rows.utf8).write(to: file)
    let message: String
    do {
      message = try await CellRunner.run(topology, of: file.path, set: [set], in: folder)
        .result.error
    } catch {
      message = "\(error)"
    }
    #expect(message.contains(text), "\(message)")
  }

  @Test func `each field of the query is part of the digest`() throws {
    let file = folder.url.appendingPathComponent("rows.yaml")
    try Data(Self.rows.utf8).write(to: file)
    let sets = [
      "", "list.limit=5", "list.where=size > 3", "list.batch_size=7", "store.opens_on=background",
    ]
    let digests = try sets.map { set in
      let scenario = try Scenario.load(file: file.path, set: set.isEmpty ? [] : [set])[0]
      return try Workload.make(scenario, seed: 1).digest
    }
    #expect(Set(digests).count == sets.count)
  }
}

extension TopologyDescriptor {
  /// `container`, whose list fetches another query than the scenario asks for.
  static func changing(
    _ change: @escaping @Sendable (inout ListQuery) -> Void
  ) throws -> TopologyDescriptor {
    let sound = try TopologyDescriptor.named("container")
    return TopologyDescriptor(
      name: "broken", wiring: "", summary: "",
      make: { environment in
        var query = environment.lists[0].query
        change(&query)
        return try sound.make(
          TopologyEnvironment(
            store: environment.store, storeMode: environment.storeMode, model: environment.model,
            entity: environment.entity, keyIndex: environment.keyIndex,
            rowEntities: environment.rowEntities, mainQueue: environment.mainQueue,
            lists: [ListDescription(query, didChange: environment.lists[0].didChange)],
            lookup: environment.lookup, realised: environment.realised))
      })
  }
}
