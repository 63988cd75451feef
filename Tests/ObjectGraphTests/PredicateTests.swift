import Foundation
import ObjectGraph
import Queues
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country
private typealias Tag = Atlas.Tag

@Suite("Predicates") struct PredicateTests {
  private let store: AtlasStore
  private let context: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    context = store.context()
    try context.performAndWait {
      let chad = context.insertCountry("Chad", area: 1_284_000)
      let peru = context.insertCountry("Peru", area: 1_285_216)
      _ = context.insertCountry("Nauru")
      chad.add(peru, to: Country.allies)
      let old = context.insertTag("old", weight: 3)
      let wet = context.insertTag("wet", weight: 1)
      wet[Tag.parent] = old
      let cities = [
        context.insertCity("Abéché", size: 76_000, in: chad, tags: [old]),
        context.insertCity("Moundou", size: 137_000, in: chad),
        context.insertCity(
          "Callao", size: 993_000, in: peru, tags: [old, wet], entity: Atlas.harbour),
        context.insertCity("Cusco", in: peru, tags: [wet]),
        context.insertCity("Atlantis", tags: [wet]),
      ]
      cities[2][City.motto] = "Callao"
      cities[2][City.isPort] = true
      cities[3][City.motto] = "cusco*"
      cities[3][City.height] = 3399.5
      peru[Country.capital] = cities[2]
      try context.save()
    }
  }

  /// Fails if SQLite and memory disagree.
  private func names(
    _ entity: Entity, _ predicate: FetchPredicate, at location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let clean = store.context("clean")
    return try clean.performAndWait {
      func name(_ object: ManagedObject) -> String { String(object[0]) }
      let stored = try clean.fetch(FetchRequest(entity, where: predicate)).map(name).sorted()
      let inMemory = try clean.fetch(FetchRequest(entity)).filter(predicate.matches).map(name)
      #expect(stored == inMemory.sorted(), sourceLocation: location)
      let count = try clean.count(FetchRequest(entity, where: predicate))
      #expect(count == stored.count, sourceLocation: location)
      return stored
    }
  }

  private func cities(
    _ predicate: FetchPredicate, at location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try names(Atlas.city, predicate, at: location)
  }

  private func countries(
    _ predicate: FetchPredicate, at location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try names(Atlas.country, predicate, at: location)
  }

  // Semantics 99
  @Test func `text is found at the start, at the end and inside`() throws {
    #expect(try cities(City.name.beginsWith("C")) == ["Callao", "Cusco"])
    #expect(try cities(City.name.beginsWith("c")) == [])
    #expect(try cities(City.name.beginsWith("ABE", .caseInsensitive)) == [])
    #expect(
      try cities(City.name.beginsWith("ABE", [.caseInsensitive, .diacriticInsensitive]))
        == ["Abéché"])
    #expect(try cities(City.name.endsWith("o")) == ["Callao", "Cusco"])
    #expect(try cities(City.name.contains("un")) == ["Moundou"])
    #expect(try cities(!City.motto.contains("a")) == ["Abéché", "Atlantis", "Cusco", "Moundou"])
    #expect(try cities(City.motto.contains("")) == ["Callao", "Cusco"])
    #expect(try cities(!City.name.beginsWith("A")) == ["Callao", "Cusco", "Moundou"])
  }

  // Semantics 99
  @Test func `LIKE has wildcards and MATCHES takes the whole text`() throws {
    #expect(try cities(City.name.like("C*o")) == ["Callao", "Cusco"])
    #expect(try cities(City.name.like("C?sc?")) == ["Cusco"])
    #expect(try cities(City.motto.like("cusco\\*")) == ["Cusco"])
    #expect(try cities(City.motto.like("call\\*")) == [])
    #expect(try cities(City.name.like("ab?ch?", .caseInsensitive)) == ["Abéché"])
    #expect(try cities(City.name.matches("[AC].*o?")) == ["Abéché", "Atlantis", "Callao", "Cusco"])
    #expect(try cities(City.name.matches("Cal")) == [])
    #expect(try cities(City.name.matches("Cal|Callao")) == ["Callao"])
    #expect(try cities(City.name.matches("CUS\\S+", .caseInsensitive)) == ["Cusco"])
  }

  // Semantics 99
  @Test func `a range includes its ends, and a list does not contain null`() throws {
    #expect(try cities(City.size.isBetween(76_000...137_000)) == ["Abéché", "Moundou"])
    #expect(try cities(City.size.isIn([76_000, nil])) == ["Abéché"])
    #expect(try cities(!City.size.isIn([76_000, nil])).count == 4)
    #expect(try cities(City.name.isIn(["CUSCO", "abeche"], [.caseInsensitive])) == ["Cusco"])
    #expect(try cities(City.size == nil) == ["Atlantis", "Cusco"])
  }

  // Semantics 99
  @Test func `a key path is null where a relationship is empty`() throws {
    let name = City.country.appending(Country.name)
    #expect(try cities(name == "Chad") == ["Abéché", "Moundou"])
    #expect(try cities(name != "Chad") == ["Atlantis", "Callao", "Cusco"])
    #expect(try cities(!(name > "Chad")) == ["Abéché", "Atlantis", "Moundou"])
    #expect(try cities(City.country == nil) == ["Atlantis"])
    #expect(try cities(City.country.appending(Country.capital) == nil).count == 3)
    let capital = City.country.appending(Country.capital).appending(City.name)
    #expect(try cities(capital == "Callao") == ["Callao", "Cusco"])
    #expect(try cities(City.name == City.motto) == ["Callao"])
    #expect(try cities(City.name.beginsWith("X") || capital == City.name) == ["Callao"])
    #expect(try cities(City.size < City.country.appending(Country.area)).count == 3)
  }

  // Semantics 99
  @Test func `objects are compared by identity, and an unsaved one matches no row`() throws {
    let chad = try context.performAndWait {
      try #require(context.fetch(FetchRequest(Atlas.country, where: Country.name == "Chad")).first)
        .objectID
    }
    let unsaved = context.performAndWait { context.insertCountry("Oz").objectID }
    #expect(try cities(City.country == chad) == ["Abéché", "Moundou"])
    #expect(try cities(City.country != chad) == ["Atlantis", "Callao", "Cusco"])
    #expect(try cities(City.country == unsaved) == [])
    #expect(try cities(City.country.isIn([chad, unsaved])) == ["Abéché", "Moundou"])
    #expect(try countries(.isSelf(in: [chad, unsaved])) == ["Chad"])
    #expect(try countries(!.isSelf(chad)) == ["Nauru", "Peru"])
    #expect(try countries(Country.allies.contains(chad)) == ["Peru"])
    // A city has the same key.
    #expect(try cities(.isSelf(chad)) == [])
    #expect(try cities(.isSelf(in: [chad])) == [])
  }

  // Semantics 100
  @Test func `ANY, ALL and NONE test the objects of a to-many relationship`() throws {
    let large = City.size > 100_000
    #expect(try countries(Country.cities.any(large)) == ["Chad", "Peru"])
    #expect(try countries(Country.cities.all(large)) == ["Nauru"])
    #expect(try countries(Country.cities.none(large)) == ["Nauru"])
    #expect(try cities(City.tags.any(Tag.name == "old")) == ["Abéché", "Callao"])
    #expect(try cities(!City.tags.any(Tag.name == "old")).count == 3)
    let tagged = City.tags.any(Tag.parent.appending(Tag.name) == "old")
    #expect(try countries(Country.cities.any(tagged)) == ["Peru"])
    #expect(
      try cities(City.country.appending(Country.allies).any(Country.name == "Peru")).count == 2)
  }

  // Semantics 100
  @Test func `a count covers all objects or the matching ones`() throws {
    #expect(try countries(Country.cities.count == 2) == ["Chad", "Peru"])
    #expect(try countries(Country.cities.count > 0) == ["Chad", "Peru"])
    #expect(try countries(Country.cities.count == 0) == ["Nauru"])
    #expect(try cities(City.tags.count >= 2) == ["Callao"])
    let tagged = Country.cities.count(where: City.tags.count(where: Tag.weight > 2) == 1)
    #expect(try countries(tagged == 1) == ["Chad", "Peru"])
    #expect(try countries(tagged < 1) == ["Nauru"])
  }

  // Semantics 99, 100
  @Test func `a subentity's rows are tested like those of its parent`() throws {
    #expect(try names(Atlas.harbour, City.tags.count == 2) == ["Callao"])
    #expect(try names(Atlas.harbour, Atlas.depth == nil && City.name.beginsWith("C")) == ["Callao"])
  }

  // Semantics 92
  @Test func `pending changes of relationships add and remove matches`() throws {
    try context.performAndWait {
      func find(_ entity: Entity, _ predicate: FetchPredicate) throws -> [String] {
        try context.fetch(FetchRequest(entity, where: predicate)).map { String($0[0]) }.sorted()
      }
      let peru = try #require(
        try context.fetch(FetchRequest(Atlas.country, where: Country.name == "Peru")).first)
      let moundou = try #require(
        try context.fetch(FetchRequest(Atlas.city, where: City.name == "Moundou")).first)
      moundou[City.country] = peru
      let name = City.country.appending(Country.name)
      #expect(try find(Atlas.city, name == "Peru") == ["Callao", "Cusco", "Moundou"])
      #expect(try find(Atlas.city, name == "Chad") == ["Abéché"])
      #expect(try find(Atlas.country, Country.cities.count == 3) == ["Peru"])
      // Semantics 101
      _ = context.insertCity("Pisco", in: peru, entity: Atlas.harbour)
      #expect(try find(Atlas.city, name == "Peru").count == 4)
      #expect(try find(Atlas.harbour, name == "Peru") == ["Callao", "Pisco"])
    }
  }
}
