import Foundation
import ObjectGraph
import TestSupport
import Testing

// "If this key path is not the same as that specified by the first sort descriptor in the fetch
// request, they must generate the same relative orderings":
// developer.apple.com/documentation/coredata/nsfetchedresultscontroller

@Suite("The order of sections") struct SectionOrderTests {
  private func store(_ names: String...) throws -> TestStore {
    let store = try TestStore()
    try store.fill(names.enumerated().map { City.values(Int64($0), $1) })
    return store
  }

  // Semantics 109
  @Test(arguments: [
    City.name.ascending(.caseInsensitive), City.name.ascending.localized(),
    City.name.ascending.localized(.localizedCaseInsensitive),
  ])
  func `sections by the attribute of the first term are in its order`(term: SortTerm) throws {
    let store = try store("apple", "cherry")
    let context = store.context()
    try context.performAndWait {
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [term]), in: context, sections: .attribute(City.name))
      try list.performFetch()
      _ = context.insert(City.entity, values: City.values(9, "Banana"))
      context.processPendingChanges()
      #expect(list.names == ["apple", "Banana", "cherry"])
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["apple", "Banana", "cherry"])
    }
  }

  // Semantics 109
  @Test(arguments: [
    City.name.ascending.localized(),
    City.name.ascending([.caseInsensitive, .diacriticInsensitive]),
  ])
  func `computed sections are in the order of the first term`(term: SortTerm) throws {
    let store = try store("Émile", "Fes", "dover")
    let context = store.context()
    try context.performAndWait {
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [term]), in: context,
        sections: .computed { .string(String($0[City.name].prefix(1))) })
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["d", "É", "F"])
      _ = context.insert(City.entity, values: City.values(9, "ahlen"))
      context.processPendingChanges()
      #expect(list.sections.map(\.name) == ["a", "d", "É", "F"])
    }
  }

  // Semantics 99
  @Test func `addresses sort as readers expect, whether they are stored or pending`() throws {
    typealias City = Atlas.City
    let store = try AtlasStore()
    let context = store.context()
    func addresses() throws -> [String?] {
      try context.fetch(
        FetchRequest(Atlas.city, sortedBy: [City.site.ascending.localized()])
      ).map { $0[City.site]?.path() }
    }
    try context.performAndWait {
      for path in ["/B", "/a", "/c"] {
        context.insertCity(path)[City.site] = URL(string: "https://example.com\(path)")
      }
      #expect(try addresses() == ["/a", "/B", "/c"])
      try context.save()
      #expect(try addresses() == ["/a", "/B", "/c"])
    }
  }
}
