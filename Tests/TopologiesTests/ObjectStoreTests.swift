import ObjectGraph
import Queues
import TestSupport
import Testing
import Topologies

@Suite("An object store over a topology")
struct ObjectStoreTests {
  static let topologies = Topologies.builtIn.filter { $0.kind != .peer }

  /// Copied on main.
  private struct Told: Sendable {
    var isOnMain: Bool
    var isSuccess: Bool
    var message: String
    var names: [String]
  }

  private struct Refused: Error, CustomStringConvertible { let description = "no cities today" }

  private static func with(
    _ descriptor: TopologyDescriptor,
    _ body: (Bench, any ContextTopology, ObjectStore) async throws -> Void
  ) async throws {
    try await Bench.with(descriptor) { bench in
      let topology = try #require(bench.topology as? any ContextTopology)
      try await body(bench, topology, ObjectStore(over: topology))
    }
  }

  private static func start(
    _ store: ObjectStore, on bench: Bench,
    _ operation: @escaping @Sendable (ManagedObjectContext) throws -> ObjectStore.Outcome
  ) async -> Told {
    await withCheckedContinuation { continuation in
      store.start(operation) { completion in
        continuation.resume(
          returning: Told(
            isOnMain: bench.main.isCurrent, isSuccess: completion.isSuccess,
            message: completion.message, names: completion.objects.map { $0[City.name] }))
      }
    }
  }

  @Test(arguments: topologies)
  func `a completion receives main's own objects`(
    topology: TopologyDescriptor
  ) async throws {
    try await Self.with(topology) { bench, topology, store in
      let completion = await Self.start(store, on: bench) { context in
        let new = context.insert(City.entity, values: City.values(500, "new"))
        let cities = try context.fetch(FetchRequest(City.entity, where: City.key <= 2))
        for city in cities { city[City.name] = "renamed" }
        context.delete(cities[1])
        return .init([new] + cities, message: "two of three")
      }
      #expect(completion.isOnMain && completion.isSuccess)
      #expect(completion.message == "two of three")
      #expect(completion.names == ["new", "renamed"])
      try await topology.settle()
      #expect(try bench.stored().count == 40)
      #expect(bench.shown() == (try bench.stored()))
    }
  }

  // Topology: "A worker's batches are applied one after another."
  @Test(arguments: topologies)
  func `operations run one after another in the order of the calls`(
    topology: TopologyDescriptor
  ) async throws {
    try await Self.with(topology) { bench, _, store in
      let (began, ended) = (Story<Int>(), Story<Int>())
      for number in 0..<30 {
        store.start { context in
          #expect(began.all.count == number)
          began.tell(number)
          _ = context.insert(City.entity, values: City.values(Int64(500 + number), "new"))
          return .init()
        } completion: { _ in
          ended.tell(number)
        }
      }
      _ = await Self.start(store, on: bench) { _ in .init() }
      #expect(began.all == Array(0..<30))
      #expect(ended.all == Array(0..<30))
    }
  }

  @Test(arguments: topologies)
  func `a failing operation reports why and does not change the store`(
    topology: TopologyDescriptor
  ) async throws {
    try await Self.with(topology) { bench, _, store in
      let before = try bench.stored()
      let completion = await Self.start(store, on: bench) { context in
        _ = context.insert(City.entity, values: City.values(500, "new"))
        throw Refused()
      }
      #expect(completion.isOnMain && !completion.isSuccess && completion.names.isEmpty)
      #expect(completion.message == "no cities today")
      #expect(try bench.stored() == before)
      #expect(bench.shown() == before)
    }
  }

  @Test func `an operation succeeds although main has deleted one of its objects`() async throws {
    let merging = try #require(Topologies.builtIn.first { $0.name == "notification-merge" })
    try await Self.with(merging) { bench, topology, store in
      let main = bench.main
      let completion = await Self.start(store, on: bench) { context in
        _ = context.observeDidSave { _ in
          main.async {
            do {
              for city in try store.search(City.entity, where: City.key == 500) {
                store.delete(city)
              }
              try store.save()
            } catch { Issue.record(error) }
          }
        }
        return .init(
          [500, 501].map { context.insert(City.entity, values: City.values($0, "\($0)")) })
      }
      #expect(completion.isSuccess)
      #expect(completion.names == ["501"])
      try await topology.settle()
    }
  }

  @Test(arguments: topologies)
  func `main searches, inserts, deletes and saves`(topology: TopologyDescriptor) async throws {
    try await Self.with(topology) { bench, topology, store in
      try bench.main.sync {
        #expect(try store.search(City.entity).count == 40)
        let found = try store.search(
          City.entity, where: City.key > 37, sortedBy: [City.key.descending])
        #expect(found.map { $0[City.key] } == [40, 39, 38])
        store.delete(found[0])
        let new = store.insert(City.entity)
        new[City.key] = 700
        new[City.name] = "made on main"
        new[City.population] = 1
        new[City.latitude] = 2
        try store.save()
      }
      try await topology.settle()
      let names = try bench.stored().map { $0[1] }
      #expect(names.count == 40 && names.contains(.string("made on main")))
      #expect(!(try bench.stored().contains { $0[0] == .int64(40) }))
      #expect(bench.shown() == (try bench.stored()))
    }
  }
}
