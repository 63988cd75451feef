import ObjectGraph
import Queues
import TestSupport
import Testing

// A hook or a save's observer deletes a folder. The delete rules change two more objects:
//
//   trigger saved ─▶ delete(folder)      folder ─notes⇉ note        cascade: deleted
//                                               └readers⇉ reader    nullify: updated

@Suite("Hooks of saves and deletions") struct SaveHookTests {
  private let told = Lock<[String]>([])
  /// With whether they were deleted.
  private let saved = Lock<[String]>([])
  /// With their context's name.
  private let prepared = Lock<[String]>([])
  /// Called by each will-save hook.
  private let reaction = Lock<(@Sendable (ManagedObject) -> Void)?>(nil)
  /// Called by each hook before a deletion.
  private let farewell = Lock<(@Sendable (ManagedObject) -> Void)?>(nil)
  private let store: TestStore
  private let context: ManagedObjectContext
  private let folder: Entity
  private let note: Entity
  private let reader: Entity

  init() throws {
    var hooks = EntityHooks()
    hooks.willSave = { [told, reaction] object in
      told.withLock { $0.append(name(of: object)) }
      reaction.withLock { $0 }?(object)
    }
    hooks.didSave = { [saved] object in
      saved.withLock { $0.append("\(name(of: object)) \(object.isDeleted)") }
    }
    hooks.prepareForDeletion = { [prepared, farewell] object in
      farewell.withLock { $0 }?(object)
      let entry = "\(object.context?.name ?? "") \(name(of: object)) \(object.isDeleted)"
      prepared.withLock { $0.append(entry) }
    }
    let all = hooks
    func entity(_ name: String, _ relationships: [RelationshipDescription]) throws -> Entity {
      try Entity(
        name: name, attributes: [AttributeDescription("name", .string)],
        relationships: relationships, hooks: all)
    }
    folder = try entity(
      "Folder",
      [
        .toMany("notes", "Note", inverse: "folder", deleteRule: .cascade),
        .toMany("readers", "Reader", inverse: "folder"),
      ])
    note = try entity("Note", [.toOne("folder", "Folder", inverse: "notes")])
    reader = try entity("Reader", [.toOne("folder", "Folder", inverse: "readers")])
    store = try TestStore(model: try Model([folder, note, reader]))
    context = store.context("mine")
  }

  private func insert(
    _ name: String, _ entity: Entity, in folder: ManagedObject? = nil
  ) -> ManagedObject {
    let object = context.insert(entity)
    object[0] = .string(name)
    if let folder { object[1] = .object(folder.objectID) }
    return object
  }

  private struct Saved {
    let folder: ManagedObject
    let reader: ManagedObject
    let trigger: ManagedObject
  }

  private func save() throws -> Saved {
    let folder = insert("folder", self.folder)
    _ = insert("note", note, in: folder)
    let objects = Saved(
      folder: folder, reader: insert("reader", reader, in: folder),
      trigger: insert("trigger", note))
    try context.save()
    for log in [told, saved, prepared] { log.withLock { $0 = [] } }
    return objects
  }

  private func react(_ body: @escaping @Sendable (ManagedObject) -> Void) {
    reaction.withLock { $0 = body }
  }

  enum Deleter: CaseIterable { case hook, observer }

  // Semantics 64, 104
  @Test(arguments: Deleter.allCases, [true, false])
  func `objects that delete rules change during the save are told too`(
    deleter: Deleter, atEndOfEvent: Bool
  ) throws {
    try context.performAndWait {
      context.propagatesDeletesAtEndOfEvent = atEndOfEvent
      let objects = try save()
      let id = objects.folder.objectID
      switch deleter {
      case .hook:
        react { object in
          if name(of: object) == "trigger" { delete(id, in: object.context) }
        }
      case .observer:
        context.observeWillSave { [weak context = self.context] in delete(id, in: context) }
      }
      objects.trigger[0] = .string("trigger")
      try context.save()
      #expect(Set(told.withLock { $0 }) == ["folder", "note", "reader", "trigger"])
      #expect(objects.reader[1] == .null)
    }
    let fresh = store.context("fresh")
    try fresh.performAndWait {
      let notes = try fresh.all(note).map(name(of:))
      #expect(notes == ["trigger"])
    }
  }

  // Semantics 64
  @Test func `an object that an observer changes during the save is told too`() throws {
    try context.performAndWait {
      let objects = Heard(try save())
      react { object in
        if name(of: object) == "trigger" { object[0] = .string("told") }
      }
      context.observeObjectsDidChange { _ in
        let objects = objects.value
        guard name(of: objects.trigger) == "told", name(of: objects.reader) == "reader" else {
          return
        }
        objects.reader[0] = .string("changed")
      }
      objects.value.trigger[0] = .string("trigger")
      try context.save()
      #expect(told.withLock { $0 } == ["trigger", "told", "changed"])
    }
  }

  // Semantics 64, 67, 104
  @Test func `objects that a hook's deletion changes after a conflict are told too`() throws {
    let told = told
    try context.performAndWait {
      context.mergePolicy = .objectTrump
      let objects = try save()
      let (id, conflicting) = (objects.folder.objectID, objects.trigger.objectID)
      _ = try store.context("theirs").saving(conflicting) { $0[0] = .string("theirs") }
      told.withLock { $0 = [] }
      react { object in
        let calls = told.withLock { names in names.count { $0 == "mine" } }
        if calls == 2 { delete(id, in: object.context) }
      }
      objects.trigger[0] = .string("mine")
      try context.save()
      #expect(Set(told.withLock { $0 }) == ["folder", "mine", "note", "reader"])
      #expect(objects.reader[1] == .null)
    }
  }

