import Baseline
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct UniquenessPolicyTests {
  private struct Scene {
    let store: FamilyStore
    let context: ManagedObjectContext
    var family: Family { store.family }

    init(_ policy: MergePolicy) throws {
      store = try FamilyStore()
      context = store.coordinator.context()
      context.mergePolicy = policy
      _ = try store.saved([
        store.insert(family.person, ["name": .string("old"), "email": .string("x")]),
        store.insert(family.person, ["name": .string("other"), "email": .string("y")]),
      ])
    }

    /// Names and emails, by key.
    func rows() throws -> [String] {
      try PlainReader(store.configuration.url).rows(of: family.person).map { row in
        row.values.prefix(2).map { if case .string(let text) = $0 { text } else { "-" } }
          .joined(separator: " ")
      }
    }

    func insertTwin() throws {
      let twin = context.insert(
        family.person, values: store.row(family.person, ["name": .string("new")]))
      twin[1] = .string("x")
      try context.save()
    }
  }

  // Semantics 76
  @Test func `by the error policy the save fails and stays pending`() throws {
    let scene = try Scene(.error)
    scene.context.performAndWait {
      let error = #expect(throws: SaveError.self) { try scene.insertTwin() }
      #expect(error?.code == 133_021)
      #expect(scene.context.insertedObjects.count == 1)
    }
    #expect(try scene.rows() == ["old x", "other y"])
  }

  // Semantics 76
  @Test(arguments: [
    (MergePolicy.storeTrump, "old x"), (.rollback, "old x"), (.objectTrump, "new x"),
    (.overwrite, "new x"),
  ])
  func `a new object is replaced by the row, which takes its values if the policy prefers them`(
    policy: MergePolicy, row: String
  ) throws {
    let scene = try Scene(policy)
    try scene.context.performAndWait { try scene.insertTwin() }
    #expect(!scene.context.performAndWait { scene.context.hasChanges })
    #expect(try scene.rows() == [row, "other y"])
  }

  // Semantics 76
  @Test(arguments: [
    (MergePolicy.storeTrump, ["old x", "edited y"]), (.rollback, ["old x", "edited y"]),
    (.objectTrump, ["edited x"]), (.overwrite, ["edited x"]),
  ])
  func `a policy either discards the edited object's values or deletes the row`(
    policy: MergePolicy, rows: [String]
  ) throws {
    let scene = try Scene(policy)
    try scene.context.performAndWait {
      var request = FetchRequest(scene.family.person, sortedBy: [Sort(0, isAscending: false)])
      request.limit = 1
      let object = try #require(try scene.context.fetch(request).first)
      object[0] = .string("edited")
      object[1] = .string("x")
      try scene.context.save()
    }
    #expect(try scene.rows() == rows)
  }

  // Semantics 76
  @Test func `two new objects of one save with the same unique value become one`() throws {
    for policy in [MergePolicy.storeTrump, .objectTrump] {
      let scene = try Scene(policy)
      try scene.context.performAndWait {
        for name in ["first", "second"] {
          _ = scene.context.insert(
            scene.family.person,
            values: scene.store.row(
              scene.family.person, ["name": .string(name), "email": .string("z")]))
        }
        try scene.context.save()
      }
      let expected = policy == .storeTrump ? "first z" : "second z"
      #expect(try scene.rows() == ["old x", "other y", expected])
    }
  }
}
