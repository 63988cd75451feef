import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("A list in sections")
struct FetchedResultsSectionTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  /// By population, then name: 10 Agra Bern · 20 Cali · 30 Dili Espoo.
  init() throws {
    store = try TestStore()
    try store.fill([
      City.values(1, "Agra", population: 10), City.values(2, "Bern", population: 10),
      City.values(3, "Cali", population: 20), City.values(4, "Dili", population: 30),
      City.values(5, "Espoo", population: 30),
    ])
    context = store.context()
  }

  private func list(
    where predicate: FetchPredicate? = nil,
    by key: SectionKey? = .attribute(City.population),
    sortedBy terms: [SortTerm] = [City.population.ascending, City.name.ascending]
  ) -> FetchedResultsController {
    FetchedResultsController(
      FetchRequest(City.entity, where: predicate, sortedBy: terms), in: context,
      sections: key)
  }

  private func names(_ list: FetchedResultsController) -> [[String]] {
    ListMirror.state(of: list).1.map { $0.map { $0[City.name] } }
  }

  // Semantics 109
  @Test func `a fetch divides the list into sections and notifies no delegate`() throws {
    try context.performAndWait {
      let list = list()
      let mirror = ListMirror(of: list)
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["10", "20", "30"])
      #expect(list.sections.map(\.count) == [2, 1, 2])
      #expect(names(list) == [["Agra", "Bern"], ["Cali"], ["Dili", "Espoo"]])
      #expect(list[ListPath(section: 2, item: 1)][City.name] == "Espoo")
      #expect(list.path(of: list[4]) == ListPath(section: 2, item: 1))
      #expect((0..<5).map { list.path(at: $0).section } == [0, 0, 1, 2, 2])
      #expect(mirror.calls.isEmpty)
    }
  }

  @Test func `a list without a section key is one section`() throws {
    try context.performAndWait {
      let list = list(by: nil)
      #expect(list.sections.map(\.range) == [0..<0])
      try list.performFetch()
      #expect(list.sections.map(\.range) == [0..<5])
      #expect(list.sections.map(\.name) == [""])
      #expect(list.path(of: list[3]) == ListPath(section: 0, item: 3))
    }
  }

  // Semantics 111
  @Test func `an event notifies in order: will change, sections, objects, did change`() throws {
    try context.performAndWait {
      let list = list()
      let mirror = try ListMirror(fetching: list)
      _ = context.insert(City.entity, values: City.values(6, "Fes", population: 15))
      _ = context.insert(City.entity, values: City.values(7, "Graz", population: 30))
      context.delete(try context.city(3))
      try context.city(2)[City.latitude] = 47
      #expect(mirror.calls.isEmpty)
      context.processPendingChanges()
      #expect(
        mirror.calls
          == ["will", "section", "section", "object", "object", "object", "object", "did"])
      #expect(mirror.frames.first?.sections == [.delete(old: 1), .insert(new: 1)])
      #expect(
        mirror.frames.first?.objects == [
          .delete(old: ListPath(section: 1, item: 0)), .insert(new: ListPath(section: 1, item: 0)),
          .insert(new: ListPath(section: 2, item: 2)), .update(old: ListPath(section: 0, item: 1)),
        ])
      #expect(mirror.names == ["10", "15", "30"])
      context.processPendingChanges()
      #expect(mirror.frames.count == 1)
    }
  }

  // Semantics 112, 114
  @Test func `a new section key moves the object, and creates or removes sections`() throws {
    try context.performAndWait {
      let list = list()
      let mirror = try ListMirror(fetching: list)
      let cali = try context.city(3)
      cali[City.population] = 30
      context.processPendingChanges()
      #expect(
        mirror.frames.last
          == .init(
            sections: [.delete(old: 1)],
            objects: [
              .move(old: ListPath(section: 1, item: 0), new: ListPath(section: 1, item: 0))
            ]))
      cali[City.population] = 25
      context.processPendingChanges()
      #expect(
        mirror.frames.last
          == .init(
            sections: [.insert(new: 1)],
            objects: [
              .move(old: ListPath(section: 1, item: 0), new: ListPath(section: 1, item: 0))
            ]))
      try context.city(1)[City.name] = "Cork"
      context.processPendingChanges()
      #expect(
        mirror.frames.last
          == .init(objects: [
            .move(old: ListPath(section: 0, item: 0), new: ListPath(section: 0, item: 1))
          ]))
      #expect(names(list) == [["Bern", "Cork"], ["Cali"], ["Dili", "Espoo"]])
    }
  }

  // Semantics 114
  @Test func `an object that leaves the predicate is deleted, and its section if empty`() throws {
    try context.performAndWait {
      let list = list(where: City.latitude < 50)
      let mirror = try ListMirror(fetching: list)
      let cali = try context.city(3)
      cali[City.latitude] = 60
      context.processPendingChanges()
      cali[City.latitude] = 40
      context.processPendingChanges()
      let place = ListPath(section: 1, item: 0)
      #expect(
        mirror.frames == [
          .init(sections: [.delete(old: 1)], objects: [.delete(old: place)]),
          .init(sections: [.insert(new: 1)], objects: [.insert(new: place)]),
        ])
    }
  }

  @Test func `computed sections may be descending and have their own names`() throws {
    try context.performAndWait {
      let key = SectionKey.computed(
        isAscending: false, name: { "class \(SectionKey.plainName($0))" }
      ) { .int64($0[City.population] / 20) }
      let list = list(by: key, sortedBy: [City.population.descending, City.name.ascending])
      let mirror = try ListMirror(fetching: list)
      #expect(list.sections.map(\.name) == ["class 1", "class 0"])
      #expect(names(list) == [["Dili", "Espoo", "Cali"], ["Agra", "Bern"]])
      try context.city(1)[City.population] = 45
      context.processPendingChanges()
      #expect(names(list) == [["Agra"], ["Dili", "Espoo", "Cali"], ["Bern"]])
      #expect(mirror.names == ["class 2", "class 1", "class 0"])
    }
  }

  @Test func `sections that the sort separates are refused with the index`() {
    context.performAndWait {
      let list = list(sortedBy: [City.name.descending])
      let error = #expect(throws: SectionsOutOfOrder.self) { try list.performFetch() }
      #expect(
        error?.description.hasPrefix(
          "the object at index 2 is in section '20' but follows section '30'; sort by") == true)
      #expect(error?.code == 134_060)
      #expect(list.count == 0)
    }
  }

  @Test(arguments: [true, false])
  func `sections against the direction of the sort are refused even if there is only one`(
    isAscending: Bool
  ) {
    context.performAndWait {
      let list = list(
        where: City.population == 20, by: .attribute(City.population, isAscending: isAscending),
        sortedBy: [SortTerm(City.population.index, isAscending: !isAscending)])
      let error = #expect(throws: SectionsReversed.self) { try list.performFetch() }
      #expect(error?.attribute == "population" && error?.isAscending == !isAscending)
      #expect(error?.description.contains("isAscending: \(!isAscending)") == true)
      #expect(error?.code == 134_060)
    }
  }

  @Test func `a list may sort by related objects and by folded text`() throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      let countries = ["Peru", "Chad"].map { context.insertCountry($0) }
      let names = ["ica", "Cusco", "Abéché", "Aba"]
      let cities = zip(names, [0, 0, 1, 1]).map { context.insertCity($0, in: countries[$1]) }
      try context.save()
      let country = Atlas.City.country.appending(Atlas.Country.name)
      let list = FetchedResultsController(
        FetchRequest(
          Atlas.city,
          sortedBy: [country.ascending, Atlas.City.name.ascending(.caseInsensitive)]),
        in: context,
        sections: .computed { .string($0[Atlas.City.country]?[Atlas.Country.name] ?? "") })
      let mirror = try ListMirror(fetching: list)
      #expect(list.fetchedObjects.map { $0[Atlas.City.name] } == ["Aba", "Abéché", "Cusco", "ica"])
      cities[0][Atlas.City.country] = countries[1]
      cities[3][Atlas.City.country] = nil
      context.processPendingChanges()
      #expect(mirror.names == ["", "Chad", "Peru"])
      #expect(mirror.objects.map(\.count) == [1, 2, 1])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  // NSNumber, description(withLocale:): `%i` for a boolean, `%0.16g` for a double.
  @Test(arguments: [
    (Value.bool(true), "1"), (.bool(false), "0"), (.double(2), "2"), (.double(-0.25), "-0.25"),
    (.double(1e20), "1e+20"), (.int64(7), "7"), (.null, ""),
  ])
  func `a section has the name that Core Data gives it`(key: Value, name: String) {
    #expect(SectionKey.plainName(key) == name)
  }

  // Semantics 101
  @Test func `a list of an entity includes objects of its subentities`() throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      _ = context.insertCity("Basel")
      _ = context.insertCity("Bergen", entity: Atlas.harbour)
      try context.save()
      let request = FetchRequest(Atlas.city, sortedBy: [Atlas.City.name.ascending])
      let list = FetchedResultsController(
        request, in: context,
        sections: .computed { .string(String($0[Atlas.City.name].prefix(1))) })
      let mirror = try ListMirror(fetching: list)
      let cadiz = context.insertCity("Cadiz", entity: Atlas.harbour)
      context.processPendingChanges()
      try #require(list[1].entity === Atlas.harbour)
      list[1][Atlas.City.name] = "Ancona"
      _ = context.insertTag("sunny")
      context.processPendingChanges()
      #expect(mirror.names == ["A", "B", "C"])
      #expect(list.fetchedObjects.map { $0[Atlas.City.name] } == ["Ancona", "Basel", "Cadiz"])
      #expect(list[2] === cadiz)

      var alone = request
      alone.includesSubentities = false
      let cities = FetchedResultsController(alone, in: context)
      try cities.performFetch()
      _ = context.insertCity("Dover", entity: Atlas.harbour)
      context.processPendingChanges()
      #expect(cities.fetchedObjects.map { $0[Atlas.City.name] } == ["Basel"])
      #expect(list.count == 4)
    }
  }
}
