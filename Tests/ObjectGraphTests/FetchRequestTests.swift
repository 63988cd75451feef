import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country
private typealias Tag = Atlas.Tag

private struct Bench {
  let store: AtlasStore
  let context: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    context = store.context()
    let filler = store.context("filler")
    try filler.performAndWait {
      let large = filler.insertTag("large")
      let old = filler.insertTag("old")
      old[Tag.parent] = large
      for (number, name) in ["Chad", "Peru"].enumerated() {
        let country = filler.insertCountry(name, area: Double(number))
        for letter in ["b", "A", "c"] {
          _ = filler.insertCity(
            letter + name, size: Int64(number + 1) * 10, in: country, tags: [old])
        }
        country[Country.capital] = country[Country.cities].min { $0[City.name] < $1[City.name] }
      }
      try filler.save()
    }
  }

  func names(_ request: FetchRequest) throws -> [String] {
    try context.fetch(request).map { $0[City.name] }
  }

  func city(_ name: String) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest(Atlas.city, where: City.name == name)).first)
  }

  func country(_ name: String) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest(Atlas.country, where: Country.name == name)).first)
  }
}

@Suite("Fetch requests") struct FetchRequestTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  // Semantics 96, 97
  @Test func `a sort order follows relationships and may ignore case`() throws {
    try bench.context.performAndWait {
      let byCountry = [
        City.country.appending(Country.name).descending, City.name.ascending(.caseInsensitive),
      ]
      var request = FetchRequest(Atlas.city, sortedBy: byCountry)
      let order = ["APeru", "bPeru", "cPeru", "AChad", "bChad", "cChad"]
      #expect(try bench.names(request) == order)
      #expect(
        try bench.names(FetchRequest(Atlas.city, sortedBy: [City.name.ascending])).first == "AChad")
      request.sortTerms.removeLast()
      request.sortTerms.append(City.name.ascending)
      #expect(try bench.names(request).prefix(3) == ["APeru", "bPeru", "cPeru"])
      // In memory, the order is the same. Of equal objects, the unsaved one is last.
      let new = bench.context.insertCity("BPeru", in: try bench.country("Peru"))
      _ = bench.context.insertCity("nowhere")
      request.sortTerms = byCountry
      #expect(
        try bench.names(request) == ["APeru", "bPeru", "BPeru", "cPeru"] + order[3...] + ["nowhere"]
      )
      bench.context.delete(new)
    }
  }

  // Semantics 97
  @Test func `offset and limit are exact on a clean context`() throws {
    try bench.context.performAndWait { () throws in
      var request = FetchRequest(Atlas.city, sortedBy: [City.name.ascending], limit: 2)
      request.offset = 1
      let recorder = CountingRecorder()
      let names = try recorder.watch { try bench.names(request) }
      #expect(names == ["APeru", "bChad"])
      #expect(recorder[.rowsRead] == 2)
      #expect(try bench.context.count(request) == 2)
      #expect(try bench.context.fetchIDs(request).count == 2)
      request.limit = 0
      request.offset = 4
      #expect(try bench.names(request) == ["cChad", "cPeru"])
      #expect(try bench.context.count(request) == 2)
      request.offset = 6
      #expect(try bench.names(request) == [])
      #expect(try bench.context.count(request) == 0)
      _ = bench.context.insertCity("Aa")
      request.offset = 1
      request.limit = 2
      #expect(try bench.names(request).count == 2)
      request.limit = 0
      #expect(try bench.names(request).count == 6)
    }
  }

  // Semantics 93
  @Test func `without pending changes stored values match, and objects show their own`() throws {
    try bench.context.performAndWait {
      let edited = try bench.city("bChad")
      edited[City.size] = 99
      let deleted = try bench.city("cChad")
      bench.context.delete(deleted)
      _ = bench.context.insertCity("new", size: 10)
      var request = FetchRequest(
        Atlas.city, where: City.size == 10, sortedBy: [City.name.ascending])
      #expect(try bench.names(request) == ["AChad", "new"])
      request.includesPendingChanges = false
      #expect(try bench.context.fetch(request).map { $0[City.size] } == [10, 99, 10])
      #expect(try bench.context.fetch(request).contains(deleted))
      #expect(try bench.context.count(request) == 3)
      #expect(try bench.context.fetchIDs(request).count == 3)
    }
  }

  // Semantics 93
  @Test func `a child's fetch without pending changes ignores its parent's`() throws {
    let child = bench.context.child()
    bench.context.performAndWait { _ = bench.context.insertCity("new") }
    try child.performAndWait { () throws in
      var request = FetchRequest(Atlas.city)
      #expect(try child.count(request) == 7)
      request.includesPendingChanges = false
      #expect(try child.count(request) == 6)
      #expect(try child.fetch(request).count == 6)
    }
  }

  // Semantics 94, 96
  @Test func `IDs and counts include pending changes, with temporary IDs for new objects`() throws {
    try bench.context.performAndWait {
      try bench.city("bChad")[City.size] = 99
      bench.context.delete(try bench.city("cChad"))
      let new = bench.context.insertCity("new", size: 10)
      let request = FetchRequest(
        Atlas.city, where: City.size == 10, sortedBy: [City.name.ascending])
      let ids = try bench.context.fetchIDs(request)
      #expect(ids == [try bench.city("AChad").objectID, new.objectID])
      #expect(ids.last?.isTemporary == true)
      #expect(try bench.context.count(request) == 2)
      #expect(try bench.context.fetch(request).map(\.objectID) == ids)
    }
  }

  // Semantics 96
  @Test func `a fetch of IDs registers nothing`() throws {
    try bench.context.performAndWait {
      let recorder = CountingRecorder()
      let ids = try recorder.watch { try bench.context.fetchIDs(FetchRequest(Atlas.city)) }
      #expect(ids.count == 6)
      #expect(recorder[.statements] == 1)
      #expect(bench.context.registeredObjects.isEmpty)
    }
  }

  // Semantics 48
  @Test func `without property values each fault reads SQLite`() throws {
    try bench.context.performAndWait {
      var request = FetchRequest(Atlas.city)
      request.includesPropertyValues = false
      let objects = try bench.context.fetch(request)
      let recorder = CountingRecorder()
      recorder.watch { for object in objects { _ = object[City.name] } }
      #expect(recorder[.faultsFired] == 6)
      #expect(recorder[.statements] == 6)
    }
  }

  // Semantics 46, 52
  @Test func `a refetched object is the same instance with its old values`() throws {
    try bench.context.performAndWait {
      let object = try bench.city("bChad")
      object.fireFault()
      let other = bench.store.context("other")
      try other.saving {
        let request = FetchRequest(Atlas.city, where: City.name == "bChad")
        try #require(try other.fetch(request).first)[City.size] = 99
      }
      var request = FetchRequest(Atlas.city, where: City.size == 99)
      request.shouldRefreshRefetchedObjects = true
      let found = try #require(try bench.context.fetch(request).first)
      #expect(found === object)
      #expect(found[City.size] == 10)
      try bench.context.refresh(object, mergeChanges: false)
      #expect(found[City.size] == 99)
    }
  }

  // Semantics 101
  @Test func `subentities are left out if the request asks for it`() throws {
    try bench.context.performAndWait {
      _ = bench.context.insertCity("Callao", entity: Atlas.harbour)
      var request = FetchRequest(Atlas.city, where: City.name.beginsWith("C"))
      #expect(try bench.names(request) == ["Callao"])
      request.includesSubentities = false
      #expect(try bench.names(request) == [])
      try bench.context.save()
      #expect(try bench.names(request) == [])
      request.includesSubentities = true
      #expect(try bench.names(request) == ["Callao"])
    }
  }
}

