import ObjectGraph
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country

// The parent's save makes the IDs of a child's new objects permanent. The child adopts them at its
// next visit, which may be in the middle of a fetch or of an event of a list:
//
//   child   insert Chad ─ save ─── insert Faya in Chad ──────────── fetch "country == Chad"
//   root                    └─ save: Chad's ID is permanent             └─ visit: adopted here

@Suite("IDs that become permanent meanwhile") struct AdoptedIDTests {
  private let store: AtlasStore
  private let root: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    root = store.context("root")
    child = root.child()
  }

  // Semantics 41, 92
  @Test func `a fetch finds a pending object by an ID that it adopts`() throws {
    try child.performAndWait {
      for count in [
        { try $0.fetch($1).count }, { try $0.fetchIDs($1).count }, { try $0.count($1) },
      ]
        as [(ManagedObjectContext, FetchRequest) throws -> Int]
      {
        let chad = child.insertCountry("Chad")
        try child.save()
        _ = child.insertCity("Faya", in: chad)
        let request = FetchRequest(Atlas.city, where: City.country == chad)
        try root.performAndWait { try root.save() }
        #expect(try count(child, request) == 1)
      }
    }
  }

  // Semantics 112
  @Test func `a list keeps an object whose fault brings the ID of its country`() throws {
    try child.performAndWait {
      let chad = child.insertCountry("Chad")
      let faya = child.insertCity("Faya", in: chad)
      try child.save()
      let list = FetchedResultsController(
        FetchRequest(
          Atlas.city, where: City.country == chad, sortedBy: [City.name.ascending]), in: child)
      try list.performFetch()
      try root.performAndWait { try root.save() }
      try child.refresh(faya, mergeChanges: false)
      child.processPendingChanges()
      #expect(list.fetchedObjects == [faya])
    }
  }

  // Semantics 99
  @Test func `an object matches a predicate that names it before its save`() throws {
    try root.performAndWait {
      let chad = root.insertCountry("Chad")
      let city = root.insertCity("Faya", in: chad)
      let predicates = [City.country == chad, .isSelf(city.objectID)]
      for predicate in predicates { #expect(predicate.matches(city)) }
      try root.save()
      for predicate in predicates { #expect(predicate.matches(city)) }
    }
  }

  // Semantics 111
  @Test func `a country stays one section after its save, in a list sorted by its name`() throws {
    try root.performAndWait {
      let chad = root.insertCountry("Chad")
      _ = root.insertCity("Faya", in: chad)
      let list = FetchedResultsController(
        FetchRequest(
          Atlas.city,
          sortedBy: [City.country.appending(Country.name).ascending, City.name.ascending]),
        in: root, sections: .column(City.country.index))
      try list.performFetch()
      try root.save()
      _ = root.insertCity("Zouar", in: chad)
      root.processPendingChanges()
      #expect(list.sections.map(\.count) == [2])
    }
  }
}
