import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Errors of SQLite arrive as errors of the store")
struct StoreErrorTests {
  /// The parts of an SQLite error, with its primary code.
  private struct Failure: Equatable {
    let path: String
    let operation: StoreOperation
    let code: Int
    let reason: String
    let text: String

    init?(_ error: StoreError?) {
      guard let error, case .sqlite(let path, let operation, let code, let reason) = error else {
        return nil
      }
      self.path = path
      self.operation = operation
      self.code = code & 0xFF
      self.reason = reason
      text = "\(error)"
    }
  }

  private func openingFailure(_ url: URL) throws -> Failure {
    let error = #expect(throws: StoreError.self) {
      try SQLiteCoordinator(.init(url: url, mode: .pool), model: Fixture().model)
    }
    return try #require(Failure(error))
  }

  @Test func `opening a folder names the path and the reason`() throws {
    let folder = try TemporaryFolder()
    let failure = try openingFailure(folder.url)
    #expect(failure.path == folder.url.path(percentEncoded: false))
    #expect(failure.operation == .opening)
    #expect(failure.code == 14)
    #expect(failure.reason == "it is a folder")
    #expect(
      failure.text == "opening '\(failure.path)' failed: it is a folder (SQLite's code 14); "
        + "name a file in an existing folder that this user may write")
  }

  @Test func `opening a file in a missing folder names that folder`() throws {
    let folder = try TemporaryFolder()
    let failure = try openingFailure(folder.file("missing/a.sqlite"))
    #expect(failure.reason == "the folder '\(folder.file("missing").path)' does not exist")
  }

  @Test func `opening a file below another file says so`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file("letter"))
    let failure = try openingFailure(folder.file("letter/a.sqlite"))
    #expect(failure.code == 14)
    #expect(failure.reason.hasSuffix("letter' is not a folder"))
  }

  @Test(arguments: StoreMode.allCases)
  func `a full disk is an error of the save, which writes nothing`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 2)
    try store.coordinator.pool.write {
      // SQLite reports a file at its page limit like a full disk.
      _ = try $0.statement(.sql("PRAGMA max_page_count = 1")).number()
    }
    let long = String(repeating: "x", count: 100_000)
    let error = #expect(throws: StoreError.self) {
      try store.coordinator.save(store.insertion(store.fixture.row(3, name: long)))
    }
    let failure = try #require(Failure(error))
    #expect((failure.code, failure.operation) == (13, .saving))
    #expect(failure.text.contains("free space on its disk"))
    #expect(try store.fetch().count == 2)
  }

  @Test(arguments: StoreMode.allCases)
  func `a request to a closed coordinator is an error of the store`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    try store.coordinator.close()
    #expect(throws: StoreError.self) { try store.fetch() }
    #expect(throws: StoreError.self) { try store.coordinator.count(FetchRequest(store.entity)) }
    #expect(throws: StoreError.self) { try store.coordinator.save(store.renaming(1, to: "x")) }
    #expect(throws: StoreError.self) {
      try store.coordinator.execute(.delete(FetchRequest(store.entity)))
    }
  }
}
