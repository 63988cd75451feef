import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country

private func filled() throws -> AtlasStore {
  let store = try AtlasStore()
  let filler = store.context("filler")
  try filler.saving {
    let countries = [filler.insertCountry("Chad", area: 1), filler.insertCountry("Peru", area: 2)]
    for number in 0..<10 {
      let size: Int64? = number == 9 ? nil : Int64(number)
      _ = filler.insertCity("city \(number)", size: size, in: countries[number % 2])
    }
  }
  return store
}

@Suite("Fetching in batches") struct FetchedBatchesTests {
  private let store: AtlasStore
  private let context: ManagedObjectContext

  init() throws {
    store = try filled()
    context = store.context()
  }

  private func request(batchSize: Int) -> FetchRequest {
    var request = FetchRequest(Atlas.city, sortedBy: [City.name.ascending])
    request.batchSize = batchSize
    return request
  }

  // Semantics 98
  @Test func `all IDs are known at once, and rows are read in batches on access`() throws {
    try context.performAndWait {
      let recorder = CountingRecorder()
      let cities = try recorder.watch { try context.fetchInBatches(request(batchSize: 4)) }
      #expect(cities.count == 10)
      #expect(recorder[.statements] == 1)
      #expect(context.registeredObjects.isEmpty)
      recorder.watch {
        #expect(cities[5][City.name] == "city 5")
        #expect(cities[7][City.name] == "city 7")
      }
      #expect(recorder[.statements] == 2)
      #expect(context.registeredObjects.count == 4)
      recorder.watch { #expect(cities[9][City.name] == "city 9") }
      #expect(recorder[.statements] == 3)
      #expect(recorder[.rowsRead] == 10 + 4 + 2)
    }
  }

  // Semantics 98
  @Test func `copying the result into an array reads everything`() throws {
    try context.performAndWait {
      let recorder = CountingRecorder()
      let cities = try recorder.watch { Array(try context.fetchInBatches(request(batchSize: 4))) }
      #expect(cities.count == 10)
      #expect(recorder[.statements] == 1 + 3)
    }
  }

  // Semantics 31
  @Test func `a child ignores the batch size`() throws {
    let child = context.child()
    try child.performAndWait {
      let recorder = CountingRecorder()
      let cities = try recorder.watch { try child.fetchInBatches(request(batchSize: 4)) }
      #expect(child.registeredObjects.count == 10)
      #expect(recorder[.statements] == 1)
      #expect(recorder[.rowsRead] == 10)
      #expect(cities[9][City.name] == "city 9")
    }
  }

  // Semantics 98
  @Test func `new and deleted objects keep their positions`() throws {
    try context.performAndWait {
      let new = context.insertCity("new")
      let first = try #require(
        try context.fetch(FetchRequest(Atlas.city, where: City.name == "city 0")).first)
      context.delete(first)
      let cities = try context.fetchInBatches(request(batchSize: 3))
      #expect(cities.count == 10)
      #expect(cities.map { $0[City.name] } == (1...9).map { "city \($0)" } + ["new"])
      #expect(cities.last === new)
    }
  }
}

@Suite("Fetching dictionaries") struct DictionaryTests {
  private let country = City.country.appending(Country.name)
  private let store: AtlasStore
  private let context: ManagedObjectContext

  init() throws {
    store = try filled()
    context = store.context()
  }

  private func rows(
    _ request: DictionaryRequest, _ configure: (inout DictionaryRequest) -> Void = { _ in }
  ) throws -> [[String: Value]] {
    var request = request
    configure(&request)
    return try context.performAndWait { try context.fetchDictionaries(request) }
  }

  // Semantics 95
  @Test func `attributes come as stored, without null ones`() throws {
    let request = DictionaryRequest(
      Atlas.city, [.value("name", City.name), .value("size", City.size), .value("in", country)],
      where: City.name.isIn(["city 8", "city 9"]))
    let found = try rows(request) {
      $0.sortTerms = [$0.result("name", as: String.self).ascending]
    }
    #expect(
      found == [
        ["name": .string("city 8"), "size": .int64(8), "in": .string("Chad")],
        ["name": .string("city 9"), "in": .string("Peru")],
      ])
  }

  // Semantics 95
  @Test func `aggregates cover groups, or all rows without groups`() throws {
    let aggregates: [DictionaryProperty] = [
      .count("cities"), .count("sizes", City.size), .sum("sum", City.size),
      .minimum("least", City.size), .maximum("last", City.name), .average("mean", City.size),
    ]
    #expect(
      try rows(DictionaryRequest(Atlas.city, aggregates)) == [
        [
          "cities": .int64(10), "sizes": .int64(9), "sum": .int64(36), "least": .int64(0),
          "last": .string("city 9"), "mean": .double(4),
        ]
      ])
    let request = DictionaryRequest(Atlas.city, [.value("in", country), .sum("sum", City.size)])
    let found = try rows(request) {
      $0.groupBy = [country.path]
      $0.sortTerms = [$0.result("sum", as: Int64?.self).descending]
    }
    #expect(
      found == [
        ["in": .string("Chad"), "sum": .int64(20)], ["in": .string("Peru"), "sum": .int64(16)],
      ])
  }

  // Semantics 95
  @Test func `a sum without values is 0, and the other aggregates are missing`() throws {
    let aggregates: [DictionaryProperty] = [
      .sum("sizes", City.size), .sum("heights", City.height), .maximum("most", City.size),
      .average("mean", City.size),
    ]
    let request = DictionaryRequest(Atlas.city, aggregates, where: City.name == "none")
    #expect(try rows(request) == [["sizes": .int64(0), "heights": .double(0)]])
  }

  // Semantics 95
  @Test func `groups that fail the condition are left out before counting`() throws {
    let request = DictionaryRequest(
      Atlas.city, [.value("name", City.name), .sum("sum", City.size)])
    let found = try rows(request) {
      $0.groupBy = [City.name.path]
      $0.having = $0.result("sum", as: Int64?.self) > 5
      $0.sortTerms = [$0.result("name", as: String.self).ascending]
      $0.limit = 2
      $0.offset = 1
    }
    #expect(found.map { $0["sum"] } == [.int64(7), .int64(8)])
  }

  // Semantics 95
  @Test func `distinct rows come once, and offset and limit apply to them`() throws {
    let request = DictionaryRequest(Atlas.city, [.value("in", country)])
    #expect(try rows(request).count == 10)
    #expect(try rows(request) { $0.returnsDistinctResults = true }.count == 2)
    let second = try rows(request) {
      $0.returnsDistinctResults = true
      $0.sortTerms = [$0.result("in", as: String?.self).ascending]
      $0.limit = 0
      $0.offset = 1
    }
    #expect(second == [["in": .string("Peru")]])
  }

  // Semantics 95
  @Test func `pending changes are ignored, in a child too`() throws {
    let child = context.child()
    let request = DictionaryRequest(Atlas.city, [.count("cities")])
    try context.performAndWait { () throws in
      _ = context.insertCity("new")
      #expect(try context.fetchDictionaries(request) == [["cities": .int64(10)]])
    }
    try child.performAndWait { () throws in
      #expect(try child.fetchDictionaries(request) == [["cities": .int64(10)]])
    }
    context.performAndWait { #expect(context.registeredObjects.count == 1) }
  }
}
