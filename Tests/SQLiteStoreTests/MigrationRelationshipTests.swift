import Foundation
import GRDB
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct MigrationRelationshipTests {
  private let name = AttributeDescription("name", .string)

  private func pair(
    _ left: RelationshipDescription?, _ right: RelationshipDescription?
  ) throws -> [Entity] {
    [
      try entity("A", [name], left.map { [$0] } ?? []),
      try entity("B", [name], right.map { [$0] } ?? []),
    ]
  }

  private let rows: [(String, [String: Value])] = [
    ("A", ["name": .string("a1"), "b": .int64(2)]), ("A", ["name": .string("a2")]),
    ("B", ["name": .string("b1"), "a": .int64(0)]), ("B", ["name": .string("b2"), "a": .int64(1)]),
  ]

  private func problems(_ store: MigratingStore, _ entities: [Entity]) throws -> [String] {
    do {
      _ = try store.rows(entities)
    } catch StoreError.cannotInfer(_, let problems) {
      return problems
    }
    return []
  }

  // Semantics 126
  @Test func `a relationship is renamed together with its destination`() throws {
    let store = try MigratingStore()
    try store.fill(
      pair(.toOne("b", "B", inverse: "as"), .toMany("as", "A", inverse: "b")), rows)
    let newer = [
      try entity(
        "C", [name], [.toMany("all", "A", inverse: "c", renamingIdentifier: "as")], was: "B"),
      try entity("A", [name], [.toOne("c", "C", inverse: "all", renamingIdentifier: "b")]),
    ]
    #expect(
      try store.rows(newer) == [
        "C/1 name=b1 all={A/1}", "C/2 name=b2 all={}", "A/1 name=a1 c=C/1", "A/2 name=a2 c=-",
      ])
  }

  // Semantics 126
  @Test func `one-to-one becomes one-to-many, and that many-to-many`() throws {
    let store = try MigratingStore()
    try store.fill(pair(.toOne("b", "B", inverse: "a"), .toOne("a", "A", inverse: "b")), rows)
    let oneToMany = try pair(.toMany("b", "B", inverse: "a"), .toOne("a", "A", inverse: "b"))
    let left = ["A/1 name=a1 b={B/1}", "A/2 name=a2 b={B/2}"]
    #expect(try store.rows(oneToMany) == left + ["B/1 name=b1 a=A/1", "B/2 name=b2 a=A/2"])
    let manyToMany = try pair(.toMany("b", "B", inverse: "a"), .toMany("a", "A", inverse: "b"))
    let right = ["B/1 name=b1 a={A/1}", "B/2 name=b2 a={A/2}"]
    #expect(try store.rows(manyToMany) == left + right)
    #expect(try store.rows(pair(nil, nil)).count == 4)
  }

  // Semantics 126
  @Test func `one-to-many becomes many-to-many by either side's name`() throws {
    for rename in ["left", "right"] {
      let store = try MigratingStore()
      try store.fill(pair(.toMany("b", "B", inverse: "a"), .toOne("a", "A", inverse: "b")), rows)
      // One side names its old relationship, and the other looks new.
      let (b, a) = rename == "left" ? ("bs", "a") : ("b", "as")
      let newer = try pair(.toMany(b, "B", inverse: a), .toMany(a, "A", inverse: b))
      #expect(
        try store.rows(newer) == [
          "A/1 name=a1 \(b)={B/1}", "A/2 name=a2 \(b)={B/2}", "B/1 name=b1 \(a)={A/1}",
          "B/2 name=b2 \(a)={A/2}",
        ])
    }
  }

  // Semantics 126
  @Test func `a relationship gains an inverse and loses it again`() throws {
    let store = try MigratingStore()
    try store.fill(pair(.toOne("b", "B"), nil), rows)
    let both = try pair(.toOne("b", "B", inverse: "as"), .toMany("as", "A", inverse: "b"))
    let left = ["A/1 name=a1 b=B/1", "A/2 name=a2 b=-"]
    #expect(try store.rows(both) == left + ["B/1 name=b1 as={A/1}", "B/2 name=b2 as={}"])
    #expect(try store.rows(pair(.toOne("b", "B"), nil)) == left + ["B/1 name=b1", "B/2 name=b2"])
  }

  // Semantics 126
  @Test func `pairs survive when their entities change index and name`() throws {
    let store = try MigratingStore()
    let family = try Family()
    let links = [(0, "friends", 1), (0, "children", 2), (1, "projects", 3), (2, "friends", 2)]
    try store.fill(
      family.model.entities,
      [
        ("Person", ["name": .string("p")]),
        ("Boss", ["name": .string("b"), "employer": .int64(4)]),
        ("Contractor", ["name": .string("c")]), ("Project", ["name": .string("x")]),
        ("Company", ["name": .string("co")]), ("Desk", ["room": .int64(1), "owner": .int64(1)]),
      ], links: links)
    let person = try entity(
      "Human", [name],
      [
        .toMany("friends", "Human", inverse: "friends"),
        .toMany("kids", "Human", inverse: "parents", renamingIdentifier: "children"),
        .toMany("parents", "Human", inverse: "kids"),
      ], was: "Person")
    // The boss is the only successor.
    let boss = try entity(
      "Boss", [], [.toMany("works", "Project", inverse: "members", renamingIdentifier: "projects")],
      parent: person)
    let newer = [
      try entity("Desk", [AttributeDescription("room", .int64)]),
      try entity("Project", [name], [.toMany("members", "Boss", inverse: "works")]), boss, person,
    ]
    #expect(
      try problems(store, newer) == [
        "'Project.members' led to 'Employee' and leads to 'Boss' now; keep the destination, or rename it"
      ])
    let wider = [
      try entity("Desk", [AttributeDescription("room", .int64)], [.toOne("owner", "Human")]),
      try entity("Company", [name], [.toMany("staff", "Human", inverse: "employer")]),
      try entity(
        "Boss", [],
        parent: entity(
          "Human", [name],
          [
            .toOne("employer", "Company", inverse: "staff"),
            .toMany("friends", "Human", inverse: "friends"),
            .toMany("kids", "Human", inverse: "parents", renamingIdentifier: "children"),
            .toMany("parents", "Human", inverse: "kids"),
          ], was: "Person")),
    ]
    let all = wider + [try #require(wider[2].parent)]
    #expect(
      try problems(store, all) == [
        "'Desk.owner' led to 'Employee' and leads to 'Human' now; keep the destination, or rename it"
      ])
    let desk = try entity("Desk", [AttributeDescription("room", .int64)])
    #expect(
      try store.rows([desk] + all.dropFirst()) == [
        "Desk/1 room=1", "Company/1 name=co staff={Boss/2}",
        "Boss/2 name=b employer=Company/1 friends={Human/1} kids={} parents={}",
        "Human/1 name=p employer=- friends={Boss/2} kids={} parents={}",
      ])
  }

  // Semantics 127
  @Test func `all undetermined changes are refused together, and the store is not changed`() throws
  {
    let store = try MigratingStore()
    let older =
      try pair(.toMany("b", "B", inverse: "a"), .toMany("a", "A", inverse: "b"))
      + [
        entity(
          "C",
          [
            AttributeDescription("size", .int64),
            AttributeDescription("note", .string, isOptional: true),
          ])
      ]
    try store.fill(older, [("A", ["name": .string("a")]), ("C", ["size": .int64(1)])])
    let newer =
      try pair(.toMany("b", "B", inverse: "a"), .toOne("a", "A", inverse: "b"))
      + [
        entity(
          "C",
          [
            AttributeDescription("size", .string), AttributeDescription("note", .string),
            AttributeDescription("more", .int64),
          ], [.toOne("d", "A", isOptional: false)])
      ]
    let found = try problems(store, newer)
    #expect(
      found == [
        "'B.a' was to-many, and only one could be kept; leave it to-many, or rename it",
        "'C.size' changes from int64 to string; keep the type, or give the attribute another name",
        "'C.note' must have a value now, and older rows may have none; give it a default",
        "'C.more' must have a value now, and older rows may have none; give it a default",
        "'C.d' must have a destination, and older rows have none; make it optional",
      ])
    let error = #expect(throws: StoreError.self) { try store.rows(newer) }
    #expect(error?.code == 134_190)
    #expect(try store.rows(older) == ["A/1 name=a b={}", "C/1 size=1 note=-"])
  }

  // Semantics 127
  @Test func `hierarchies are not joined and no inverse is invented`() throws {
    let store = try MigratingStore()
    try store.fill(pair(.toOne("b", "B"), nil), rows)
    let top = try entity("Top", [name])
    let joined = [top, try entity("A", [], parent: top), try entity("B", [], parent: top)]
    #expect(try problems(store, joined).first?.contains("no common parent") == true)
    let inverse = try pair(.toOne("b", "B", inverse: "a"), .toOne("a", "A", inverse: "b"))
    #expect(try problems(store, inverse).first?.contains("its inverse 'A.b' is not") == true)
    let twice = [
      try entity("A", [name]), try entity("X", [name], was: "B"), try entity("Y", [name], was: "B"),
    ]
    #expect(try problems(store, twice).first?.contains("'X' and 'Y'") == true)
  }

  // Semantics 127
  @Test func `a new uniqueness constraint refuses a store with equal values`() throws {
    let store = try MigratingStore()
    let older = try entity("City", [name])
    try store.fill([older], [("City", ["name": .string("x")]), ("City", ["name": .string("x")])])
    let newer = try entity("City", [name], unique: [["name"]])
    #expect(
      try problems(store, [newer]) == [
        "several rows have City: name = \"x\", which must be unique now; make them differ with the older"
          + " model first"
      ])
    #expect(try store.rows([older]).count == 2)
    try store.open([older]) { coordinator in
      _ = try coordinator.execute(.delete(FetchRequest(older, limit: 1)))
    }
    #expect(try store.rows([newer]) == ["City/2 name=x"])
  }

  /// The other changes of the same version are undone, too.
  // Semantics 127
  @Test func `a migration that fails leaves the file as it was, byte by byte`() throws {
    let store = try MigratingStore()
    let older = try entity("City", [name, AttributeDescription("size", .int64)])
    let rows: [(String, [String: Value])] = (0..<500).map {
      ("City", ["name": .string("c\($0 % 499)"), "size": .int64(Int64($0))])
    }
    try store.fill([older], rows)
    let before = try Data(contentsOf: store.configuration.url)
    let newer = [
      try entity(
        "City",
        [
          name, AttributeDescription("area", .int64, renamingIdentifier: "size"),
          AttributeDescription("note", .string, defaultValue: .string("none")),
        ], unique: [["name"]]), try entity("Town", [name]),
    ]
    let problem = try problems(store, newer)
    #expect(problem.count == 1 && problem[0].contains("City: name = \"c0\""))
    #expect(try Data(contentsOf: store.configuration.url) == before)
    #expect(try store.rows([older]).count == 500)
  }
}
