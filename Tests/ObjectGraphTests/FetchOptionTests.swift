import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country

private struct Bench {
  private let store: AtlasStore
  let context: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    context = store.context()
    let filler = store.context("filler")
    try filler.performAndWait {
      let peru = filler.insertCountry("Peru")
      let old = filler.insertTag("old")
      for (size, name) in ["Arica", "Lima", "Tacna"].enumerated() {
        _ = filler.insertCity(name, size: Int64(size), in: peru, tags: [old])
      }
      try filler.save()
    }
  }

  func request(_ paths: PredicatePath...) -> FetchRequest {
    var request = FetchRequest(Atlas.city, sortedBy: [City.name.ascending])
    request.relationshipKeyPathsForPrefetching = paths
    return request
  }

  func city(_ name: String) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest(Atlas.city, where: City.name == name)).first)
  }
}

@Suite("What holds prefetched objects") struct PrefetchedObjectTests {
  // Semantics 102
  @Test func `objects prefetched for a new object are released with it after its save`() throws {
    let bench = try Bench()
    let context = bench.context
    func saveNewCity() throws {
      let peru = try #require(try context.fetch(FetchRequest(Atlas.country)).first)
      _ = context.insertCity("Puno", in: peru)
      #expect(try context.fetch(bench.request(City.country.path)).count == 4)
      try context.save()
    }
    try context.performAndWait {
      try saveNewCity()
      for _ in 0..<2 { _ = try context.fetchIDs(FetchRequest(Atlas.tag)) }
      #expect(context.registeredObjects.isEmpty)
    }
  }

  // Semantics 102
  @Test func `prefetching another relationship keeps what the first one's prefetch read`() throws {
    let bench = try Bench()
    let context = bench.context
    try context.performAndWait {
      let cities = try context.fetch(bench.request(City.country.path))
      #expect(try context.fetch(bench.request(City.tags.path)) == cities)
      _ = try context.fetchIDs(FetchRequest(Atlas.tag))
      let recorder = CountingRecorder()
      let names = recorder.watch { cities.map { $0[City.country]?[Country.name] } }
      #expect(names == ["Peru", "Peru", "Peru"])
      #expect(recorder[.statements] == 0)
    }
  }
}

@Suite("Batches with pending changes") struct PendingBatchTests {
  // Semantics 92, 98
  @Test func `batches are sorted with the objects inserted, changed and deleted here`() throws {
    let bench = try Bench()
    let context = bench.context
    try context.performAndWait { () throws in
      _ = context.insertCity("Callao")
      try bench.city("Arica")[City.name] = "Zorritos"
      context.delete(try bench.city("Tacna"))
      var request = bench.request()
      request.batchSize = 2
      let cities = try context.fetchInBatches(request)
      #expect(cities.map { $0[City.name] } == ["Callao", "Lima", "Zorritos"])
      #expect(Array(cities) == (try context.fetch(request)))
      request.limit = 1
      #expect(try context.fetchInBatches(request).map { $0[City.name] } == ["Callao"])
    }
  }

  // Semantics 98
  @Test func `changes of another entity leave the batches as they are`() throws {
    let bench = try Bench()
    let context = bench.context
    try context.performAndWait { () throws in
      _ = context.insertCountry("Chad")
      var request = bench.request()
      request.batchSize = 2
      let recorder = CountingRecorder()
      let cities = try recorder.watch { try context.fetchInBatches(request) }
      #expect(cities.batchSize == 2)
      recorder.watch { #expect(cities[0][City.name] == "Arica") }
      #expect(recorder[.statements] == 2)
    }
  }
}

@Suite("A child's objects without property values") struct ChildFaultTests {
  private func request(_ bench: Bench, returnsFaults: Bool) -> FetchRequest {
    var request = bench.request()
    request.includesPropertyValues = false
    request.returnsObjectsAsFaults = returnsFaults
    return request
  }

  // Semantics 48
  @Test(arguments: [true, false])
  func `they are faults that read their rows, also those registered before`(
    returnsFaults: Bool
  ) throws {
    let bench = try Bench()
    let child = bench.context.child()
    try child.performAndWait {
      let lima = try #require(
        try child.fetch(FetchRequest(Atlas.city, where: City.name == "Lima")).first)
      let cities = try child.fetch(request(bench, returnsFaults: returnsFaults))
      #expect(cities.allSatisfy { $0.isFault })
      #expect(cities.contains(lima))
      #expect(cities.map { $0[City.size] } == [0, 1, 2])
      #expect(lima[City.tags].count == 1)
    }
  }

  // Semantics 22, 48
  @Test(arguments: [true, false])
  func `they are faults that show what the parent has not saved`(returnsFaults: Bool) throws {
    let bench = try Bench()
    let child = bench.context.child()
    try bench.context.performAndWait { try bench.city("Lima")[City.size] = 9 }
    try child.performAndWait {
      let cities = try child.fetch(request(bench, returnsFaults: returnsFaults))
      #expect(cities.allSatisfy { $0.isFault })
      #expect(cities.map { $0[City.size] } == [0, 9, 2])
    }
  }

  // Semantics 15, 48
  @Test(arguments: [true, false])
  func `an asynchronous fetch returns such faults too`(returnsFaults: Bool) async throws {
    let bench = try Bench()
    let child = bench.context.child()
    let fetch = request(bench, returnsFaults: returnsFaults)
    let sizes: [Int64?] = try await withCheckedThrowingContinuation { continuation in
      child.performAndWait {
        _ = child.fetchAsynchronously(fetch) { result in
          continuation.resume(
            with: result.map { cities in cities.map { $0.isFault ? $0[City.size] : nil } })
        }
      }
    }
    #expect(sizes == [0, 1, 2])
    withExtendedLifetime(bench) {}
  }
}
