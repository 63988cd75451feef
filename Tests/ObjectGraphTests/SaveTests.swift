import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Saving to the coordinator")
struct SaveTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore()
    context = store.context()
  }

  // Semantics 38, 44
  @Test func `a new object has a temporary ID until it is saved`() throws {
    try context.performAndWait {
      let object = context.insert(City.entity, values: City.values(1, "Agra"))
      #expect(object.objectID.isTemporary)
      let temporary = object.objectID
      let saved = Heard<DidSave?>(nil)
      context.observeDidSave { saved.value = $0 }
      try context.save()
      #expect(!object.objectID.isTemporary)
      #expect(saved.value?.inserted == [object.objectID])
      #expect(context.registeredObject(for: object.objectID) === object)
      #expect(context.registeredObject(for: temporary) === object)
    }
  }

  // Semantics 39
  @Test func `a permanent ID can be obtained before the save, and the save keeps it`() throws {
    try context.performAndWait {
      let object = context.insert(City.entity, values: City.values(1, "Agra"))
      try context.obtainPermanentIDs(for: [object])
      let id = object.objectID
      #expect(!id.isTemporary)
      #expect(object.isInserted)
      try context.save()
      #expect(object.objectID == id)
      #expect(try context.city(1) === object)
    }
  }

  // Semantics 63, 81
  @Test func `a save posts change, will-save, did-save in order, even without changes`() throws {
    let story = Heard<[String]>([])
    context.performAndWait {
      context.observeObjectsDidChange { _ in story.value.append("change") }
      context.observeWillSave { story.value.append("will") }
      context.observeDidSave { story.value.append("did \($0.inserted.count)") }
    }
    try context.performAndWait {
      _ = context.insert(City.entity, values: City.values(1, "Agra"))
      try context.save()
      #expect(story.value == ["change", "will", "did 1"])
      try context.save()
      #expect(story.value == ["change", "will", "did 1", "will", "did 0"])
    }
  }

  // Semantics 65
  @Test func `an object without a required value stops the whole save`() throws {
    try context.performAndWait {
      let saves = Heard(0)
      context.observeDidSave { _ in saves.value += 1 }
      _ = context.insert(City.entity, values: City.values(1, "Agra"))
      let incomplete = context.insert(City.entity)
      #expect(throws: SaveError.self) { try context.save() }
      #expect(saves.value == 0)
      #expect(context.insertedObjects.count == 2)
      #expect(try store.coordinator.count(FetchRequest(City.entity)) == 0)
      context.delete(incomplete)
      try context.save()
      #expect(try store.coordinator.count(FetchRequest(City.entity)) == 1)
    }
  }

  // Semantics 67, 68
  @Test func `editing another attribute of a row that another context saved is a conflict`() throws
  {
    try store.fill([City.values(1, "Agra")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let object = try mine.city(1)
      try theirs.saving { try theirs.city(1)[City.population] = 7 }
      object[City.name] = "Agadir"
      #expect {
        try mine.save()
      } throws: { error in
        guard case SaveError.conflict(let conflicts) = error else { return false }
        let (found, expected) = (conflicts.first, object.objectID)
        return conflicts.count == 1 && found?.id == expected && found?.oldVersion == 1
          && found?.newVersion == 2 && found?.objectSnapshot?.version == 1
      }
      #expect(object.isUpdated)
    }
    #expect(try theirs.performAndWait { try theirs.names() } == ["Agra"])
  }

  // Semantics 74
  @Test func `editing a row that another context deleted is a conflict with version 0`() throws {
    try store.fill([City.values(1, "Agra")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let object = try mine.city(1)
      try theirs.saving { theirs.delete(try theirs.city(1)) }
      object[City.name] = "Agadir"
      #expect {
        try mine.save()
      } throws: { error in
        guard case SaveError.conflict(let conflicts) = error else { return false }
        return conflicts.map(\.newVersion) == [0]
      }
    }
  }

  // Semantics 61
  @Test func `setting an equal value is a change but is not written`() throws {
    try store.fill([City.values(1, "Agra")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let object = try mine.city(1)
      object[City.name] = "Agra"
      #expect(object.hasChanges)
      #expect(!object.hasPersistentChangedValues)
      try theirs.saving { try theirs.city(1)[City.population] = 7 }
      // Nothing is written, so nothing conflicts.
      try mine.save()
      #expect(!object.hasChanges)
    }
  }

  @Test func `a change of Unicode composition only is a change`() throws {
    try store.fill([City.values(1, "Me\u{301}xico")])
    try context.performAndWait {
      let object = try context.city(1)
      object[City.name] = "M\u{e9}xico"
      #expect(object.hasPersistentChangedValues)
      try context.save()
    }
    let bytes = try store.reading { try $0.names().map { Array($0.utf8) } }
    #expect(bytes == [Array("M\u{e9}xico".utf8)])
  }

  // Semantics 77
  @Test func `an object inserted and deleted before the save leaves no trace`() throws {
    try context.performAndWait {
      let announced = Heard(0)
      context.observeObjectsDidChange { _ in announced.value += 1 }
      let saved = Heard<DidSave?>(nil)
      context.observeDidSave { saved.value = $0 }
      let object = context.insert(City.entity, values: City.values(1, "Agra"))
      context.delete(object)
      #expect(!context.hasChanges)
      #expect(context.deletedObjects.isEmpty)
      try context.save()
      #expect(announced.value == 0)
      #expect(saved.value.map { $0.inserted + $0.deleted } == [])
    }
  }

  // Semantics 78
  @Test func `an object whose deletion was saved is neither deleted nor registered`() throws {
    try store.fill([City.values(1, "Agra")])
    try context.performAndWait {
      let object = try context.city(1)
      context.delete(object)
      #expect(object.isDeleted)
      try context.save()
      #expect(!object.isDeleted)
      #expect(object.context == nil)
      #expect(context.registeredObject(for: object.objectID) == nil)
      #expect(try context.names() == [])
    }
  }
}
