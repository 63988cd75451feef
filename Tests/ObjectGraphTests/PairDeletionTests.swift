import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Pairs of deleted objects") struct PairDeletionTests {
  // Semantics 104
  @Test(arguments: [true, false])
  func `an object related and deleted in one event leaves no pair`(relatedFirst: Bool) throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      let tag = context.insertTag("old")
      let city = context.insertCity("Cusco")
      try context.save()
      if relatedFirst { city.add(tag, to: Atlas.City.tags) }
      context.delete(tag)
      if !relatedFirst { city.add(tag, to: Atlas.City.tags) }
      try context.save()
    }
    let other = store.context("other")
    try other.performAndWait {
      let city = try #require(other.fetch(FetchRequest(Atlas.city)).first)
      #expect(city[Atlas.City.tags].isEmpty)
    }
  }
}
