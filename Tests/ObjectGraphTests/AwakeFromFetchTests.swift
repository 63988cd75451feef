import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// "change processing is explicitly disabled around this method so that you can use public setters"
// […] "without dirtying the object":
// developer.apple.com/documentation/coredata/nsmanagedobject/awakefromfetch()

@Suite("The hook for realised objects") struct AwakeFromFetchTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let note: Entity
  private let text: AttributeKey<String>
  private let label: AttributeKey<String?>
  private let calls = Counter()

  // @unchecked: the hook counts on the context's queue, where the test reads it.
  final class Counter: @unchecked Sendable {
    var count = 0
  }

  init() throws {
    var hooks = EntityHooks()
    hooks.awakeFromFetch = { [calls] note in
      calls.count += 1
      guard case .string(let text) = note[0] else { return }
      note[1] = .string(text.uppercased())
    }
    note = try Entity(
      name: "Note",
      attributes: [
        AttributeDescription("text", .string),
        AttributeDescription("label", .string, isOptional: true, isTransient: true),
        AttributeDescription("length", .int64, isOptional: true),
      ], hooks: hooks)
    text = try AttributeKey("text", of: note)
    label = try AttributeKey("label", of: note)
    store = try TestStore(model: try Model([note]))
    context = store.context()
    try context.performAndWait {
      context.insert(note)[text] = "one"
      try context.save()
      context.reset()
      context.undoManager = ContextUndoManager()
    }
  }

  private func expectAwake(
    _ object: ManagedObject, in context: ManagedObjectContext, calls expected: Int = 1
  ) {
    #expect(calls.count == expected)
    #expect(object[label] == "ONE")
    #expect(!object.hasChanges && !context.hasChanges)
    #expect(context.undoManager?.canUndo != true)
    let told = Heard(0)
    let observation = context.observeObjectsDidChange { _ in told.value += 1 }
    context.processPendingChanges()
    context.stopObserving(observation)
    #expect(told.value == 0 && context.updatedObjects.isEmpty)
  }

  @Test func `it runs when a fault fires, and changes nothing to save`() throws {
    try context.performAndWait {
      let object = try #require(try context.fetch(FetchRequest(note)).first)
      #expect(calls.count == 0)
      expectAwakeAfterReading(object)
    }
  }

  private func expectAwakeAfterReading(_ object: ManagedObject) {
    object.fireFault()
    expectAwake(object, in: context)
  }

  @Test func `it runs for a fetch of realised objects`() throws {
    try context.performAndWait {
      var request = FetchRequest(note)
      request.returnsObjectsAsFaults = false
      let object = try #require(try context.fetch(request).first)
      expectAwake(object, in: context)
      _ = try context.fetch(request)
      #expect(calls.count == 1, "it was realised before")
    }
  }

  @Test func `it runs for a fetch that realises a registered fault`() throws {
    try context.performAndWait {
      let fault = try #require(try context.fetch(FetchRequest(note)).first)
      var request = FetchRequest(note)
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request) == [fault])
      expectAwake(fault, in: context)
    }
  }

  @Test func `it runs for an existing object`() throws {
    try context.performAndWait {
      let id = try #require(try context.fetchIDs(FetchRequest(note)).first)
      let object = try context.existingObject(with: id)
      expectAwake(object, in: context)
      _ = try context.existingObject(with: id)
      #expect(calls.count == 1)
    }
  }

  @Test(arguments: [false, true])
  func `it runs in a child`(asFaults: Bool) throws {
    let child = context.child()
    try child.performAndWait {
      var request = FetchRequest(note)
      request.returnsObjectsAsFaults = asFaults
      let object = try #require(try child.fetch(request).first)
      object.fireFault()
      // The parent's object is realised too if the fetch asks for it.
      expectAwake(object, in: child, calls: asFaults ? 1 : 2)
    }
  }

  @Test func `a merge keeps the transient values that it set`() throws {
    let other = store.context("other")
    try context.performAndWait {
      let id = try #require(try context.fetchIDs(FetchRequest(note)).first)
      let object = try context.existingObject(with: id)
      let save = try other.saving { try other.existingObject(with: id)[text] = "two" }
      try context.mergeChanges(fromContextDidSave: save)
      #expect(object[text] == "two" && object[label] == "ONE")
      #expect(!object.hasChanges)
    }
  }

  /// An entity whose hook sets a stored attribute.
  private static func setsLength() throws -> Entity {
    var hooks = EntityHooks()
    hooks.awakeFromFetch = { $0[1] = .int64(99) }
    return try Entity(
      name: "Note",
      attributes: [
        AttributeDescription("text", .string),
        AttributeDescription("length", .int64, isOptional: true),
      ], hooks: hooks)
  }

  @Test func `a stored attribute that it sets is saved by no other change`() throws {
    let entity = try Self.setsLength()
    let store = try TestStore(model: try Model([entity]))
    let (context, other) = (store.context(), store.context("other"))
    try context.performAndWait {
      let id = try {
        let object = context.insert(entity)
        object[0] = .string("one")
        try context.save()
        return object.objectID
      }()
      context.reset()
      let object = try context.existingObject(with: id)
      #expect(object[1] == .int64(99) && !object.hasChanges)
      object[0] = .string("two")
      try context.save()
      let row = try store.coordinator.snapshot(of: id)
      #expect(row?.values == [.string("two"), .null])
      try other.performAndWait {
        let same = try other.existingObject(with: id)
        #expect(same.committedValues?[1] == .null)
      }
    }
  }

  @Test func `a stored attribute that it sets does not count as saved after the next save`() throws
  {
    let entity = try Self.setsLength()
    let store = try TestStore(model: Model([entity]))
    let context = store.context()
    try context.performAndWait {
      context.insert(entity)[0] = .string("one")
      try context.save()
      context.reset()
      let object = try #require(try context.fetch(FetchRequest(entity)).first)
      for text in ["two", "three"] {
        object[0] = .string(text)
        try context.save()
      }
      let id = object.objectID
      #expect(try store.coordinator.snapshot(of: id)?.values == [.string("three"), .null])
      object[1] = .int64(99)
      try context.save()
      store.coordinator.forgetRows(of: [id])
      #expect(try store.coordinator.snapshot(of: id)?.values == [.string("three"), .int64(99)])
    }
  }

  // A section key may be a transient property:
  // developer.apple.com/documentation/coredata/nsfetchedresultscontroller
  @Test func `sections by a transient attribute show what it sets`() throws {
    try context.performAndWait {
      let list = FetchedResultsController(
        FetchRequest(note, sortedBy: [SortTerm(text.index)]), in: context,
        sections: .attribute(label))
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["ONE"])
    }
  }
}
