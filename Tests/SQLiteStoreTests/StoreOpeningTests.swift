import Foundation
import GRDB
import GRDBSQLite
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct StoreOpeningTests {
  @Test(arguments: StoreMode.allCases)
  func `a reopened store has its rows and continues its keys`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode)
    _ = try store.coordinator.save(store.insertion(store.fixture.row(1), store.fixture.row(2)))
    try store.coordinator.close()
    let again = try store.secondCoordinator()
    #expect(again.storeIdentifier == store.coordinator.storeIdentifier)
    #expect(again.storeNumber == store.coordinator.storeNumber)
    #expect(try again.fetch(FetchRequest(store.entity)).count == 2)
    #expect(try again.save(store.insertion(store.fixture.row(3))).map(\.primaryKey) == [3])
  }

  @Test(arguments: StoreMode.allCases)
  func `closing leaves one file`(mode: StoreMode) throws {
    let store = try TestStore(mode)
    _ = try store.coordinator.save(store.insertion(store.fixture.row(1)))
    try store.coordinator.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(files == [store.url.lastPathComponent])
    #expect(throws: StoreError.self) { try store.fetch() }
  }

  @Test(arguments: StoreMode.allCases)
  func `both modes open the file with the same settings`(mode: StoreMode) throws {
    let store = try TestStore(mode)
    let pragmas = try StoreEnvironment.pragmas(of: store.configuration)
    #expect(pragmas["journal_mode"] == "wal")
    #expect(pragmas["synchronous"] == "1")
    #expect(pragmas["wal_autocheckpoint"] == "0")
    #expect(pragmas["page_size"] == "4096")
  }

  private func openTwice(_ configuration: StoreConfiguration, _ model: Model? = nil) throws {
    let model = try model ?? Fixture().model
    let openers = (0..<2).map { _ in
      WatchedThread { try SQLiteCoordinator(configuration, model: model).close() }
    }
    for opener in openers { _ = try opener.join() }
  }

  @Test(arguments: [false, true])
  func `two openers of a new store both succeed`(keepsHistory: Bool) throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      var configuration = StoreConfiguration(url: folder.file("new.sqlite"), mode: .pool)
      configuration.keepsHistory = keepsHistory
      try openTwice(configuration)
    }
  }

  @Test func `two openers that begin a store's history both succeed`() throws {
    for _ in 0..<20 {
      let store = try TestStore(.pool)
      var configuration = store.configuration
      configuration.keepsHistory = true
      try openTwice(configuration)
    }
  }

  @Test func `two openers that migrate a store both succeed`() throws {
    func model(_ attributes: [AttributeDescription]) throws -> Model {
      try Model([Entity(name: "City", attributes: attributes)])
    }
    let (name, rank) = (
      AttributeDescription("name", .string), AttributeDescription("rank", .int64, isOptional: true)
    )
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      var configuration = StoreConfiguration(url: folder.file("a.sqlite"), mode: .pool)
      try SQLiteCoordinator(configuration, model: model([name])).close()
      configuration.migratesAutomatically = true
      try openTwice(configuration, model([name, rank]))
    }
  }

  @Test func `two processes that open a new store both succeed`() async throws {
    for _ in 0..<3 {
      let folder = try TemporaryFolder()
      let url = folder.file("new.sqlite")
      func open() async {
        await #expect(processExitsWith: .success) { [url = url as URL] in
          try SQLiteCoordinator(.init(url: url, mode: .pool), model: Fixture().model).close()
        }
      }
      async let first: Void = open()
      async let second: Void = open()
      _ = await (first, second)
    }
  }

  // SQLite's `unix-none` has no shared memory, like some network disks:
  // sqlite.org/wal.html, "Use of WAL Without Shared-Memory".
  @Test func `a store where SQLite has no WAL is refused`() async {
    await #expect(processExitsWith: .success) {
      sqlite3_vfs_register(sqlite3_vfs_find("unix-none"), 1)
      let folder = try TemporaryFolder()
      let url = folder.file("new.sqlite")
      let path = url.path(percentEncoded: false)
      #expect(throws: StoreError.noWAL(path: path, journal: "delete")) {
        try SQLiteCoordinator(.init(url: url, mode: .pool), model: Fixture().model)
      }
      #expect(throws: StoreError.noWAL(path: path, journal: "memory")) {
        try StoreFile.createTemplate(at: url, model: Fixture().model, rows: [])
      }
    }
  }

  @Test func `the tables have Core Data's layout`() throws {
    let store = try TestStore(.pool, rows: 2)
    try store.url.sql { database in
      let keys = try Row.fetchOne(database, sql: "SELECT * FROM Z_PRIMARYKEY")
      #expect(keys == ["Z_ENT": 1, "Z_NAME": "City", "Z_SUPER": 0, "Z_MAX": 2])
      let columns = try database.columns(in: "ZCITY").prefix(5).map { "\($0.name) \($0.type)" }
      #expect(
        columns == [
          "Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER", "ZKEY INTEGER", "ZNAME TEXT",
        ])
      let indexes = try database.indexes(on: "ZCITY").map(\.columns)
      #expect(Set(indexes) == [["ZKEY"], ["ZNAME"]])
      #expect(try Int.fetchAll(database, sql: "SELECT Z_ENT FROM ZCITY") == [1, 1])
    }
  }

  @Test func `a file that is no database is refused`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("letter.txt")
    try Data(repeating: 65, count: 4096).write(to: url)
    let path = url.path(percentEncoded: false)
    #expect(throws: StoreError.notADatabase(path: path)) {
      try SQLiteCoordinator(.init(url: url, mode: .pool), model: Fixture().model)
    }
  }

  @Test func `a database that is no store is refused and not changed`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("other.sqlite")
    let path = url.path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE person (name)") }
    #expect(throws: StoreError.notAStore(path: path)) {
      try SQLiteCoordinator(.init(url: url, mode: .pool), model: Fixture().model)
    }
    #expect(try queue.read { try $0.tableExists("ZCITY") } == false)
  }

  // Core Data's table of the same name has other columns.
  @Test func `a store of Core Data is refused as another program's file`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("core-data.sqlite")
    let path = url.path(percentEncoded: false)
    try DatabaseQueue(path: path).write {
      try $0.execute(
        sql: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255),"
          + " Z_PLIST BLOB)")
    }
    #expect(throws: StoreError.notAStore(path: path)) {
      try SQLiteCoordinator(.init(url: url, mode: .pool), model: Fixture().model)
    }
  }

  @Test func `a store of another model is refused, and the error describes both models`() throws {
    let store = try TestStore(.pool)
    let entity = try Entity(name: "City", attributes: [AttributeDescription("key", .string)])
    let error = #expect(throws: StoreError.self) {
      try SQLiteCoordinator(store.configuration, model: Model([entity]))
    }
    let text = String(describing: try #require(error))
    #expect(text.contains("expected: City(key: string)"))
    #expect(text.contains("stored:   City(key: int64, name: string, size: double?"))
  }

  // Apple, "Understanding Versions": "for relationships destinationEntity, minCount, maxCount,
  // deleteRule, and inverseRelationship" must be equal.
  @Test(arguments: [
    RelationshipDescription.toMany("towns", "City", inverse: "city", deleteRule: .cascade),
    .toMany("towns", "City", inverse: "city", minimumCount: 1),
    .toMany("towns", "City", inverse: "city", maximumCount: 3),
  ])
  func `another delete rule or count makes another model, which migrates`(
    changed: RelationshipDescription
  ) throws {
    func model(_ towns: RelationshipDescription) throws -> Model {
      try Model([
        Entity(
          name: "City", attributes: [AttributeDescription("name", .string)],
          relationships: [towns, .toOne("city", "City", inverse: "towns")])
      ])
    }
    let folder = try TemporaryFolder()
    var configuration = StoreConfiguration(url: folder.file("a.sqlite"), mode: .pool)
    let old = try model(.toMany("towns", "City", inverse: "city"))
    let uuid = try SQLiteCoordinator(configuration, model: old).storeIdentifier
    let error = #expect(throws: StoreError.self) {
      try SQLiteCoordinator(configuration, model: model(changed))
    }
    #expect(error?.code == 134_100)
    configuration.migratesAutomatically = true
    #expect(try SQLiteCoordinator(configuration, model: model(changed)).storeIdentifier == uuid)
    configuration.migratesAutomatically = false
    _ = try SQLiteCoordinator(configuration, model: model(changed))
  }

  // NSEntityDescription.h, indexes: "This value does not form part of the entity's version hash".
  @Test func `an index, a validation rule or a default does not make another model`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration(url: folder.file("a.sqlite"), mode: .pool)
    let attributes = [
      AttributeDescription("rank", .int64),
      AttributeDescription("rank", .int64, isIndexed: true),
      AttributeDescription("rank", .int64, defaultValue: .int64(2)),
      AttributeDescription(
        "rank", .int64, validation: AttributeValidation(minimum: .int64(1), maximum: .int64(9))),
    ]
    for attribute in attributes {
      let entity = try Entity(name: "City", attributes: [attribute])
      _ = try SQLiteCoordinator(configuration, model: Model([entity]))
    }
  }

  // Older versions stored no rules of relationships.
  @Test func `a store of an older version opens`() throws {
    let store = try AtlasStore()
    let file = store.coordinator.configuration.url
    try store.coordinator.close()
    try DatabaseQueue(path: file.path(percentEncoded: false)).write {
      let json = try #require(try String.fetchOne($0, sql: "SELECT Z_MODEL FROM Z_METADATA"))
      // Older versions did not write rules, and wrote which attributes have an index.
      let plain = json.replacing(/,"rules":{[^}]*}/, with: "")
      let older = plain.replacing("\"isOptional\"", with: "\"isIndexed\":true,\"isOptional\"")
      #expect(older != plain && plain != json)
      try $0.execute(sql: "UPDATE Z_METADATA SET Z_MODEL = ?", arguments: [older])
    }
    _ = try SQLiteCoordinator(StoreConfiguration(url: file, mode: .pool), model: Atlas.model)
  }

  @Test func `names that differ by case only are refused`() throws {
    let entity = try Entity(
      name: "City",
      attributes: [AttributeDescription("name", .string), AttributeDescription("Name", .string)])
    let model = try Model([entity])
    #expect(throws: StoreError.nameTaken("ZNAME", by: "City.name", and: "City.Name")) {
      try Schema(model)
    }
    let reserved = try Entity(name: "City", attributes: [AttributeDescription("_PK", .string)])
    #expect(throws: StoreError.self) { try Schema(Model([reserved])) }
  }
}
