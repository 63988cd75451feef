import ObjectGraph
import Queues
import TestSupport
import Testing

// Observers and hooks of a deletion may read what the object was related to. It has left its
// context by then.

@Suite("Objects that have left their context") struct LeftObjectTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
  }

  private func departmentsToldDeleted(_ edit: (ManagedObject) throws -> Void) throws -> [String] {
    let told = Heard<[String]>([])
    let observation = context.observeObjectsDidChange { change in
      for object in change.deleted {
        told.value.append(object[Company.dept]?[Company.title] ?? "none")
        told.value.append("\(object[Company.reports].count)")
      }
    }
    defer { context.stopObserving(observation) }
    let eve = context.hire("Eve")
    eve[Company.dept] = try context.fetch(FetchRequest(Company.department)).first
    context.processPendingChanges()
    try edit(eve)
    return told.value
  }

  // Semantics 112
  @Test func `an observer reads relations of an insert that was rolled back or undone`() throws {
    try context.performAndWait {
      _ = context.found("Sales")
      try context.save()
      #expect(try departmentsToldDeleted { _ in context.rollback() } == ["Sales", "0"])
      context.undoManager = ContextUndoManager()
      // The undo sets the relation to nil before it takes the object away.
      #expect(try departmentsToldDeleted { _ in context.undo() } == ["none", "0"])
    }
  }

  // Core Data raises an exception too: "different contexts".
  @Test(arguments: [false, true])
  func `relating an object that has left its context stops the program`(wasSaved: Bool) async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [wasSaved = wasSaved as Bool] in
      let store = try TestStore(model: Company.model)
      let context = store.context()
      try context.performAndWait {
        let (ada, bob) = (context.hire("Ada"), context.hire("Bob"))
        if wasSaved { try context.save() }
        context.delete(bob)
        try context.save()
        ada[Company.boss] = bob
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("'Employee.boss' cannot relate an object that has left context"))
  }

  @Test func `a deleted object has no context in its did-save hook, and keeps its relations`()
    throws
  {
    let told = Lock<[String]>([])
    let key = Lock<ToOneKey?>(nil)
    var hooks = EntityHooks()
    hooks.didSave = { note in
      guard note.isDeleted, let place = key.withLock({ $0 }) else { return }
      let name = note[place]?.entity.name ?? "nothing"
      told.withLock { $0.append(note.context == nil ? "\(name), no context" : name) }
    }
    let folder = try Entity(name: "Folder", attributes: [AttributeDescription("name", .string)])
    let note = try Entity(
      name: "Note", attributes: [AttributeDescription("text", .string)],
      relationships: [.toOne("folder", "Folder")], hooks: hooks)
    let place = try ToOneKey("folder", of: note)
    key.withLock { $0 = place }
    let store = try TestStore(model: Model([folder, note]))
    let context = store.context()
    try context.performAndWait {
      let item = context.insert(note)
      item[0] = .string("text")
      item[place] = context.insert(folder)
      item[place]?[0] = .string("inbox")
      try context.save()
      context.delete(item)
      try context.save()
    }
    #expect(told.withLock { $0 } == ["Folder, no context"])
  }

  // Semantics 57, 77
  @Test func `a new object that was deleted gets no permanent ID`() throws {
    try context.performAndWait {
      let badge = context.insert(Company.badge)
      context.delete(badge)
      context.processPendingChanges()
      try context.obtainPermanentIDs(for: [badge])
      #expect(badge.objectID.isTemporary)
      #expect(context.registeredObjects.isEmpty)
      #expect(throws: ObjectNotFound.self) { try context.existingObject(with: badge.objectID) }
    }
  }
}