@Suite("Prefetching") struct PrefetchingTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  private func request(_ paths: PredicatePath...) -> FetchRequest {
    var request = FetchRequest(Atlas.city, sortedBy: [City.name.ascending])
    request.relationshipKeyPathsForPrefetching = paths
    return request
  }

  // Semantics 102
  @Test func `prefetching reads to-one relationships by one query per step`() throws {
    try bench.context.performAndWait {
      let recorder = CountingRecorder()
      let capital = City.country.appending(Country.capital)
      let cities = try recorder.watch { try bench.context.fetch(request(capital.path)) }
      #expect(recorder[.statements] == 3)
      let names = recorder.watch {
        cities.map { city in
          city[City.country]?[Country.capital]?[City.name] ?? ""
        }
      }
      #expect(names == ["AChad", "APeru", "AChad", "APeru", "AChad", "APeru"])
      #expect(recorder[.statements] == 3)
    }
  }

  // Semantics 102
  @Test func `prefetching reads to-many relationships by two queries, for pairs and rows`() throws {
    try bench.context.performAndWait {
      let recorder = CountingRecorder()
      var fetch = FetchRequest(Atlas.country)
      fetch.relationshipKeyPathsForPrefetching = [
        Country.cities.path.appending(City.tags)
      ]
      let countries = try recorder.watch { try bench.context.fetch(fetch) }
      #expect(recorder[.statements] == 5)
      let tags = recorder.watch {
        countries.flatMap { $0[Country.cities] }.flatMap { $0[City.tags] }.map { $0[Tag.name] }
      }
      #expect(tags == ["old", "old", "old", "old", "old", "old"])
      #expect(recorder[.statements] == 5)
    }
  }

  // Semantics 102
  @Test func `prefetched objects are released with the objects they were fetched for`() throws {
    try bench.context.performAndWait {
      var cities = try bench.context.fetch(request(City.country.path))
      #expect(bench.context.registeredObjects.count == 8)
      #expect(cities.count == 6)
      cities = []
      _ = try bench.context.count(FetchRequest(Atlas.tag))
      _ = try bench.context.fetch(FetchRequest(Atlas.tag))
      #expect(bench.context.registeredObjects.allSatisfy { $0.entity !== Atlas.country })
    }
  }

  // Semantics 32
  @Test func `a child does not prefetch`() throws {
    let child = bench.context.child()
    try child.performAndWait {
      let recorder = CountingRecorder()
      try recorder.watch { _ = try child.fetch(request(City.country.path)) }
      #expect(recorder[.statements] == 1)
    }
  }
}
