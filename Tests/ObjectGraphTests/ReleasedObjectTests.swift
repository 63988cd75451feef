import ObjectGraph
import Queues
import TestSupport
import Testing

// `theirs` deletes all three targets of a part's unsaved relations:
//
//   label ◀── part ──▶ box       a label's deletion nullifies,
//               └────▶ shelf     a box's or a shelf's cascades to the part

@Suite("Hooks of objects whose owners another context deleted") struct ReleasedObjectTests {
  /// By call of the hook: whether label, box and shelf were set.
  private let found = Lock<[[Bool]]>([])
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let owners: [Entity]
  private let part: Entity

  init() throws {
    func owner(_ name: String, _ inverse: String, _ rule: DeleteRule) throws -> Entity {
      try Entity(
        name: name, attributes: [AttributeDescription("name", .string)],
        relationships: [.toMany("parts", "Part", inverse: inverse, deleteRule: rule)])
    }
    var hooks = EntityHooks()
    hooks.prepareForDeletion = { [found] object in
      let isSet = (1...3).map { object[$0] != .null }
      found.withLock { $0.append(isSet) }
    }
    owners = [
      try owner("Label", "label", .nullify), try owner("Box", "box", .cascade),
      try owner("Shelf", "shelf", .cascade),
    ]
    part = try Entity(
      name: "Part", attributes: [AttributeDescription("name", .string)],
      relationships: [
        .toOne("label", "Label", inverse: "parts"), .toOne("box", "Box", inverse: "parts"),
        .toOne("shelf", "Shelf", inverse: "parts"),
      ], hooks: hooks)
    store = try TestStore(model: try Model(owners + [part]))
    mine = store.context("mine")
  }

  // Semantics 85, 106: "before relationships are torn down"
  @Test(arguments: [MergePolicy.storeTrump, .rollback], [true, false])
  func `the hook runs once and finds all relations`(
    policy: MergePolicy, isFoundBySave: Bool
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let objects = (owners + [part]).map { entity in
        let object = mine.insert(entity)
        object[0] = .string(entity.name)
        return object
      }
      try mine.save()
      let (targets, part) = (objects.prefix(3), objects[3])
      // A save finds the missing rows in this order: box, shelf, label.
      for index in [1, 2, 0] { part[index + 1] = .object(targets[index].objectID) }
      let ids = targets.map(\.objectID)
      let theirs = store.context("theirs")
      let deletion = try theirs.saving {
        for id in ids { theirs.delete(try theirs.existingObject(with: id)) }
      }
      if !isFoundBySave { try mine.mergeChanges(fromContextDidSave: deletion) }
      try mine.save()
      #expect(found.withLock { $0 } == [[true, true, true]])
      #expect(try mine.all(self.part).isEmpty)
    }
  }
}
