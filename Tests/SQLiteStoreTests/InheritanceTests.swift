import Baseline
import Foundation
import GRDB
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct InheritanceTests {
  @Test func `a simple entity's table has no extra columns`() throws {
    let schema = try Schema(Fixture().model)
    let table = schema.tables[0]
    let columns =
      #""ZKEY", "ZNAME", "ZSIZE", "ZISCAPITAL", "ZFOUNDED", "ZFLAG", "ZMOTTO", "ZRANK", "#
      + #""ZPRICE", "ZTOKEN", "ZSITE""#
    #expect(
      table.insertion
        == #"INSERT INTO "ZCITY" (Z_PK, Z_ENT, Z_OPT, \#(columns))"#
        + " VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    #expect(
      table.update(of: AttributeMask(index: 1))
        == #"UPDATE "ZCITY" SET Z_OPT = Z_OPT + 1, "ZNAME" = ? WHERE Z_PK = ? AND Z_OPT = ?"#)
    #expect(table.deletion == #"DELETE FROM "ZCITY" WHERE Z_PK = ? AND Z_OPT = ?"#)
    #expect(table.row == #"SELECT Z_PK, Z_OPT, \#(columns) FROM "ZCITY" WHERE Z_PK = ?"#)
    let query = QueryShape(output: .rows, entityIndex: 0)
    #expect(query.sql(in: schema) == #"SELECT Z_PK, Z_OPT, \#(columns) FROM "ZCITY" AS t0"#)
    #expect(
      schema.creation(of: schema.roots[0]) == [
        #"CREATE TABLE "ZCITY" (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "#
          + #""ZKEY" INTEGER, "ZNAME" TEXT, "ZSIZE" REAL, "ZISCAPITAL" INTEGER, "#
          + #""ZFOUNDED" REAL, "ZFLAG" BLOB, "ZMOTTO" TEXT, "ZRANK" INTEGER, "#
          + #""ZPRICE" REAL, "ZTOKEN" BLOB, "ZSITE" TEXT)"#,
        #"CREATE INDEX "ZCITY_ZKEY_INDEX" ON "ZCITY" ("ZKEY")"#,
        #"CREATE INDEX "ZCITY_ZNAME_INDEX" ON "ZCITY" ("ZNAME")"#,
      ])
    #expect(table.isPlain)
  }

  @Test func `entities of one hierarchy share a table and its keys`() throws {
    let store = try FamilyStore()
    let family = store.family
    let ids = try store.saved([
      store.insert(family.boss, ["name": .string("b")]),
      store.insert(family.person, ["name": .string("p")]),
      store.insert(family.company, ["name": .string("c")]),
      store.insert(family.contractor, ["name": .string("x")]),
    ])
    #expect(ids.map(\.primaryKey) == [1, 2, 1, 3])
    #expect(ids.map(\.entityIndex) == [2, 0, 4, 3])
    try store.sql { database in
      let columns = try database.columns(in: "ZPERSON").map(\.name)
      // A relationship to several entities has a column for the entity.
      #expect(
        columns == [
          "Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZEMAIL", "ZEMPLOYER", "ZTITLE", "ZNUMBER", "ZDESK",
          "ZBOSS", "ZTITLE1",
        ])
      let keys = try Row.fetchAll(
        database, sql: "SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
      #expect(
        keys.map { "\($0[0] as String) \($0[1] as Int) \($0[2] as Int)" } == [
          "Person 0 3", "Employee 1 0", "Boss 2 0", "Contractor 1 0", "Company 0 1",
          "Project 0 0", "Desk 0 0",
        ])
      let indexed = try database.indexes(on: "ZPERSON").filter { !$0.isUnique }.map(\.columns)
      #expect(Set(indexed) == [["ZEMPLOYER"], ["ZTITLE"], ["ZDESK"], ["ZBOSS"]])
    }
  }

  // Semantics 101
  @Test(arguments: StoreMode.allCases)
  func `a fetch returns objects of subentities with their own entity`(mode: StoreMode) throws {
    let store = try FamilyStore(mode)
    let family = store.family
    let desk = try store.saved(family.desk, ["room": .int64(7)])
    let inserts = [
      store.insert(family.person, ["name": .string("p"), "email": .string("p@x")]),
      store.insert(
        family.employee,
        ["name": .string("e"), "title": .string("clerk"), "desk": .object(desk)]),
      store.insert(family.contractor, ["name": .string("c"), "title": .int64(3)]),
      store.insert(family.boss, ["name": .string("b"), "title": .string("chief")]),
    ]
    let ids = try store.saved(inserts)
    var request = FetchRequest(family.person)
    let found = try store.coordinator.fetch(request)
    #expect(
      Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.snapshot.values) })
        == Dictionary(uniqueKeysWithValues: zip(ids, inserts.map(\.values))))
    #expect(try store.coordinator.count(request) == 4)
    request.includesSubentities = false
    #expect(try store.coordinator.fetch(request).map(\.id) == [ids[0]])
    #expect(try store.coordinator.count(request) == 1)
    let title = try #require(family.employee.index(of: "title"))
    request = FetchRequest(
      family.employee, where: .or([.compare(title, .equal, .string("chief")), .false]),
      sortedBy: [Sort(title)])
    #expect(try store.coordinator.fetch(request).map(\.id) == [ids[3]])
    request.predicate = nil
    #expect(try store.coordinator.fetch(request).map(\.id) == [ids[3], ids[1]])
    request.includesSubentities = false
    #expect(try store.coordinator.fetch(request).map(\.id) == [ids[1]])
    #expect(try store.coordinator.fetch(FetchRequest(family.contractor)).map(\.id) == [ids[2]])
  }

  // Semantics 36
  @Test func `a transient attribute is not stored and reads as its default`() throws {
    let store = try FamilyStore()
    let mood = try #require(store.family.boss.index(of: "mood"))
    let id = try store.saved(store.family.boss, ["name": .string("b"), "mood": .string("bad")])
    store.coordinator.forgetRows(of: [id])
    #expect(try store.coordinator.snapshot(of: id)?.values[mood] == .string("fine"))
    try store.save(store.update(id, ["mood": .string("worse"), "name": .string("c")]))
    store.coordinator.forgetRows(of: [id])
    #expect(try store.value(id, "mood") == .string("fine"))
    #expect(try store.value(id, "name") == .string("c"))
    let rows = try PlainReader(store.configuration.url).rows(of: store.family.boss)
    #expect(rows.map(\.values) == [[.string("c"), .null, .string("fine"), .null, .null]])
  }

  @Test func `a coordinator finds the entities of a template`() throws {
    let store = try FamilyStore()
    let family = store.family
    let url = store.folder.file("template.sqlite")
    let company = ManagedObjectID(store: 1, entityIndex: 4, primaryKey: 1)
    try StoreFile.createTemplate(
      at: url, model: family.model,
      rows: [
        (family.company, [[.string("A")]]),
        (
          family.employee,
          [store.row(family.employee, ["name": .string("e"), "employer": .object(company)])]
        ),
        (family.person, [store.row(family.person, ["name": .string("p")])]),
      ])
    let coordinator = try SQLiteCoordinator(.init(url: url, mode: .pool), model: family.model)
    let found = try coordinator.fetch(FetchRequest(family.person, sortedBy: [Sort(0)]))
    #expect(found.map(\.id.primaryKey) == [1, 2])
    #expect(found.map(\.id.entityIndex) == [1, 0])
    let employer = try #require(
      found[0].snapshot.values[family.person.index(of: "employer") ?? 0].objectID)
    #expect(try coordinator.related(to: employer, at: 0) == [found[0].id])
  }

  @Test func `a row of an unexpected entity in a table is an error`() throws {
    let store = try FamilyStore()
    _ = try store.saved(store.family.person, ["name": .string("p")])
    try DatabaseQueue(path: store.configuration.url.path(percentEncoded: false)).write {
      try $0.execute(sql: "UPDATE ZPERSON SET Z_ENT = 5")
    }
    let damaged = StoreError.damaged(
      path: store.configuration.url.path(percentEncoded: false),
      problem: "a row of ZPERSON is of entity number 5, which has no rows there")
    #expect(throws: damaged) { try store.coordinator.fetch(FetchRequest(store.family.person)) }
  }
}
