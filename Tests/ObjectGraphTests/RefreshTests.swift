import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Refreshing, rolling back, undoing")
struct RefreshTests {
  let store: TestStore
  let context: ManagedObjectContext

  init() throws {
    store = try TestStore(of: "Agra", "Basel")
    context = store.context()
  }

  private func changeElsewhere(_ key: Int64, population: Int64) throws {
    let other = store.context("other")
    try other.saving { try other.city(key)[City.population] = population }
  }

  // Semantics 53
  @Test func `a refresh without merging makes a fault and loses edits`() throws {
    try context.performAndWait {
      let city = try context.city(1)
      city[City.name] = "Agadir"
      try context.refresh(city, mergeChanges: false)
      #expect(city.isFault)
      #expect(!context.hasChanges)
      #expect(city[City.name] == "Agra")
    }
  }

  // Semantics 54
  @Test func `a merging refresh puts the new row below the edits`() throws {
    try context.performAndWait {
      let city = try context.city(1)
      city[City.name] = "Agadir"
      try changeElsewhere(1, population: 9)
      try context.refresh(city, mergeChanges: true)
      #expect(!city.isFault)
      #expect(city[City.population] == 9)
      #expect(city[City.name] == "Agadir")
      #expect(city.isUpdated)
      try context.save()
    }
  }

  @Test func `a row that was deleted after the fetch costs a refresh no SQL`() throws {
    try context.performAndWait {
      let cities = try context.fetch(FetchRequest(City.entity, sortedBy: [City.key.ascending]))
      for city in cities { city.fireFault() }
      let other = store.context("other")
      try other.saving { other.delete(try other.city(1)) }
      let recorder = CountingRecorder()
      try recorder.watch { try context.refreshOutdated(cities) }
      #expect(recorder[.statements] == 0 && cities[0][City.name] == "Agra")
    }
  }

  @Test func `only outdated objects among these are refreshed, without SQL after a fetch`() throws {
    try context.performAndWait {
      let cities = try context.fetch(FetchRequest(City.entity, sortedBy: [City.key.ascending]))
      for city in cities { city.fireFault() }
      cities[0][City.name] = "Agadir"
      try changeElsewhere(1, population: 9)
      let again = try context.fetch(FetchRequest(City.entity))
      #expect(again.allSatisfy { $0[City.population] != 9 })
      let recorder = CountingRecorder()
      try recorder.watch { try context.refreshOutdated(again) }
      #expect(recorder[.objectsRefreshed] == 1 && recorder[.statements] == 0)
      #expect(cities[0][City.population] == 9 && cities[0][City.name] == "Agadir")
      try context.save()
    }
  }

  // Semantics 55
  @Test func `refreshing all makes clean objects faults, keeps edits, lists all as refreshed`()
    throws
  {
    try context.performAndWait {
      let (agra, basel) = (try context.city(1), try context.city(2))
      agra[City.name] = "Agadir"
      context.processPendingChanges()
      let refreshed = Heard<Set<ManagedObject>>([])
      context.observeObjectsDidChange { refreshed.value.formUnion($0.refreshed) }
      try context.refreshAllObjects()
      #expect(refreshed.value == [agra, basel])
      #expect(basel.isFault)
      #expect(agra[City.name] == "Agadir")
    }
  }

  // Semantics 58
  @Test func `a reset removes everything and announces only that`() throws {
    try context.performAndWait {
      let city = try context.city(1)
      city[City.name] = "Agadir"
      context.processPendingChanges()
      let changes = Heard<[ObjectsDidChange]>([])
      context.observeObjectsDidChange { changes.value.append($0) }
      context.reset()
      #expect(context.registeredObjects.isEmpty)
      #expect(!context.hasChanges)
      #expect(changes.value.count == 1)
      #expect(changes.value.first?.invalidatedAll == true)
      #expect(changes.value.first?.updated.isEmpty == true)
      #expect(city.context == nil)
    }
  }

  // Semantics 60
  @Test func `changed values are those since the last fetch or save`() throws {
    try context.performAndWait {
      let city = try context.city(1)
      #expect(city.changedValues.isEmpty)
      city[City.name] = "Agadir"
      #expect(city.changedValues == ["name": .string("Agadir")])
      #expect(city.committedValues?[1] == .string("Agra"))
      try context.save()
      #expect(city.changedValues.isEmpty)
      #expect(city.committedValues?[1] == .string("Agadir"))
    }
  }