  // Semantics 78
  @Test func `a saved deletion is a deletion until the did-save hook returns`() throws {
    try context.performAndWait {
      let objects = try save()
      context.delete(objects.folder)
      try context.save()
      #expect(Set(saved.withLock { $0 }) == ["folder true", "note true", "reader false"])
      #expect(!objects.folder.isDeleted && objects.folder.context == nil)
    }
  }

  // Semantics 85, 106
  @Test func `a merge tells realised objects that it deletes, and no faults`() throws {
    try context.performAndWait {
      let objects = try save()
      let ids = [objects.folder, objects.reader, objects.trigger].map(\.objectID)
      try context.refresh(objects.reader, mergeChanges: false)
      context.delete(objects.trigger)
      #expect(prepared.withLock { $0 } == ["mine trigger false"])
      let theirs = store.context("theirs")
      let deletion = try theirs.saving {
        for id in ids { theirs.delete(try theirs.existingObject(with: id)) }
      }
      try context.mergeChanges(fromContextDidSave: deletion)
      #expect(objects.folder.isDeleted && objects.reader.isDeleted)
      let mine = prepared.withLock { $0.filter { $0.hasPrefix("mine") } }
      #expect(mine == ["mine trigger false", "mine folder false"])
    }
  }
}

extension SaveHookTests {
  // Semantics 105, 106: "custom propagation before relationships are torn down"
  // developer.apple.com/documentation/coredata/nsmanagedobject/preparefordeletion()
  @Test(arguments: [false, true])
  func `hooks of a cascade find all relations, and what they add is deleted too`(
    isNew: Bool
  ) throws {
    try context.performAndWait {
      let folder = isNew ? insert("folder", self.folder) : try save().folder
      if isNew { _ = insert("note", note, in: folder) }
      let found = Lock<[Bool]>([])
      let (id, note, trigger) = (folder.objectID, note, isNew ? nil : try id(ofNote: "trigger"))
      farewell.withLock {
        $0 = { object in
          guard name(of: object) != "folder", let context = object.context else { return }
          found.withLock { $0.append(object[1] == .object(id)) }
          guard name(of: object) == "note" else { return }
          let late = trigger.map(context.object(with:)) ?? context.insert(note)
          late[0] = .string("late")
          late[1] = .object(id)
        }
      }
      context.delete(folder)
      try context.save()
      #expect(found.withLock { $0 } == [true, true])
      #expect(try context.all(note).isEmpty)
    }
  }

  // Semantics 106
  @Test func `a hook that deletes another object of its cascade does not repeat the other's hook`()
    throws
  {
    try context.performAndWait {
      let folder = insert("folder", self.folder)
      for number in 0..<8 { _ = insert("note \(number)", note, in: folder) }
      try context.save()
      prepared.withLock { $0 = [] }
      let (id, note) = (folder.objectID, note)
      farewell.withLock {
        $0 = { object in
          guard object.objectID != id, let context = object.context else { return }
          for other in (try? context.all(note)) ?? [] where other !== object {
            context.delete(other)
          }
        }
      }
      context.delete(folder)
      try context.save()
      // A hook that deletes all others deletes the caller's object too.
      let names = prepared.withLock { $0 }.map { $0.replacing(#/ (true|false)$/#, with: "") }
      let all = ["folder"] + (0..<8).map { "note \($0)" }
      #expect(names.sorted() == all.map { "\(context.name) \($0)" })
      #expect(try self.context.all(note).isEmpty)
    }
  }

  private func id(ofNote title: String) throws -> ManagedObjectID? {
    try context.all(note).first { name(of: $0) == title }?.objectID
  }

  // Semantics 80, 85
  @Test func `a hook's changes during a merge are not undone`() throws {
    try context.performAndWait {
      let objects = try save()
      context.undoManager = ContextUndoManager()
      objects.trigger[0] = .string("renamed")
      context.processPendingChanges()
      context.undo()
      let (context, trigger) = (context, objects.trigger.objectID)
      farewell.withLock {
        $0 = { if $0.context === context { context.object(with: trigger)[0] = .string("told") } }
      }
      let theirs = store.context("theirs")
      let deletion = try theirs.saving {
        theirs.delete(try theirs.existingObject(with: objects.folder.objectID))
      }
      try context.mergeChanges(fromContextDidSave: deletion)
      #expect(objects.trigger[0] == .string("told"))
      #expect(context.undoManager?.canUndo == false && context.undoManager?.canRedo == true)
    }
  }
}

private func name(of object: ManagedObject) -> String {
  if case .string(let name) = object[0] { name } else { "" }
}

private func delete(_ id: ManagedObjectID, in context: ManagedObjectContext?) {
  guard let object = context?.object(with: id), !object.isDeleted else { return }
  context?.delete(object)
}

extension ManagedObjectContext {
  fileprivate func saving(
    _ id: ManagedObjectID, _ change: (ManagedObject) -> Void
  ) throws -> DidSave {
    try saving { change(try existingObject(with: id)) }
  }
}
