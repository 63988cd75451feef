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
// Two random stories asked what the parent's event names (seeds 214853 and 215407, as stories were
// drawn then). Apple's reference leaves one set (developer.apple.com/documentation/coredata):
//
// - NSRefreshedObjectsKey: "refreshed but were not dirtied in the scope of this context"; this
//   object is dirty.
// - NSManagedObjectContext/insertedObjects: "not yet saved in a persistent store"; it is saved.
// - NSManagedObjectContext/updatedObjects: "registered with the context that have uncommitted
//   changes".
//
// If the parent still deletes the object, its last event told the deletion, so this one tells an
// insertion.

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

  /// What both have done when the child saves what it revived.
  enum Before: CaseIterable { case parentEdited, childEdited, unchanged, parentDeletes }

  @Test(arguments: Before.allCases, [false, true])
  func `the parent's event says what a child's undo or redo revives`(
    before: Before, redo: Bool
  ) throws {
    let undos = ContextUndoManager()
    let id = try redo ? idOfUndoneInsertion(undos) : idOfSavedDeletion(undos)
    try child.performAndWait {
      redo ? child.redo() : child.undo()
      if before == .childEdited { try child.existingObject(with: id)[Atlas.City.name] = "Akola" }
    }
    let told = Lock<[String]>([])
    try parent.performAndWait {
      if before != .parentDeletes { parent.rollback() }
      if before == .parentEdited {
        try parent.existingObject(with: id)[Atlas.City.name] = "Ajmer"
      }
      parent.processPendingChanges()
      _ = parent.observeObjectsDidChange { event in
        told.withLock {
          $0 += event.updated.map { "updated \($0.objectID == id)" }
          $0 += event.inserted.map { "inserted \($0.objectID == id)" }
          $0 += (event.deleted + event.refreshed).map { "other \($0.objectID)" }
        }
      }
    }
    try child.performAndWait { try child.save() }
    let isChanged = before == .parentEdited || before == .childEdited
    try parent.performAndWait {
      let city = try parent.existingObject(with: id)
      let isTold = before == .parentDeletes ? ["inserted true"] : isChanged ? ["updated true"] : []
      #expect(told.withLock { $0 } == isTold)
      #expect(parent.insertedObjects.isEmpty && parent.deletedObjects.isEmpty)
      #expect(parent.updatedObjects == (isChanged ? [city] : []))
      #expect(city[Atlas.City.name] == (before == .childEdited ? "Akola" : "Agra"))
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
