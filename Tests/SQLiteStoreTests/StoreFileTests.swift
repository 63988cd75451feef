import Baseline
import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct StoreFileTests {
  @Test func `a template holds its rows and is one file`() throws {
    let folder = try TemporaryFolder()
    let fixture = try Fixture()
    let rows = (1...50).map { fixture.row($0) }
    let url = folder.file("template.sqlite")
    try StoreFile.createTemplate(
      at: url, model: fixture.model, rows: [(fixture.entity, rows)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    let read = try PlainReader(url).rows(of: fixture.entity)
    #expect(read.map(\.values) == rows)
    #expect(read.map(\.key) == Array(1...50))
    #expect(Set(read.map(\.version)) == [1])
  }

  @Test(arguments: StoreMode.allCases)
  func `a copy is another store with the same rows, in WAL mode`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 5)
    try store.coordinator.close()
    let copy = store.folder.file("copy.sqlite")
    try StoreFile.copy(store.url, to: copy)
    let coordinator = try SQLiteCoordinator(
      StoreConfiguration(url: copy, mode: mode), model: store.fixture.model)
    #expect(coordinator.storeIdentifier == store.coordinator.storeIdentifier)
    #expect(coordinator.storeNumber != store.coordinator.storeNumber)
    #expect(try coordinator.fetch(FetchRequest(store.entity)).count == 5)
    #expect(try coordinator.save(store.insertion(store.fixture.row(6))).map(\.primaryKey) == [6])
  }

  @Test func `a store that was not closed is not copied`() throws {
    let store = try TestStore(.pool, rows: 1)
    _ = try store.coordinator.save(store.renaming(1, to: "new"))
    #expect(throws: StoreError.self) {
      try StoreFile.copy(store.url, to: store.folder.file("copy.sqlite"))
    }
  }

  @Test func `removing a store leaves no file, and removing it twice is no error`() throws {
    let store = try TestStore(.pool, rows: 1)
    _ = try store.coordinator.save(store.renaming(1, to: "new"))
    try StoreFile.remove(at: store.url)
    try StoreFile.remove(at: store.url)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path).isEmpty)
  }

  @Test func `a row that does not fit leaves no template`() throws {
    let folder = try TemporaryFolder()
    let fixture = try Fixture()
    let expected = StoreError.valueCount(entity: "City", row: 2, count: 1, expected: 11)
    #expect(throws: expected) {
      try StoreFile.createTemplate(
        at: folder.file("template.sqlite"), model: fixture.model,
        rows: [(fixture.entity, [fixture.row(1), [.int64(2)]])])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `the environment names SQLite's version and options`() {
    #expect(StoreEnvironment.sqliteVersion.split(separator: ".").count >= 3)
    #expect(StoreEnvironment.compileOptions.contains { $0.hasPrefix("THREADSAFE=") })
  }
}
