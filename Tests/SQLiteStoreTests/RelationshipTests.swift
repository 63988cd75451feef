import GRDB
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct RelationshipTests {
  @Test(arguments: StoreMode.allCases)
  func `a row can refer to another row of the same save`(mode: StoreMode) throws {
    let store = try FamilyStore(mode)
    let (family, company) = (store.family, store.temporaryID(store.family.company))
    let boss = store.temporaryID(family.boss)
    let ids = try store.saved([
      store.insert(
        family.employee,
        ["name": .string("Ada"), "employer": .object(company), "boss": .object(boss)]),
      store.insert(family.company, ["name": .string("Acme")], id: company),
      store.insert(
        family.boss, ["name": .string("Bea"), "employer": .object(company)], id: boss),
    ])
    #expect(try store.value(ids[0], "employer") == .object(ids[1]))
    #expect(try store.value(ids[0], "boss") == .object(ids[2]))
    #expect(try store.related(ids[1], "staff") == [ids[0], ids[2]])
    #expect(try store.related(ids[2], "reports") == [ids[0]])
    // The row cache has the permanent IDs too.
    let other = try SQLiteCoordinator(store.configuration, model: family.model)
    #expect(try other.snapshots(of: ids) == store.coordinator.snapshots(of: ids))
  }

  // Semantics 50
  @Test func `the entity of a target is known without reading its row`() throws {
    let store = try FamilyStore()
    let person = try store.saved(store.family.contractor, ["name": .string("Cleo")])
    let desk = try store.saved(store.family.desk, ["room": .int64(1)])
    let owner = try store.saved(
      store.family.boss, ["name": .string("Bea"), "desk": .object(desk)])
    try store.save(store.update(desk, ["owner": .object(owner)]))
    #expect(try store.value(desk, "owner") == .object(owner))
    #expect(try store.value(owner, "desk") == .object(desk))
    #expect(person.entityIndex == 3 && owner.entityIndex == 2)
    let kinds = try store.sql { try Row.fetchAll($0, sql: "SELECT ZOWNER, Z2_OWNER FROM ZDESK") }
    #expect(kinds == [["ZOWNER": owner.primaryKey, "Z2_OWNER": 3]])
    try store.save(store.update(desk, ["owner": .null]))
    let none = try store.sql { try Row.fetchAll($0, sql: "SELECT ZOWNER, Z2_OWNER FROM ZDESK") }
    #expect(none == [["ZOWNER": nil, "Z2_OWNER": nil]])
  }

  @Test(arguments: StoreMode.allCases)
  func `pairs are found from both sides, whichever side added them`(mode: StoreMode) throws {
    let store = try FamilyStore(mode)
    let (family, project) = (store.family, store.temporaryID(store.family.project))
    let ada = store.temporaryID(family.employee)
    var request = SaveRequest()
    request.inserts = [
      store.insert(family.employee, ["name": .string("Ada")], id: ada),
      store.insert(family.boss, ["name": .string("Bea")]),
      store.insert(family.project, ["name": .string("Ark")], id: project),
    ]
    request.linked = [try store.link(ada, "projects", project)]
    let ids = try store.coordinator.save(request)
    try store.save(linked: [
      store.link(ids[2], "members", ids[1]), store.link(ids[2], "members", ids[0]),
    ])
    #expect(try store.related(ids[2], "members") == [ids[0], ids[1]])
    #expect(try store.related(ids[0], "projects") == [ids[2]])
    #expect(try store.related(ids[1], "projects") == [ids[2]])
    try store.save(unlinked: [store.link(ids[0], "projects", ids[2])])
    #expect(try store.related(ids[2], "members") == [ids[1]])
  }

  @Test func `a relationship to its own entity works in both directions`() throws {
    let store = try FamilyStore()
    let ids = try store.saved(
      ["a", "b", "c"].map { store.insert(store.family.person, ["name": .string($0)]) })
    try store.save(linked: [
      store.link(ids[0], "children", ids[1]), store.link(ids[2], "parents", ids[0]),
    ])
    #expect(try store.related(ids[0], "children") == [ids[1], ids[2]])
    #expect(try store.related(ids[0], "parents") == [])
    #expect(try store.related(ids[2], "parents") == [ids[0]])
  }

  @Test func `a relationship that is its own inverse is symmetric`() throws {
    let store = try FamilyStore()
    let ids = try store.saved(
      ["a", "b", "c"].map { store.insert(store.family.person, ["name": .string($0)]) })
    try store.save(linked: [
      store.link(ids[1], "friends", ids[0]), store.link(ids[1], "friends", ids[2]),
      store.link(ids[2], "friends", ids[2]),
    ])
    #expect(try store.related(ids[1], "friends") == [ids[0], ids[2]])
    #expect(try store.related(ids[0], "friends") == [ids[1]])
    #expect(try store.related(ids[2], "friends") == [ids[1], ids[2]])
    try store.save(unlinked: [store.link(ids[0], "friends", ids[1])])
    #expect(try store.related(ids[1], "friends") == [ids[2]])
    #expect(try store.related(ids[0], "friends") == [])
  }

  @Test func `an inherited relationship is stored in the parent's table`() throws {
    let store = try FamilyStore()
    let family = store.family
    let ids = try store.saved([
      store.insert(family.person, ["name": .string("p")]),
      store.insert(family.boss, ["name": .string("b")]),
      store.insert(family.contractor, ["name": .string("c")]),
    ])
    try store.save(linked: [
      store.link(ids[1], "friends", ids[0]), store.link(ids[2], "children", ids[1]),
    ])
    #expect(try store.related(ids[0], "friends") == [ids[1]])
    #expect(try store.related(ids[1], "parents") == [ids[2]])
    let tables = try store.sql {
      try String.fetchAll(
        $0,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z\\_%' ESCAPE '\\'"
      )
    }
    #expect(
      Set(tables) == ["Z_1FRIENDS", "Z_1PARENTS", "Z_2PROJECTS", "Z_METADATA", "Z_PRIMARYKEY"])
  }

  @Test func `a deleted row leaves no pairs`() throws {
    let store = try FamilyStore()
    let family = store.family
    let ids = try store.saved([
      store.insert(family.boss, ["name": .string("b")]),
      store.insert(family.person, ["name": .string("p")]),
      store.insert(family.project, ["name": .string("x")]),
    ])
    try store.save(linked: [
      store.link(ids[0], "friends", ids[1]), store.link(ids[0], "children", ids[1]),
      store.link(ids[1], "children", ids[0]), store.link(ids[0], "projects", ids[2]),
    ])
    try store.delete(ids[0])
    for table in ["Z_1FRIENDS", "Z_1PARENTS", "Z_2PROJECTS"] {
      #expect(try store.sql { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
    }
  }

  // Semantics 68
  @Test func `changing a relationship raises the row's version`() throws {
    let store = try FamilyStore()
    let id = try store.saved(store.family.person, ["name": .string("a")])
    try store.save(store.update(id, [:]))
    #expect(try store.coordinator.snapshot(of: id)?.version == 2)
    #expect(throws: SaveError.self) { try store.save(store.update(id, [:], version: 1)) }
  }

  @Test func `rows are found by their references`() throws {
    let store = try FamilyStore()
    let family = store.family
    let companies = try store.saved([
      store.insert(family.company, ["name": .string("A")]),
      store.insert(family.company, ["name": .string("B")]),
    ])
    let people = try store.saved([
      store.insert(family.person, ["name": .string("1"), "employer": .object(companies[0])]),
      store.insert(family.boss, ["name": .string("2"), "employer": .object(companies[1])]),
      store.insert(family.person, ["name": .string("3")]),
    ])
    let employer = try #require(family.person.index(of: "employer"))
    func found(_ predicate: FetchPredicate) throws -> Set<ManagedObjectID> {
      try Set(store.coordinator.fetch(FetchRequest(family.person, where: predicate)).map(\.id))
    }
    let unsaved = Value.object(store.temporaryID(family.company))
    #expect(try found(.compare(employer, .equal, .object(companies[1]))) == [people[1]])
    #expect(
      try found(.compare(employer, .notEqual, .object(companies[1]))) == [people[0], people[2]])
    #expect(try found(.compare(employer, .equal, .null)) == [people[2]])
    #expect(try found(.compare(employer, .equal, unsaved)) == [])
    #expect(try found(.not(.compare(employer, .equal, unsaved))) == Set(people))
    let all = ValueSet(companies.map { .object($0) } + [unsaved, .null])
    #expect(try found(.isIn(employer, all)) == [people[0], people[1]])
    let long = ValueSet(
      [.object(companies[0]), unsaved]
        + (100...PredicateSQL.longestBoundList + 200).map {
          .object(ManagedObjectID(store: 1, entityIndex: 4, primaryKey: Int64($0)))
        })
    #expect(try found(.isIn(employer, long)) == [people[0]])
    #expect(try found(.not(.isIn(employer, long))) == [people[1], people[2]])
  }
}
