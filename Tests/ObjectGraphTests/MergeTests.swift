import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Merging another context's save")
struct MergeTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(of: "Agra", "Bern", "Cali")
    mine = store.context("mine")
    theirs = store.context("theirs")
  }

  private func save(_ change: (ManagedObjectContext) throws -> Void) throws -> DidSave {
    try theirs.saving { try change(theirs) }
  }

  // Semantics 82, 87
  @Test func `merging refreshes realised objects without marking them changed`() throws {
    try mine.performAndWait {
      let object = try mine.city(1)
      let refreshed = Heard(0)
      let updated = Heard(0)
      let saves = Heard(0)
      mine.observeObjectsDidChange {
        refreshed.value += $0.refreshed.count
        updated.value += $0.updated.count
      }
      mine.observeDidSave { _ in saves.value += 1 }
      let note = try save { try $0.city(1)[City.name] = "Agadir" }
      let recorder = CountingRecorder()
      try recorder.watch { try mine.mergeChanges(fromContextDidSave: note) }
      #expect(object[City.name] == "Agadir")
      #expect([refreshed.value, updated.value, saves.value] == [1, 0, 0])
      #expect(!mine.hasChanges)
      #expect(recorder[.statements] == 0)
      #expect(recorder[.objectsRefreshed] == 1)
      // The new version is known, so the object can be saved.
      object[City.population] = 7
      try mine.save()
    }
  }

  // Semantics 61, 86
  @Test func `a merged value replaces one that was set to an equal value`() throws {
    try mine.performAndWait {
      let object = try mine.city(1)
      object[City.name] = "Agra"
      let note = try save { try $0.city(1)[City.name] = "Agadir" }
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(object[City.name] == "Agadir" && !object.hasPersistentChangedValues)
    }
  }

  // Semantics 83
  @Test func `merging skips faults and unregistered objects`() throws {
    try mine.performAndWait {
      let fault = try #require(try mine.fetch(FetchRequest(City.entity)).first)
      #expect(fault.isFault)
      let announced = Heard(0)
      mine.observeObjectsDidChange { _ in announced.value += 1 }
      let note = try save { context in
        for key in 1...3 as ClosedRange<Int64> {
          try context.city(key)[City.population] = 7
        }
      }
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(announced.value == 0)
      #expect(fault.isFault)
      #expect(mine.registeredObjects.count == 1)
    }
  }

  // Semantics 84
  @Test func `merging adds inserted objects as faults without pending changes`() throws {
    try mine.performAndWait {
      let inserted = Heard<[ManagedObject]>([])
      mine.observeObjectsDidChange { inserted.value += $0.inserted }
      let note = try save { _ = $0.insert(City.entity, values: City.values(4, "Deal")) }
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(inserted.value.map(\.isFault) == [true])
      #expect(mine.insertedObjects.isEmpty)
      let recorder = CountingRecorder()
      recorder.watch { #expect(inserted.value.map { $0[City.name] } == ["Deal"]) }
      #expect(recorder[.statements] == 0)
    }
  }

  // Semantics 85
  @Test func `a referenced object deleted by a merge stays readable and is deleted once`() throws {
    try mine.performAndWait {
      let object = try mine.city(1)
      let deleted = Heard(0)
      mine.observeObjectsDidChange { deleted.value += $0.deleted.count }
      let note = try save { context in
        for key in 1...2 as ClosedRange<Int64> {
          context.delete(try context.city(key))
        }
      }
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(deleted.value == 1)
      #expect(mine.deletedObjects.map(\.objectID) == [object.objectID])
      #expect(object[City.name] == "Agra")
      #expect(mine.registeredObject(for: object.objectID) === object)
      try mine.save()
    }
  }

  // Semantics 78, 85
  @Test(arguments: [false, true])
  func `an object that a merge deleted leaves its context with the next save`(
    isFault: Bool
  ) throws {
    try mine.performAndWait {
      let object = try mine.city(1)
      if isFault { try mine.refresh(object, mergeChanges: false) }
      try mine.mergeChanges(fromContextDidSave: save { $0.delete(try $0.city(1)) })
      #expect(mine.deletedObjects == [object])
      try mine.save()
      #expect(mine.deletedObjects.isEmpty && !object.isDeleted && object.context == nil)
      #expect(mine.registeredObject(for: object.objectID) == nil)
      #expect(object[City.name] == (isFault ? "" : "Agra"))
    }
  }

  // Semantics 78, 85
  @Test(arguments: [MergePolicy.storeTrump, .rollback, .objectTrump], [false, true])
  func `an object whose missing row the save finds leaves its context with that save`(
    policy: MergePolicy, isDeleted: Bool
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let object = try mine.city(1)
      _ = try save { $0.delete(try $0.city(1)) }
      if isDeleted || policy == .objectTrump {
        mine.delete(object)
      } else {
        object[City.name] = "Ajmer"
      }
      let told = Heard<[ManagedObject]>([])
      mine.processPendingChanges()
      mine.observeObjectsDidChange { told.value += $0.deleted }
      try mine.save()
      #expect(isDeleted || policy == .objectTrump || told.value == [object])
      #expect(mine.deletedObjects.isEmpty && !object.isDeleted && object.context == nil)
      #expect(mine.registeredObject(for: object.objectID) == nil)
    }
  }

  // Semantics 79, 85
  @Test func `a rollback revives no object deleted in both contexts, no save deletes it`() throws {
    try mine.performAndWait {
      let objects = try (1...2 as ClosedRange<Int64>).map { try mine.city($0) }
      for object in objects { mine.delete(object) }
      let note = try save { context in
        for key in 1...2 as ClosedRange<Int64> {
          context.delete(try context.city(key))
        }
      }
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(Set(mine.deletedObjects) == Set(objects))
      #expect(mine.deletedObjects.count == 2)
      mine.rollback()
      #expect(objects.map(\.isDeleted) == [true, true])
      try mine.save()
    }
  }

  // Semantics 86
  @Test func `unsaved edits survive a merge and stay over the new row`() throws {
    try mine.performAndWait {
      let object = try mine.city(1)
      object[City.name] = "Agadir"
      let note = try save { try $0.city(1)[City.population] = 7 }
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(object[City.name] == "Agadir")
      #expect(object[City.population] == 7)
      #expect(object.isUpdated)
      try mine.save()
    }
    let note = try theirs.performAndWait { try theirs.names() }
    #expect(note == ["Agadir", "Bern", "Cali"])
  }

  // Semantics 84: a fetch between a save and its merge may have brought the new row already
  @Test func `a merged insert of a registered object is announced, and a list inserts it`() throws {
    try mine.performAndWait {
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [City.name.ascending]), in: mine)
      try list.performFetch()
      let note = try save { _ = $0.insert(City.entity, values: City.values(4, "Deal")) }
      let held = try mine.city(4)
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(list.count == 4)
      #expect(list.fetchedObjects.last === held)
      #expect(!mine.hasChanges)
    }
  }

  @Test func `a child's save into a context may be merged into it, saved or not`() throws {
    let unsaved = mine.performAndWait {
      mine.insert(City.entity, values: City.values(4, "Deal"))
    }
    let child = mine.child()
    let note = try child.saving {
      try child.city(4)[City.name] = "Delft"
      _ = child.insert(City.entity, values: City.values(5, "Eger"))
    }
    try mine.performAndWait {
      try mine.mergeChanges(fromContextDidSave: note)
      #expect(unsaved[City.name] == "Delft")
      #expect(mine.insertedObjects.count == 2)
      try mine.save()
      #expect(try mine.names() == ["Agra", "Bern", "Cali", "Delft", "Eger"])
    }
  }

  // Semantics 128
  @Test func `a did-save keeps the saved rows cached until it is merged`() throws {
    let note = try save { _ = $0.insert(City.entity, values: City.values(4, "Deal")) }
    _ = try theirs.performAndWait { try theirs.names() }
    try mine.performAndWait {
      try mine.mergeChanges(fromContextDidSave: note)
      let recorder = CountingRecorder()
      recorder.watch {
        #expect(mine.object(with: note.inserted[0])[City.name] == "Deal")
      }
      #expect(recorder[.statements] == 0)
    }
  }

  // Semantics 82, 88
  @Test(arguments: StoreMode.allCases)
  func `a save through another coordinator of the file can be merged`(mode: StoreMode) throws {
    let coordinator = try SQLiteCoordinator(
      StoreConfiguration(url: store.file, mode: mode), model: City.model)
    defer { try? coordinator.close() }
    let other = ManagedObjectContext(
      name: "other", queue: PrivateQueue(label: "other"), parent: .coordinator(coordinator))
    try other.performAndWait {
      let city = try other.city(1)
      let save = try save { try $0.city(1)[City.name] = "Agra Fort" }
      try other.mergeChanges(fromContextDidSave: save)
      #expect(city[City.name] == "Agra Fort")
      city[City.population] = 5
      try other.save()
    }
  }
}
