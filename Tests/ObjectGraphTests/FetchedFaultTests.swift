import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// Objects become realised although nobody reads them:
//
//   fetch(folders), prefetching notes.tags     folder ──▶ note, realised ──▶ tag, a fault
//   merge of an insertion                      deleted by an earlier merge ──▶ realised
//
// Core Data calls `awakeFromFetch` when an object "is being fulfilled from a fault":
// developer.apple.com/documentation/coredata/nsmanagedobject/awakefromfetch()

@Suite("Faults that fetches and merges realise") struct FetchedFaultTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let folder: Entity
  private let note: Entity
  private let tag: Entity
  private let text: AttributeKey<String>
  private let label: AttributeKey<String?>
  private let notes: ToManyKey
  private let tags: ToManyKey
  private let tagged: ToManyKey
  private let calls = Lock(0)
  private let reaction = Lock<(@Sendable (ManagedObject) -> Void)?>(nil)

  init() throws {
    var hooks = EntityHooks()
    hooks.awakeFromFetch = { [calls, reaction] note in
      calls.withLock { $0 += 1 }
      if case .string(let text) = note[0] { note[1] = .string(text.uppercased()) }
      reaction.withLock { $0 }?(note)
    }
    let name = AttributeDescription("name", .string)
    folder = try Entity(
      name: "Folder", attributes: [name],
      relationships: [.toMany("notes", "Note", inverse: "folder")])
    note = try Entity(
      name: "Note",
      attributes: [
        AttributeDescription("text", .string),
        AttributeDescription("label", .string, isOptional: true, isTransient: true),
      ],
      relationships: [
        .toOne("folder", "Folder", inverse: "notes"), .toMany("tags", "Tag", inverse: "notes"),
      ], hooks: hooks)
    tag = try Entity(
      name: "Tag", attributes: [name], relationships: [.toMany("notes", "Note", inverse: "tags")])
    text = try AttributeKey("text", of: note)
    label = try AttributeKey("label", of: note)
    notes = try ToManyKey("notes", of: folder)
    tags = try ToManyKey("tags", of: note)
    tagged = try ToManyKey("notes", of: tag)
    store = try TestStore(model: try Model([folder, note, tag]))
    context = store.context()
    try context.performAndWait {
      let (box, old) = (context.insert(folder), insertTag("old"))
      box[0] = .string("box")
      for title in ["one", "two"] {
        let object = context.insert(note)
        object[text] = title
        box.add(object, to: notes)
        object.add(old, to: tags)
      }
      try context.save()
      context.reset()
    }
  }

  private func insertTag(_ name: String) -> ManagedObject {
    let object = context.insert(tag)
    object[0] = .string(name)
    return object
  }

  private func react(_ body: @escaping @Sendable (ManagedObject) -> Void) {
    reaction.withLock { $0 = body }
  }

  private var callCount: Int { calls.withLock { $0 } }

  private func fault() throws -> ManagedObject {
    let object = try #require(try context.fetch(FetchRequest(note, where: text == "one")).first)
    try #require(object.isFault)
    return object
  }

  // Semantics 102
  @Test func `prefetching calls the hook of each object that it realises, once`() throws {
    try context.performAndWait {
      var request = FetchRequest(folder)
      request.relationshipKeyPathsForPrefetching = [notes.path.appending(tags)]
      let folders = try context.fetch(request)
      #expect(callCount == 2)
      let members = folders.flatMap { $0[notes] }
      #expect(Set(members.map { $0[label] }) == ["ONE", "TWO"])
      #expect(members.allSatisfy { !$0.hasFault(for: tags) })
      #expect(callCount == 2 && !context.hasChanges)
    }
  }

  // Semantics 102
  @Test func `a prefetched fault calls its hook when it fires`() throws {
    try context.performAndWait {
      var request = FetchRequest(tag)
      request.relationshipKeyPathsForPrefetching = [tagged.path]
      let members = try context.fetch(request).flatMap { $0[tagged] }
      #expect(callCount == 0 && members.count == 2)
      #expect(Set(members.map { $0[label] }) == ["ONE", "TWO"])
      #expect(callCount == 2)
    }
  }

  // Semantics 102
  @Test func `prefetching does not call a hook again that another hook has caused`() throws {
    try context.performAndWait {
      let ids = try context.fetchIDs(FetchRequest(note))
      react { note in
        for id in ids { note.context?.object(with: id).fireFault() }
      }
      var request = FetchRequest(folder)
      request.relationshipKeyPathsForPrefetching = [notes.path.appending(tags)]
      let folders = try context.fetch(request)
      #expect(callCount == 2 && folders.count == 1)
    }
  }

  // Semantics 84, 85
  @Test func `an object whose row is inserted again calls its hook`() throws {
    let theirs = store.context("theirs")
    theirs.performAndWait { theirs.undoManager = ContextUndoManager() }
    try context.performAndWait {
      let object = try fault()
      let id = object.objectID
      let deletion = try theirs.saving { theirs.delete(try theirs.existingObject(with: id)) }
      try context.mergeChanges(fromContextDidSave: deletion)
      #expect(object.isDeleted)
      let insertion = try theirs.saving { theirs.undo() }
      try context.mergeChanges(fromContextDidSave: insertion)
      #expect(!object.isDeleted && object[label] == "ONE")
      #expect(!context.hasChanges)
    }
  }

  // Semantics 20
  @Test func `a hook of a child may read relationships while a fetch realises objects`() throws {
    let child = context.child()
    let (tags, counts) = (tags, Lock<[Int]>([]))
    react { note in
      guard note.context?.name == "child" else { return }
      let count = note[tags].count
      counts.withLock { $0.append(count) }
    }
    try child.performAndWait {
      var request = FetchRequest(note)
      request.returnsObjectsAsFaults = false
      let found = try child.fetch(request)
      #expect(found.count == 2 && counts.withLock { $0 } == [1, 1])
    }
  }

  // "You can use public setters to establish transient values and other caches without dirtying
  // the object or its context": the page named above.
  @Test func `members that the hook adds or removes are shown and not saved`() throws {
    try context.performAndWait {
      let new = insertTag("new")
      try context.save()
      let (tags, id) = (tags, new.objectID)
      react { note in
        guard let new = note.context?.object(with: id) else { return }
        for other in note[tags] { note.remove(other, from: tags) }
        note.add(new, to: tags)
      }
      let object = try fault()
      #expect(object[tags] == [new])
      #expect(!object.hasChanges && !new.hasChanges && !context.hasChanges)
      object[text] = "three"
      try context.save()
      let stored = try store.coordinator.related(to: object.objectID, at: tags.index)
      #expect(stored.count == 1 && stored != [id])
    }
  }
}
