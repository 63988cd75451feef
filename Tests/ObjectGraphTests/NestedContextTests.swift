import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Parent and child")
struct NestedContextTests {
  private let store: TestStore
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    store = try TestStore(of: "Agra", "Bern", "Cali")
    parent = store.context("parent")
    child = parent.child()
  }

  private func stored() throws -> [String] {
    try store.reading { try $0.names() }
  }

  // Semantics 16, 17
  @Test func `a child's save moves its changes one level and leaves the store untouched`() throws {
    try child.performAndWait {
      _ = child.insert(City.entity, values: City.values(4, "Deal"))
      try child.city(1)[City.name] = "Agadir"
      child.delete(try child.city(2))
      try child.save()
      #expect(!child.hasChanges)
    }
    #expect(try stored() == ["Agra", "Bern", "Cali"])
    try parent.performAndWait {
      #expect(parent.insertedObjects.map { $0[City.name] } == ["Deal"])
      #expect(parent.updatedObjects.map { $0[City.name] } == ["Agadir"])
      #expect(parent.deletedObjects.map { $0[City.name] } == ["Bern"])
      try parent.save()
    }
    #expect(try stored() == ["Agadir", "Cali", "Deal"])
  }

  // Semantics 17
  @Test func `three levels need three saves`() throws {
    let grandchild = child.child("grandchild")
    try grandchild.saving { try grandchild.city(1)[City.name] = "Agadir" }
    #expect(try child.performAndWait { try child.names() } == ["Agadir", "Bern", "Cali"])
    #expect(try parent.performAndWait { try parent.names() } == ["Agra", "Bern", "Cali"])
    try child.performAndWait { try child.save() }
    #expect(try parent.performAndWait { try parent.names() } == ["Agadir", "Bern", "Cali"])
    #expect(try stored() == ["Agra", "Bern", "Cali"])
    try parent.performAndWait { try parent.save() }
    #expect(try stored() == ["Agadir", "Bern", "Cali"])
  }

  // Semantics 39, 41
  @Test func `a permanent ID obtained for an object of the parent is the same in both`() throws {
    try child.performAndWait {
      let object = child.insert(City.entity, values: City.values(4, "Deal"))
      try child.save()
      try child.obtainPermanentIDs(for: [object])
      try parent.performAndWait {
        #expect(parent.insertedObjects.map(\.objectID) == [object.objectID])
        try parent.save()
      }
      object[City.name] = "Delft"
      try child.save()
      try parent.performAndWait { try parent.save() }
      let late = child.insert(City.entity, values: City.values(5, "Eger"))
      try child.save()
      try parent.performAndWait { try parent.save() }
      try child.obtainPermanentIDs(for: [late])
      #expect(child.registeredObject(for: late.objectID) === late)
      #expect(try child.city(5) === late)
    }
    #expect(try stored() == ["Agra", "Bern", "Cali", "Delft", "Eger"])
  }

  // Semantics 39, 41
  @Test func `permanent IDs for objects of different levels are not mixed up`() throws {
    let grandchild = child.child("grandchild")
    let old = parent.performAndWait { parent.insert(City.entity, values: City.values(4, "Deal")) }
    try grandchild.performAndWait {
      let theirs = try grandchild.existingObject(with: old.objectID)
      let new = grandchild.insert(City.entity, values: City.values(5, "Eger"))
      try grandchild.obtainPermanentIDs(for: [theirs, new])
      #expect(theirs.objectID == old.objectID && new.objectID != old.objectID)
      #expect(!new.objectID.isTemporary)
      #expect(grandchild.registeredObject(for: new.objectID) === new)
    }
  }

  // Semantics 18, 30
  @Test func `a parent never sees what its child does not save`() throws {
    try child.performAndWait {
      try child.city(1)[City.name] = "Agadir"
    }
    try parent.performAndWait {
      #expect(try parent.names() == ["Agra", "Bern", "Cali"])
      try parent.save()
    }
    #expect(try stored() == ["Agra", "Bern", "Cali"])
  }

  // Semantics 22
  @Test func `a child sees its parent's unsaved inserts, edits and deletes`() throws {
    try parent.performAndWait {
      _ = parent.insert(City.entity, values: City.values(4, "Deal"))
      try parent.city(1)[City.name] = "Agadir"
      parent.delete(try parent.city(2))
    }
    try child.performAndWait {
      #expect(try child.names() == ["Agadir", "Cali", "Deal"])
      #expect(try child.count(FetchRequest(City.entity)) == 3)
      let new = try child.city(4)
      #expect(new.objectID.isTemporary)
      #expect(!new.isInserted)
    }
  }

  // Semantics 20
  @Test func `a child's fetch reads SQLite and passes through every level`() throws {
    let grandchild = child.child("grandchild")
    try grandchild.performAndWait {
      let recorder = CountingRecorder()
      try recorder.watch { _ = try grandchild.fetch(FetchRequest(City.entity)) }
      #expect(recorder[.statements] == 1)
    }
  }

  // Semantics 23
  @Test func `the parent's object answers a child's fault without SQL`() throws {
    let id = try parent.performAndWait {
      let object = try parent.city(1)
      object[City.name] = "Agadir"
      return object.objectID
    }
    child.performAndWait {
      let theirs = child.object(with: id)
      let recorder = CountingRecorder()
      recorder.watch { #expect(theirs[City.name] == "Agadir") }
      #expect(recorder[.statements] == 0)
    }
  }

  // Semantics 23
  @Test func `a parent's clean object answers a child's fault without a cached row, too`() throws {
    let held = try parent.performAndWait { try parent.city(1) }
    store.coordinator.forgetRows(of: [held.objectID])
    child.performAndWait {
      let theirs = child.object(with: held.objectID)
      let recorder = CountingRecorder()
      recorder.watch { #expect(theirs[City.name] == "Agra") }
      #expect(recorder[.statements] == 0)
    }
    withExtendedLifetime(held) {}
  }

  // Semantics 24, 25
  @Test func `a child keeps its values when its parent changes`() throws {
    try child.performAndWait {
      let object = try child.city(1)
      try parent.saving { try parent.city(1)[City.name] = "Agadir" }
      #expect(object[City.name] == "Agra")
      #expect(try child.city(1) === object)
      #expect(object[City.name] == "Agra")
    }
  }

  // Semantics 28
  @Test func `a parent announces each child's save once and saves their net changes`() throws {
    let announced = Heard<[Int]>([])
    let saved = Heard<[DidSave]>([])
    parent.performAndWait {
      parent.observeObjectsDidChange {
        announced.value.append($0.inserted.count + $0.updated.count + $0.deleted.count)
      }
      parent.observeDidSave { saved.value.append($0) }
    }
    try child.performAndWait {
      _ = child.insert(City.entity, values: City.values(4, "Deal"))
      try child.city(1)[City.name] = "Agadir"
      try child.save()
      try child.city(1)[City.name] = "Ajmer"
      child.delete(try child.city(2))
      try child.save()
    }
    #expect(announced.value == [2, 2])
    #expect(saved.value.isEmpty)
    try parent.performAndWait { try parent.save() }
    #expect(
      saved.value.map { [$0.inserted.count, $0.updated.count, $0.deleted.count] } == [[1, 1, 1]])
  }

  // Semantics 40, 44
  @Test func `a child's new object stays temporary there while its ancestor gets a key`() throws {
    let saved = Heard<DidSave?>(nil)
    try child.performAndWait {
      child.observeDidSave { saved.value = $0 }
      let object = child.insert(City.entity, values: City.values(4, "Deal"))
      try child.save()
      #expect(saved.value?.inserted == [object.objectID])
      #expect(object.objectID.isTemporary)
      try parent.performAndWait { try parent.save() }
      #expect(object.objectID.isTemporary)
      // An edit still reaches the ancestor's object.
      object[City.name] = "Delft"
      try child.save()
    }
    try parent.performAndWait {
      #expect(parent.updatedObjects.map { $0[City.name] } == ["Delft"])
      try parent.save()
    }
    #expect(try stored() == ["Agra", "Bern", "Cali", "Delft"])
  }

  // Semantics 39
  @Test func `permanent IDs obtained in a grandchild are the same on every level`() throws {
    let grandchild = child.child("grandchild")
    let id = try grandchild.performAndWait {
      let object = grandchild.insert(City.entity, values: City.values(4, "Deal"))
      try grandchild.obtainPermanentIDs(for: [object])
      try grandchild.save()
      return object.objectID
    }
    #expect(!id.isTemporary)
    try child.performAndWait { try child.save() }
    try parent.performAndWait {
      #expect(parent.insertedObjects.map(\.objectID) == [id])
      try parent.save()
      #expect(try parent.city(4).objectID == id)
    }
  }

  // Semantics 37
  @Test func `a saved child without referenced objects is empty`() throws {
    try child.performAndWait {
      _ = child.insert(City.entity, values: City.values(4, "Deal"))
      try child.save()
      child.processPendingChanges()
      #expect(child.registeredObjects.isEmpty)
    }
  }

  @Test func `a conflict in the parent's save leaves the push pending there`() throws {
    try child.saving { try child.city(1)[City.name] = "Agadir" }
    let other = store.context("other")
    try other.saving { try other.city(1)[City.name] = "Ajmer" }
    parent.performAndWait {
      #expect(throws: SaveError.self) { try parent.save() }
      #expect(parent.updatedObjects.count == 1)
    }
    #expect(try stored() == ["Ajmer", "Bern", "Cali"])
  }

  @Test func `a child's push keeps what its parent changed in other attributes`() throws {
    try child.saving {
      let object = try child.city(1)
      try parent.performAndWait {
        try parent.city(1)[City.population] = 7
      }
      object[City.name] = "Agadir"
    }
    try parent.performAndWait {
      let object = try parent.city(1)
      #expect(object[City.name] == "Agadir")
      #expect(object[City.population] == 7)
    }
  }
}
