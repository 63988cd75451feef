import ObjectGraph
import Queues
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country

// Rows of another store of the same model have the same keys:
//
//   here    City 1 "Agra"   in Country 1 "India"
//   there   City 1 "Ulm"    in Country 1 "Germany"
//
// Core Data finds no object for such an ID (133000): github.com/RestKit/RestKit/issues/1416

@Suite("IDs of another store") struct OtherStoreTests {
  private let here: AtlasStore
  private let there: AtlasStore
  private let context: ManagedObjectContext
  private let mine: [ManagedObjectID]
  private let foreign: [ManagedObjectID]

  init() throws {
    here = try AtlasStore()
    there = try AtlasStore()
    context = here.context()
    mine = try Self.fill(here, city: "Agra", country: "India")
    foreign = try Self.fill(there, city: "Ulm", country: "Germany")
  }

  private static func fill(
    _ store: AtlasStore, city: String, country: String
  ) throws -> [ManagedObjectID] {
    let context = store.context("filler")
    return try context.performAndWait {
      let tag = context.insertTag("old")
      let country = context.insertCountry(country)
      let city = context.insertCity(city, in: country, tags: [tag])
      try context.save()
      return [city, country, tag].map(\.objectID)
    }
  }

  // Semantics 43
  @Test func `such an object does not exist here`() throws {
    context.performAndWait {
      let error = #expect(throws: ObjectNotFound.self) {
        try context.existingObject(with: foreign[0])
      }
      #expect(error?.code == 133_000)
      #expect("\(error.map { "\($0)" } ?? "")".contains("another store"))
      #expect(context.registeredObject(for: foreign[0]) == nil)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  // Semantics 43
  @Test func `such an object does not exist for a child`() throws {
    let child = context.child()
    _ = child.performAndWait {
      #expect(throws: ObjectNotFound.self) { try child.existingObject(with: foreign[0]) }
    }
  }

  // Semantics 43
  @Test func `a registered object is no object of the same key in another store`() throws {
    try context.performAndWait {
      let city = try context.existingObject(with: mine[0])
      #expect(throws: ObjectNotFound.self) { try context.existingObject(with: foreign[0]) }
      #expect(context.registeredObjects == [city])
    }
  }

  // Semantics 43
  @Test func `asking for an object without checking stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let suite = try OtherStoreTests()
      suite.context.performAndWait { _ = suite.context.object(with: suite.foreign[0]) }
    }
  }

  // Semantics 99
  @Test func `no predicate finds a row by the key of another store's object`() throws {
    let (city, country, tag) = (foreign[0], foreign[1], foreign[2])
    let both = [mine[0], city]
    let tests: [(FetchPredicate, Int)] = [
      (.isSelf(city), 0), (.not(.isSelf(city)), 1), (.isSelf(in: [city]), 0),
      (.not(.isSelf(in: [city])), 1), (.isSelf(in: both), 1),
      (City.country == country, 0), (City.country != country, 1),
      (City.country.isIn([country]), 0), (.not(City.country.isIn([country])), 1),
      (City.tags.contains(tag), 0), (City.tags.any(.isSelf(in: [tag])), 0),
      (City.tags.none(.isSelf(tag)), 1), (City.tags.all(.isSelf(tag)), 0),
      (City.country.appending(Country.cities).contains(city), 0),
      (City.tags.count(where: .isSelf(tag)) == 0, 1),
      (try FetchPredicate(format: "SELF == %@", Atlas.city, in: Atlas.model, city), 0),
      (try FetchPredicate(format: "SELF IN %@", Atlas.city, in: Atlas.model, both), 1),
      (try FetchPredicate(format: "ANY tags == %@", Atlas.city, in: Atlas.model, tag), 0),
      (try FetchPredicate(format: "country == %@", Atlas.city, in: Atlas.model, country), 0),
    ]
    try context.performAndWait {
      let agra = try context.existingObject(with: mine[0])
      for (predicate, expected) in tests {
        let request = FetchRequest(Atlas.city, where: predicate)
        #expect(try context.fetch(request).count == expected, "\(predicate)")
        #expect(try context.count(request) == expected, "\(predicate)")
        #expect(try context.fetchIDs(request).count == expected, "\(predicate)")
        #expect(predicate.matches(agra) == (expected == 1), "\(predicate)")
      }
    }
  }

  // Semantics 99
  @Test func `a long list of such objects finds nothing`() throws {
    let other = there.context()
    let ids = try other.performAndWait {
      let cities = (0..<5000).map { other.insertCity("\($0)") }
      try other.save()
      return cities.map(\.objectID)
    }
    try context.performAndWait {
      let none = try context.fetch(FetchRequest(Atlas.city, where: .isSelf(in: ids)))
      #expect(none == [])
      let both = FetchRequest(Atlas.city, where: .isSelf(in: ids + [mine[0]]))
      #expect(try context.fetch(both).map(\.objectID) == [mine[0]])
    }
  }

  // Semantics 119, 120
  @Test func `batch requests change no row of the same key`() throws {
    try context.performAndWait { () throws in
      let update = BatchRequest.update(
        Atlas.city, where: .isSelf(foreign[0]), set: ["name": .string("wrong")])
      #expect(try context.execute(update).count == 0)
      #expect(try context.execute(.delete(Atlas.city, objects: [foreign[0]])).count == 0)
      let request = FetchRequest(Atlas.city, where: .isSelf(foreign[0]))
      #expect(try context.execute(.delete(request)).count == 0)
      #expect(try context.existingObject(with: mine[0])[City.name] == "Agra")
    }
  }

  // Semantics 90
  @Test func `a merge skips another store's objects`() throws {
    try context.performAndWait {
      let agra = try context.existingObject(with: mine[0])
      let told = Heard(0)
      _ = context.observeObjectsDidChange { _ in told.value += 1 }
      let other = there.context()
      let save = try other.saving {
        try other.existingObject(with: foreign[0])[City.name] = "Bonn"
        _ = other.insertCity("Jena")
      }
      try context.mergeChanges(fromContextDidSave: save)
      try context.mergeChanges(
        fromRemoteContextSave: .init(updated: [foreign[0]], deleted: [foreign[0]]))
      #expect(told.value == 0 && !agra.isDeleted && context.registeredObjects == [agra])
    }
  }

  @Test func `relating an object of another store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let suite = try OtherStoreTests()
      try suite.context.performAndWait {
        let city = try suite.context.existingObject(with: suite.mine[0])
        city[City.country.index] = .object(suite.foreign[1])
      }
    }
  }

  // Semantics 119
  @Test func `a batch update to an object of another store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let suite = try OtherStoreTests()
      try suite.context.performAndWait {
        let update = BatchRequest.update(Atlas.city, set: ["country": .object(suite.foreign[1])])
        try suite.context.execute(update)
      }
    }
  }

  @Test func `a coordinator has no URI for another store's object`() {
    #expect(here.coordinator.uriRepresentation(of: mine[0]) != nil)
    #expect(here.coordinator.uriRepresentation(of: foreign[0]) == nil)
  }
}
