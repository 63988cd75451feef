import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Lists of unsaved objects")
struct ListIdentityTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try .ofThreeCities()
    context = store.context()
  }

  // Semantics 77, 92, 110: the fetch lists the pending insert. A deleted one "never was", so the
  // list drops it.
  @Test func `a new object that is listed and deleted in one event leaves the list`() throws {
    try context.performAndWait {
      let new = context.insert(City.entity, values: City.values(4, "Brno", population: 99))
      let list = context.listOfCities()
      try list.performFetch()
      #expect(list.names == ["Agra", "Bern", "Brno", "Cali"])
      let mirror = ListMirror(of: list)
      context.delete(new)
      context.processPendingChanges()
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
      #expect(mirror.objects == [list.fetchedObjects])
      #expect(list.path(of: new) == nil)
    }
  }

  // Semantics 77, 79: a rollback forgets inserts.
  @Test func `a new object that is listed and rolled back in one event leaves the list`() throws {
    try context.performAndWait {
      _ = context.insert(City.entity, values: City.values(4, "Brno"))
      let list = context.listOfCities()
      try list.performFetch()
      #expect(list.count == 4)
      let mirror = ListMirror(of: list)
      context.rollback()
      #expect(list.names == ["Agra", "Bern", "Cali"])
      #expect(mirror.frames == [.init(objects: [.delete(old: .init(item: 2))])])
    }
  }

  // Semantics 77, 111: the section goes with its only object.
  @Test func `the section of a new object that is deleted in its first event goes too`() throws {
    try context.performAndWait {
      let new = context.insert(City.entity, values: City.values(4, "Brno", population: 15))
      let list = context.listOfCities(
        sortedBy: [City.population.ascending, City.name.ascending], by: .attribute(City.population))
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["10", "15", "20", "30"])
      let mirror = ListMirror(of: list)
      context.delete(new)
      try context.save()
      #expect(list.sections.map(\.name) == ["10", "20", "30"])
      #expect(mirror.names == ["10", "20", "30"])
    }
  }

  // Semantics 38, 92, 114, NSManagedObjectID: saving changes the ID of an object named by a
  // predicate. The context's own fetch follows it, so the list must too.
  @Test func `a predicate that names an unsaved object holds after the save`() throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      let peru = context.insertCountry("Peru")
      let list = FetchedResultsController(
        FetchRequest(
          Atlas.city, where: Atlas.City.country == peru, sortedBy: [Atlas.City.name.ascending]),
        in: context)
      try list.performFetch()
      let ica = context.insertCity("Ica", in: peru)
      context.processPendingChanges()
      #expect(list.fetchedObjects == [ica])
      try context.save()
      let mirror = ListMirror(of: list)
      ica[Atlas.City.size] = 1
      context.processPendingChanges()
      #expect(list.fetchedObjects == [ica])
      #expect(mirror.frames == [.init(objects: [.update(old: .init(item: 0))])])
      let cusco = context.insertCity("Cusco", in: peru)
      context.processPendingChanges()
      #expect(list.fetchedObjects == [cusco, ica])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  // Semantics 38, 112: the same for SELF IN.
  @Test func `a list of named objects keeps a new one after its save`() throws {
    try context.performAndWait {
      let new = context.insert(City.entity, values: City.values(4, "Dili"))
      let agra = try context.city(1)
      let list = context.listOfCities(.isSelf(in: [new.objectID, agra.objectID]))
      try list.performFetch()
      #expect(list.fetchedObjects == [agra, new])
      try context.save()
      let mirror = ListMirror(of: list)
      new[City.population] = 5
      agra[City.population] = 5
      context.processPendingChanges()
      #expect(list.fetchedObjects == [agra, new])
      #expect(mirror.frames == [.init(objects: [0, 1].map { .update(old: .init(item: $0)) })])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  // Semantics 38, 100, 114: the same for a member of a to-many relationship.
  @Test func `a list of the objects with a new tag follows it after its save`() throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      let tag = context.insertTag("sunny")
      let list = FetchedResultsController(
        FetchRequest(
          Atlas.city, where: Atlas.City.tags.contains(tag.objectID),
          sortedBy: [Atlas.City.name.ascending]),
        in: context)
      try list.performFetch()
      let ica = context.insertCity("Ica", tags: [tag])
      try context.save()
      #expect(list.fetchedObjects == [ica])
      let lima = context.insertCity("Lima", tags: [tag])
      ica[Atlas.City.size] = 2
      context.processPendingChanges()
      #expect(list.fetchedObjects == [ica, lima])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  // Semantics 38, 113: the section key is a related object's ID, which becomes permanent. Both
  // cities are in one country, so in one section.
  @Test func `a section by an unsaved related object stays one section after the save`() throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      let peru = context.insertCountry("Peru")
      let ica = context.insertCity("Ica", in: peru)
      let column = Atlas.City.country.index
      let list = FetchedResultsController(
        FetchRequest(Atlas.city, sortedBy: [SortTerm(column), Atlas.City.name.ascending]),
        in: context, sections: .column(column))
      try list.performFetch()
      #expect(list.sections.map(\.count) == [1])
      try context.save()
      let zorritos = context.insertCity("Zorritos", in: peru)
      context.processPendingChanges()
      #expect(list.sections.map(\.count) == [2])
      #expect(list.fetchedObjects == [ica, zorritos])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  @Test func `a permanent ID of a related object moves only the objects that it sorts`() throws {
    let store = try AtlasStore()
    let context = store.context()
    try context.performAndWait {
      let chad = context.insertCountry("Chad")
      let cities = ["Abéché", "Faya", "Zouar"].map { context.insertCity($0, in: chad) }
      try context.save()
      let list = FetchedResultsController(
        FetchRequest(
          Atlas.city,
          sortedBy: [SortTerm(Atlas.City.country.index), Atlas.City.name.ascending]),
        in: context)
      try list.performFetch()
      cities[1][Atlas.City.country] = context.insertCountry("Oman")
      context.processPendingChanges()
      let mirror = ListMirror(of: list)
      try context.save()
      let move = ListObjectChange.move(old: .init(item: 0), new: .init(item: 2))
      #expect(mirror.frames == [.init(objects: [move])])
      #expect(list.fetchedObjects == [cities[0], cities[2], cities[1]])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  // Semantics 40, 41, 112, and "Equal objects are in order of ID": the fault that the child's list
  // fires visits the parent. Another ID then becomes permanent while the list collects the event.
  @Test func `a child's list keeps ties in order when IDs become permanent in its event`() throws {
    let child = context.child()
    try child.performAndWait {
      let list = child.listOfCities(sortedBy: [City.population.ascending])
      try list.performFetch()
      let new = child.insert(City.entity, values: City.values(4, "Dili", population: 40))
      child.processPendingChanges()
      try child.save()
      try context.performAndWait { try context.save() }
      let mirror = ListMirror(of: list)
      new[City.name] = "Davos"
      try child.refresh(list[0], mergeChanges: false)
      child.processPendingChanges()
      // Neither change is of a sort key.
      #expect(mirror.frames == [.init(objects: [0, 3].map { .update(old: .init(item: $0)) })])

      let next = child.insert(City.entity, values: City.values(5, "Eger", population: 40))
      child.processPendingChanges()
      try child.save()
      try context.performAndWait { try context.save() }
      next[City.name] = "Erfurt"
      _ = try child.city(1)  // Visits the parent.
      child.processPendingChanges()
      #expect(list.fetchedObjects.last === next)
      #expect(list.fetchedObjects == (try child.fetch(list.request)))
      #expect(mirror.objects == [list.fetchedObjects])
    }
  }
}
