import ObjectGraph
import Queues
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country

@Suite("Objects in predicates") struct PredicateObjectTests {
  private let store: AtlasStore
  private let root: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    root = store.context("root")
  }

  private func count(_ predicate: FetchPredicate, in context: ManagedObjectContext) throws -> Int {
    try context.fetch(FetchRequest(Atlas.city, where: predicate)).count
  }

  // Semantics 22, 99
  @Test func `a predicate finds an unsaved object here, and once saved in the parent`() throws {
    let child = root.child()
    try child.performAndWait {
      let chad = child.insertCountry("Chad")
      let city = child.insertCity("Abéché", in: chad)
      let predicates = [
        City.country == chad, City.country.isIn([chad.objectID]), .isSelf(city.objectID),
        City.country.appending(Country.cities).contains(city.objectID),
      ]
      for predicate in predicates { #expect(try count(predicate, in: child) == 1) }
      try child.save()
      for predicate in predicates { #expect(try count(predicate, in: child) == 1) }
      // The child still has their temporary IDs.
      try root.performAndWait { try root.save() }
      for predicate in predicates {
        #expect(try count(predicate, in: child) == 1)
        try root.performAndWait { () throws in
          #expect(try count(predicate, in: root) == 1)
          #expect(try root.count(FetchRequest(Atlas.city, where: predicate)) == 1)
        }
      }
    }
  }

  // Semantics 46, 49
  @Test func `a relationship leads to the registered instance, without SQL`() throws {
    try root.saving {
      let chad = root.insertCountry("Chad")
      _ = root.insertCity("Abéché", in: chad)
    }
    let (context, other) = (store.context(), store.context())
    try context.performAndWait {
      let city = try #require(try context.fetch(FetchRequest(Atlas.city)).first)
      let chad = try #require(try context.fetch(FetchRequest(Atlas.country)).first)
      let recorder = CountingRecorder()
      recorder.watch {
        #expect(city[City.country] === chad)
        #expect(chad[Country.name] == "Chad")
      }
      #expect(recorder[.statements] == 0)
      #expect(chad[Country.cities] == [city])
      try other.performAndWait {
        let theirs = try #require(try other.fetch(FetchRequest(Atlas.city)).first)
        #expect(theirs.objectID == city.objectID)
        #expect(theirs !== city)
      }
    }
  }
}