  // Semantics 62
  @Test func `a primitive setter does not mark the object changed`() throws {
    try context.performAndWait {
      let city = try context.city(1)
      city.setPrimitiveValue(.string("Agadir"), at: City.name.index)
      #expect(!context.hasChanges)
      #expect(city[City.name] == "Agadir")
      try context.save()
    }
    #expect(try store.reading { try $0.names() } == ["Agra", "Basel"])
  }

  // Semantics 79
  @Test func `a rollback removes inserts, revives deletes, reverts edits and clears undo`() throws {
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let (agra, basel) = (try context.city(1), try context.city(2))
      let new = context.insert(City.entity, values: City.values(3, "Cusco"))
      agra[City.name] = "Agadir"
      context.delete(basel)
      context.processPendingChanges()
      context.rollback()
      #expect(!context.hasChanges)
      #expect(new.context == nil)
      #expect(!basel.isDeleted)
      #expect(agra[City.name] == "Agra")
      #expect(context.undoManager?.canUndo == false)
      try context.save()
      #expect(try context.names() == ["Agra", "Basel"])
    }
  }

  // Semantics 79
  @Test func `a rollback reverts relationships on both sides`() throws {
    let store = try TestStore(model: Company.model)
    let context = store.context()
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      try context.save()
      ada[Company.dept] = sales
      context.rollback()
      #expect(ada[Company.dept] == nil)
      #expect(sales[Company.employees].isEmpty)
      ada[Company.dept] = sales
      try context.save()
      context.delete(sales)
      context.processPendingChanges()
      context.rollback()
      #expect(!ada.isDeleted)
      #expect(ada[Company.dept] === sales)
      #expect(sales[Company.employees] == [ada])
    }
  }

  // Semantics 80
  @Test func `without an undo manager undo does nothing`() throws {
    try context.performAndWait {
      let city = try context.city(1)
      city[City.name] = "Agadir"
      context.undo()
      #expect(city[City.name] == "Agadir")
    }
  }

  @Test func `undo reverts one event after the other, and redo repeats them`() throws {
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let (agra, basel) = (try context.city(1), try context.city(2))
      agra[City.name] = "Agadir"
      context.processPendingChanges()
      context.delete(basel)
      let new = context.insert(City.entity, values: City.values(3, "Cusco"))
      context.processPendingChanges()
      context.undo()
      #expect(!basel.isDeleted)
      #expect(new.context == nil)
      #expect(agra[City.name] == "Agadir")
      context.undo()
      #expect(agra[City.name] == "Agra")
      #expect(!agra.hasPersistentChangedValues)
      context.redo()
      context.redo()
      #expect(basel.isDeleted)
      #expect(new.isInserted)
      try context.save()
      #expect(try context.names() == ["Agadir", "Cusco"])
    }
  }

  @Test func `undo after a save is a new change`() throws {
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let basel = try context.city(2)
      try context.city(1)[City.name] = "Agadir"
      context.delete(basel)
      try context.save()
      context.undo()
      try context.save()
    }
    #expect(try store.reading { try $0.names() } == ["Agra", "Basel"])
  }

  // Semantics 51
  @Test(arguments: [StalenessInterval.infinite, .zero])
  func `a row changed outside the row cache shows only to contexts that accept no stale rows`(
    staleness: StalenessInterval
  ) throws {
    try context.performAndWait {
      let city = try context.city(1)
      _ = try context.execute(.update(City.entity, set: ["population": .int64(9)]))
      context.stalenessInterval = staleness
      try context.refresh(city, mergeChanges: false)
      #expect(city[City.population] == (staleness == .zero ? 9 : 0))
    }
  }

  /// Reading all rows at once would double the memory of a long list.
  @Test func `stale objects are counted in parts`() throws {
    try store.fill((Int64(3)...2500).map { City.values($0, "n\($0)") })
    let reads = Lock(0)
    let coordinator = WatchedCoordinator(
      store.coordinator, willRead: { _ in reads.withLock { $0 += 1 } })
    let context = ManagedObjectContext(
      name: "context", queue: PrivateQueue(label: "context"), parent: .coordinator(coordinator))
    try context.performAndWait {
      var request = FetchRequest(City.entity)
      request.returnsObjectsAsFaults = false
      let cities = try context.fetch(request)
      for key: Int64 in [1, 1250, 2500] { try changeElsewhere(key, population: 9) }
      reads.withLock { $0 = 0 }
      #expect(try context.countStaleObjects() == 3)
      #expect(reads.withLock { $0 } > 1)
      withExtendedLifetime(cities) {}
    }
  }
}
