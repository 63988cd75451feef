import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("A list that observes its context")
struct FetchedResultsTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try .ofThreeCities()
    context = store.context()
  }

  // Semantics 109, 110, 112
  @Test func `a list reports inserts, deletes, moves and updates when they are processed`() throws {
    try context.performAndWait {
      let list = context.listOfCities()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      try list.performFetch()
      #expect(told.value.isEmpty)

      _ = context.insert(City.entity, values: City.values(4, "Brno"))
      context.delete(try context.city(2))
      try context.city(1)[City.name] = "Zug"
      try context.city(3)[City.population] = 31
      #expect(told.value.isEmpty)
      context.processPendingChanges()

      #expect(told.value.count == 1)
      #expect(told.value.first?.deletions == [1])
      #expect(told.value.first?.insertions == [0])
      #expect(told.value.first?.moves.map { [$0.from, $0.to] } == [[0, 2]])
      #expect(told.value.first?.updates == [2])
      #expect(list.names == ["Brno", "Cali", "Zug"])
    }
  }

  // Semantics 82, 86
  @Test func `an object edited and refreshed in one event is reported once`() throws {
    let other = store.context("other")
    try context.performAndWait {
      let list = context.listOfCities()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      try list.performFetch()
      try context.city(2)[City.name] = "Brno"
      let save = try other.saving { try other.city(2)[City.population] = 21 }
      try context.mergeChanges(fromContextDidSave: save)
      #expect(list.names == ["Agra", "Brno", "Cali"])
      #expect(list.fetchedObjects.map { $0[City.population] } == [10, 21, 30])
      #expect(told.value.map(\.count) == [1])
    }
  }

  // Semantics 114, 115
  @Test func `an edit that enters or leaves the predicate inserts or deletes`() throws {
    try context.performAndWait {
      let list = context.listOfCities(City.population >= 20)
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      try list.performFetch()
      try context.city(1)[City.population] = 25
      context.processPendingChanges()
      #expect(told.value.last?.insertions == [0])
      try context.city(2)[City.population] = 1
      context.processPendingChanges()
      #expect(told.value.last?.deletions == [1])
      try context.city(2)[City.population] = 2
      context.processPendingChanges()
      #expect(told.value.count == 2)
    }
  }

  // Semantics 118
  @Test(arguments: [false, true])
  func `a merge lists a newly matching object only if it was realised`(isRealised: Bool) throws {
    let list = context.listOfCities(City.population > 100)
    let other = store.context("other")
    try context.performAndWait {
      try list.performFetch()
      let held = isRealised ? try context.city(2) : nil
      let save = try other.saving { try other.city(2)[City.population] = 200 }
      try context.mergeChanges(fromContextDidSave: save)
      #expect(list.count == (held == nil ? 0 : 1))
    }
  }

  // Semantics 29
  @Test func `a list shows a child's save at once, before anything is durable`() throws {
    let list = context.listOfCities()
    try context.performAndWait { try list.performFetch() }
    let child = context.child()
    try child.saving { _ = child.insert(City.entity, values: City.values(4, "Brno")) }
    context.performAndWait {
      #expect(list.names == ["Agra", "Bern", "Brno", "Cali"])
    }
    #expect(try store.coordinator.count(FetchRequest(City.entity)) == 3)
  }

  @Test func `a list keeps its order while the row cache is a save ahead of the merge`() throws {
    let other = store.context("other")
    try context.performAndWait {
      let list = context.listOfCities()
      try list.performFetch()
      let notes = [
        try other.saving { _ = other.insert(City.entity, values: City.values(4, "Brno")) },
        // A fault fired by main would read the new name before main is notified.
        try other.saving { try other.city(2)[City.name] = "Aarau" },
      ]
      for note in notes {
        for id in note.updated { context.registeredObject(for: id)?.fireFault() }
        try context.mergeChanges(fromContextDidSave: note)
      }
      #expect(list.names == ["Aarau", "Agra", "Brno", "Cali"])
    }
  }

  // Semantics 116
  @Test func `after a reset a list reports nothing until the next fetch`() throws {
    try context.performAndWait {
      let list = context.listOfCities()
      let mirror = try ListMirror(fetching: list)
      try context.city(1)[City.name] = "Zug"
      context.reset()
      _ = context.insert(City.entity, values: City.values(4, "Brno"))
      context.processPendingChanges()
      #expect(mirror.calls.isEmpty)
      #expect(list.count == 3)
      try list.performFetch()
      #expect(mirror.calls.isEmpty)
      #expect(list.names == ["Agra", "Bern", "Brno", "Cali"])
      let next = ListMirror(of: list)
      try context.city(1)[City.name] = "Zug"
      context.processPendingChanges()
      #expect(next.calls == ["will", "object", "did"])
    }
  }

  // Semantics 116
  @Test func `an object whose row is missing leaves the list as deleted`() throws {
    try context.performAndWait {
      let list = context.listOfCities()
      let mirror = try ListMirror(fetching: list)
      let other = store.context("other")
      let bern = try context.city(2)
      try context.refresh(bern, mergeChanges: false)
      try other.saving { other.delete(try other.city(2)) }
      bern.fireFault()
      context.processPendingChanges()
      #expect(mirror.calls == ["will", "object", "did"])
      #expect(list.names == ["Agra", "Cali"])
    }
  }

  // Semantics 117
  @Test func `refreshing all objects reports updates and moves only`() throws {
    try context.performAndWait {
      let list = context.listOfCities()
      let mirror = try ListMirror(fetching: list)
      context.stalenessInterval = .zero
      try context.refreshAllObjects()
      #expect(mirror.frames == [.init(objects: (0..<3).map { .update(old: .init(item: $0)) })])

      let other = store.context("other")
      try other.saving { try other.city(1)[City.name] = "Zug" }
      try context.refreshAllObjects()
      #expect(
        mirror.frames.last
          == .init(objects: [
            .move(old: .init(item: 0), new: .init(item: 2)), .update(old: .init(item: 1)),
            .update(old: .init(item: 2)),
          ]))
    }
  }

  // Semantics 38, 113
  @Test func `equal new objects keep their positions when they get permanent IDs`() throws {
    try context.performAndWait {
      let list = context.listOfCities(sortedBy: [City.population.ascending])
      let mirror = try ListMirror(fetching: list)
      for key in 4...9 as ClosedRange<Int64> {
        _ = context.insert(City.entity, values: City.values(key, "n\(key)", population: 20))
      }
      context.processPendingChanges()
      #expect(list.fetchedObjects.map { $0[City.key] } == [1, 2, 4, 5, 6, 7, 8, 9, 3])
      try context.save()
      #expect(mirror.frames.count == 1)
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
      try context.city(3)[City.population] = 20
      context.processPendingChanges()
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
    }
  }

  // Semantics 39, 113
  @Test func `permanent IDs in another order are reported as moves`() throws {
    try context.performAndWait {
      let list = context.listOfCities(sortedBy: [City.population.ascending])
      let mirror = try ListMirror(fetching: list)
      let new = (4...6 as ClosedRange<Int64>).map {
        context.insert(City.entity, values: City.values($0, "n\($0)", population: 20))
      }
      context.processPendingChanges()
      try context.obtainPermanentIDs(for: [new[2]])
      try context.obtainPermanentIDs(for: [new[0]])
      try context.save()
      #expect(list.fetchedObjects.map { $0[City.key] } == [1, 2, 6, 4, 5, 3])
      #expect(list.fetchedObjects == (try context.fetch(list.request)))
      #expect(mirror.objects == [list.fetchedObjects])
      #expect(mirror.frames.count == 2)
    }
  }
}
