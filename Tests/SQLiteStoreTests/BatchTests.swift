import Baseline
import Foundation
import GRDB
import ObjectGraph
import Queues
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct BatchTests {
  private func named(_ names: String...) -> [[String: Value]] {
    names.map { ["name": .string($0)] }
  }

  private func names(_ store: FamilyStore, _ entity: Entity) throws -> [Value] {
    try PlainReader(store.configuration.url).rows(of: entity).map { $0.values[0] }
  }

  // Semantics 119
  @Test(arguments: StoreMode.allCases)
  func `a batch insert writes defaults and returns a count or IDs`(
    mode: StoreMode
  ) throws {
    let store = try FamilyStore(mode)
    let family = store.family
    var request = BatchRequest.insert(family.boss, objects: named("a", "b"))
    #expect(try store.coordinator.execute(request) == BatchResult(count: 2, objectIDs: nil))
    request.returnsObjectIDs = true
    let ids = try #require(try store.coordinator.execute(request).objectIDs)
    #expect(ids.map(\.primaryKey) == [3, 4] && ids.map(\.entityIndex) == [2, 2])
    let rows = try store.coordinator.snapshots(of: ids)
    #expect(rows[1]?.values == store.row(family.boss, ["name": .string("b")]))
    #expect(rows[1]?.version == 1)
    #expect(try store.coordinator.execute(.insert(family.boss, objects: [])).count == 0)
  }

  // Semantics 119, 75
  @Test(arguments: StoreMode.allCases)
  func `a batch update changes matching rows and their versions, but no cached row`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode, rows: 10)
    _ = try store.fetch()
    var request = BatchRequest.update(
      store.entity, where: .compare(Fixture.key, .greater, .int64(7)),
      set: ["name": .string("x"), "size": .null])
    request.returnsObjectIDs = true
    let result = try store.coordinator.execute(request)
    #expect(result.objectIDs == [8, 9, 10].map { store.id($0) } && result.count == 3)
    let plain = try store.plainRows()
    #expect(plain.map(\.version) == [1, 1, 1, 1, 1, 1, 1, 2, 2, 2])
    var expected = store.fixture.row(9, name: "x")
    expected[Fixture.size] = .null
    #expect(plain[8].values == expected && plain[6].values == store.fixture.row(7))
    #expect(store.coordinator.cachedSnapshot(of: store.id(9))?.values == store.fixture.row(9))
    let error = #expect(throws: SaveError.self) {
      try store.coordinator.save(store.renaming(9, to: "y"))
    }
    guard case .conflict(let conflicts)? = error else { return #expect(Bool(false)) }
    #expect(conflicts.map(\.newVersion) == [2])
  }

  // Semantics 119
  @Test func `a batch update includes subentities by default and sets relationships`()
    throws
  {
    let store = try FamilyStore()
    let family = store.family
    let company = try store.saved(family.company, ["name": .string("A")])
    _ = try store.coordinator.execute(.insert(family.boss, objects: named("b")))
    _ = try store.coordinator.execute(.insert(family.person, objects: named("p")))
    let all = BatchRequest.update(family.person, set: ["employer": .object(company)])
    #expect(try store.coordinator.execute(all).count == 2)
    #expect(try store.related(company, "staff").map(\.entityIndex) == [2, 0])
    let some = BatchRequest.update(
      family.person, includesSubentities: false, set: ["employer": .null])
    #expect(try store.coordinator.execute(some).count == 1)
    #expect(try store.related(company, "staff").map(\.entityIndex) == [2])
  }

  // Semantics 120
  @Test(arguments: StoreMode.allCases)
  func `a batch delete clears references to the rows and applies no delete rule`(mode: StoreMode)
    throws
  {
    let store = try FamilyStore(mode)
    let family = store.family
    let company = store.temporaryID(family.company)
    let ids = try store.saved([
      store.insert(family.boss, ["name": .string("b")]),
      store.insert(family.company, ["name": .string("A")], id: company),
      store.insert(family.person, ["name": .string("p"), "employer": .object(company)]),
      store.insert(family.desk, ["room": .int64(1)]),
    ])
    try store.save(
      store.update(ids[3], ["owner": .object(ids[0])]),
      store.update(ids[0], ["boss": .object(ids[0]), "employer": .object(ids[1])]))
    try store.save(linked: [
      store.link(ids[2], "friends", ids[0]), store.link(ids[2], "friends", ids[2]),
    ])
    _ = try store.coordinator.fetch(FetchRequest(family.person))
    var batch = BatchRequest.delete(FetchRequest(family.employee))
    batch.returnsObjectIDs = true
    #expect(
      try store.coordinator.execute(batch) == BatchResult(count: 1, objectIDs: [ids[0]]))
    #expect(store.coordinator.cachedSnapshot(of: ids[0]) != nil)
    store.coordinator.forgetRows(of: ids)
    #expect(try store.coordinator.snapshot(of: ids[0]) == nil)
    #expect(try store.related(ids[2], "friends") == [ids[2]])
    #expect(try store.coordinator.snapshot(of: ids[3])?.values == [.int64(1), .null])
    // The version changed, so a context with the desk's old row finds that its owner is gone.
    #expect(try store.coordinator.snapshot(of: ids[3])?.version == 3)
    #expect(
      try store.sql { try Row.fetchOne($0, sql: "SELECT ZOWNER, Z2_OWNER FROM ZDESK") }
        == ["ZOWNER": nil, "Z2_OWNER": nil])
    #expect(
      try store.coordinator.execute(.delete(family.company, objects: [ids[1]])).count == 1)
    #expect(try store.value(ids[2], "employer") == .null)
  }

  @Test func `a batch delete accepts a limit, or IDs of a subentity`() throws {
    let store = try TestStore(.pool, rows: 5)
    let limited = FetchRequest(
      store.entity, sortedBy: [Sort(Fixture.key, isAscending: false)], limit: 2)
    #expect(try store.coordinator.execute(.delete(limited)).count == 2)
    #expect(try store.plainRows().map(\.key) == [1, 2, 3])
    let family = try FamilyStore()
    let ids = try family.saved([
      family.insert(family.family.person, ["name": .string("p")]),
      family.insert(family.family.boss, ["name": .string("b")]),
    ])
    let request = BatchRequest.delete(family.family.employee, objects: [ids[1]])
    #expect(try family.coordinator.execute(request).count == 1)
    #expect(try family.coordinator.fetch(FetchRequest(family.family.person)).map(\.id) == [ids[0]])
  }

  // Semantics 76
  @Test func `a new row with another row's unique values fails, is ignored, or updates that row`()
    throws
  {
    let store = try FamilyStore()
    let family = store.family
    let boss = try store.saved(
      family.boss, ["name": .string("old"), "email": .string("x"), "number": .int64(1)])
    let objects: [[String: Value]] = [
      ["name": .string("first"), "email": .string("y")],
      ["name": .string("new"), "email": .string("x")],
    ]
    var request = BatchRequest.insert(family.boss, objects: objects)
    request.returnsObjectIDs = true
    let error = #expect(throws: SaveError.self) { try store.coordinator.execute(request) }
    guard case .constraint(let conflicts)? = error else { return #expect(Bool(false)) }
    #expect(conflicts.map(\.rowID) == [boss] && conflicts.map(\.constraint) == [["email"]])
    #expect(try names(store, family.boss) == [.string("old")])
    request.uniquenessRule = .skip
    #expect(try store.coordinator.execute(request).objectIDs?.map(\.primaryKey) == [2])
    request.uniquenessRule = .update
    #expect(try store.coordinator.execute(request).objectIDs?.map(\.primaryKey) == [1, 2])
    #expect(try names(store, family.boss) == [.string("new"), .string("first")])
    store.coordinator.forgetRows(of: [boss])
    #expect(try store.value(boss, "number") == .int64(1))
    #expect(try store.coordinator.snapshot(of: boss)?.version == 2)
    var other = BatchRequest.insert(family.contractor, objects: objects)
    other.uniquenessRule = .update
    #expect(try store.coordinator.execute(other).count == 0)
  }

  @Test func `a batch that fails writes nothing`() throws {
    let store = try FamilyStore()
    let company = store.family.company
    _ = try store.coordinator.execute(.insert(company, objects: named("A", "B")))
    #expect(throws: StoreError.self) {
      try store.coordinator.execute(.update(company, set: ["name": .string("C")]))
    }
    #expect(try names(store, company) == [.string("A"), .string("B")])
    let store2 = try TestStore(.pool, rows: 1)
    var bad = store2.fixture.row(3)
    bad[Fixture.size] = .double(.nan)
    #expect(throws: StoreError.self) {
      try store2.coordinator.execute(
        .insert(store2.entity, rows: [store2.fixture.row(2), bad]))
    }
    #expect(try store2.plainRows().count == 1)
  }

  // Semantics 76
  @Test(arguments: [(MergePolicy.storeTrump, 0, "old"), (.objectTrump, 1, "new")])
  func `the merge policy decides what happens to a new row with another row's unique values`(
    policy: MergePolicy, count: Int, name: String
  ) throws {
    let store = try FamilyStore()
    let person = store.family.person
    _ = try store.saved(person, ["name": .string("old"), "email": .string("x")])
    let context = store.coordinator.context()
    let insertion = BatchRequest.insert(
      person, objects: [["name": .string("new"), "email": .string("x")]])
    try context.performAndWait {
      #expect(throws: SaveError.self) { try context.execute(insertion) }
      context.mergePolicy = policy
      let result = try context.execute(insertion)
      #expect(result.count == count)
    }
    #expect(try names(store, person) == [.string(name)])
  }

  // Semantics 51
  @Test(arguments: StoreMode.allCases)
  func `a refresh shows a batch's changes only if it bypasses the row cache`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode, rows: 1)
    let context = store.coordinator.context()
    try context.performAndWait {
      let object = try #require(try context.fetch(FetchRequest(store.entity)).first)
      object.fireFault()
      try context.execute(.update(store.entity, set: ["name": .string("x")]))
      try context.refresh(object, mergeChanges: false)
      #expect(object[Fixture.name] == .string("city 1"))
      context.stalenessInterval = .zero
      try context.refresh(object, mergeChanges: false)
      #expect(object[Fixture.name] == .string("x"))
    }
  }

  // Semantics 119
  @Test(arguments: StoreMode.allCases)
  func `a batch request changes no object of its context and posts no notification`(mode: StoreMode)
    throws
  {
    let store = try TestStore(mode, rows: 3)
    let parent = store.coordinator.context("parent")
    let context = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(parent))
    try context.performAndWait {
      let objects = try context.fetch(FetchRequest(store.entity, sortedBy: [Sort(Fixture.key)]))
      let heard = Heard(0)
      context.observeObjectsDidChange { _ in heard.value += 1 }
      context.observeDidSave { _ in heard.value += 1 }
      let update = BatchRequest.update(store.entity, set: ["name": .string("x")])
      #expect(try context.execute(update).count == 3)
      #expect(objects.map { $0[Fixture.name] } == (1...3).map { .string("city \($0)") })
      let delete = BatchRequest.delete(FetchRequest(store.entity, limit: 2))
      #expect(try context.execute(delete).count == 2)
      #expect(objects.allSatisfy { $0.context === context && !$0.isDeleted })
      #expect(!context.hasChanges && heard.value == 0)
    }
    #expect(try store.plainRows().map(\.key) == [3])
  }
}
