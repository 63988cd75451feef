import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// A child revives an object that its parent has had all the time:
//
//   parent   saved ◀─ deletion ── rollback, an edit ◀─ updated, not inserted
//   child    deletes ── save ── undo ──────────── save ─┘
//
// Apple's reference decides what the parent's event names (seeds 214853 and 215407 of the random
// stories). NotificationKey.updatedObjects is "a key for the context's set of updated objects".
// NSManagedObjectContext.updatedObjects are "registered with the context" and "have uncommitted
// changes"; insertedObjects are "not yet saved in a persistent store", and this object is saved.

// Semantics 46, 79, 80
@Suite("Rows that a child revives") struct RevivedRowTests {
  private let store: AtlasStore
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    parent = store.context("parent")
    child = parent.child()
  }

  @Test(arguments: [false, true])
  func `a row that a child's undo or redo revives is an update for its parent`(redo: Bool) throws {
    let undos = ContextUndoManager()
    let id = try redo ? idOfUndoneInsertion(undos) : idOfSavedDeletion(undos)
    child.performAndWait { redo ? child.redo() : child.undo() }
    let (updated, others) = (Lock<[ManagedObjectID]>([]), Lock<[ManagedObjectID]>([]))
    let city = try parent.performAndWait {
      parent.rollback()
      let city = try parent.existingObject(with: id)
      city[Atlas.City.name] = "Ajmer"
      parent.processPendingChanges()
      _ = parent.observeObjectsDidChange { event in
        updated.withLock { $0 += event.updated.map(\.objectID) }
        others.withLock { $0 += (event.inserted + event.deleted).map(\.objectID) }
      }
      return city
    }
    try child.performAndWait { try child.save() }
    try parent.performAndWait {
      #expect(updated.withLock { $0 } == [id] && others.withLock(\.isEmpty))
      #expect(parent.registeredObjects == [city] && parent.insertedObjects.isEmpty)
      #expect(parent.updatedObjects == [city] && city[Atlas.City.name] == "Agra")
      try parent.save()
      #expect(try store.coordinator.count(FetchRequest(Atlas.city)) == 1)
    }
  }

  /// The child deletes a saved city, and saves that into its parent.
  private func idOfSavedDeletion(_ undos: ContextUndoManager) throws -> ManagedObjectID {
    let id = try parent.performAndWait {
      let city = parent.insertCity("Agra")
      try parent.save()
      return city.objectID
    }
    try child.performAndWait {
      child.undoManager = undos
      child.delete(try child.existingObject(with: id))
      try child.save()
    }
    return id
  }

  /// The child inserts a city, both save it, and the child saves the undo into its parent.
  private func idOfUndoneInsertion(_ undos: ContextUndoManager) throws -> ManagedObjectID {
    let city = try child.performAndWait {
      child.undoManager = undos
      let city = child.insertCity("Agra")
      try child.save()
      return city
    }
    try parent.performAndWait { try parent.save() }
    return try child.performAndWait {
      child.undo()
      try child.save()
      return city.objectID
    }
  }
}
