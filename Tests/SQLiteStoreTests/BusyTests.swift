import Baseline
import Foundation
import GRDB
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

// Another process holds SQLite's write lock for longer than the busy timeout:
//
//   waits for the lock, then throws   saves, keys, batch requests, deleting history, migration
//   never needs the lock              fetches, reading history, generations, closing
//
// No request can meet SQLITE_LOCKED: connections share no cache, and none changes a table while one
// of its own statements reads it.
@Suite("A store that another process is writing to") struct BusyTests {
  private func store(_ mode: StoreMode) throws -> TestStore {
    try TestStore(mode, rows: 2) {
      $0.busyTimeout = .milliseconds(2)
      $0.keepsHistory = true
    }
  }

  private func holdingWriteLock(of url: URL, _ body: () throws -> Void) throws {
    let stranger = try DatabaseQueue(path: url.path(percentEncoded: false))
    try stranger.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      defer { try? database.execute(sql: "COMMIT") }
      try body()
    }
  }

  private func expectBusy(
    _ operation: StoreOperation, _ path: String, _ body: () throws -> Void
  ) {
    let error = #expect(throws: StoreError.self) { try body() }
    guard case .sqlite(path, operation, 5, _)? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
  }

  /// Requests that write. `ConcurrencyTests` has saves.
  enum Writing: CaseIterable, Sendable {
    case keys, batch, deletingHistory

    var operation: StoreOperation {
      switch self {
      case .keys: .saving
      case .batch: .batch
      case .deletingHistory: .history
      }
    }

    func write(to store: TestStore) throws {
      let coordinator = store.coordinator
      switch self {
      case .keys: _ = try coordinator.obtainPermanentIDs(for: [store.temporaryID()])
      case .batch: _ = try coordinator.execute(.update(store.entity, set: ["size": .null]))
      case .deletingHistory:
        try coordinator.deleteHistory(before: try coordinator.currentHistoryToken())
      }
    }
  }

  @Test(arguments: StoreMode.allCases, Writing.allCases)
  func `a request that writes fails after the busy timeout and can be tried again`(
    mode: StoreMode, request: Writing
  ) throws {
    let store = try store(mode)
    try holdingWriteLock(of: store.url) {
      expectBusy(request.operation, store.configuration.path) { try request.write(to: store) }
    }
    try request.write(to: store)
  }

  @Test(arguments: StoreMode.allCases)
  func `a request that reads does not wait for another process's transaction`(
    mode: StoreMode
  ) throws {
    let store = try store(mode)
    try holdingWriteLock(of: store.url) {
      let (counts, log) = try watched {
        let all = FetchRequest(store.entity)
        return try [
          store.fetch().count, store.coordinator.count(all), store.coordinator.history().count,
          store.coordinator.generation().count(all),
        ]
      }
      #expect(counts == [2, 2, 0, 2])
      #expect(log.waits == [])
    }
  }

  @Test func `a migration fails after the busy timeout, and the next opening migrates`() throws {
    let store = try MigratingStore { $0.busyTimeout = .milliseconds(2) }
    let name = AttributeDescription("name", .string)
    try store.fill([entity("City", [name])], [("City", ["name": .string("Ulm")])])
    let newer = try entity("City", [name, AttributeDescription("size", .int64, isOptional: true)])
    try holdingWriteLock(of: store.configuration.url) {
      expectBusy(.opening, store.configuration.path) { try store.open([newer]) { _ in } }
    }
    #expect(try store.rows([newer]) == ["City/1 name=Ulm size=-"])
  }

  @Test func `creating a store fails after the busy timeout and can be tried again`() throws {
    let (folder, model) = try (TemporaryFolder(), Fixture().model)
    defer { withExtendedLifetime(folder) {} }
    var configuration = StoreConfiguration(url: folder.file("new.sqlite"), mode: .pool)
    configuration.busyTimeout = .milliseconds(2)
    try holdingWriteLock(of: configuration.url) {
      expectBusy(.opening, configuration.path) {
        _ = try SQLiteCoordinator(configuration, model: model)
      }
    }
    try SQLiteCoordinator(configuration, model: model).close()
  }

  @Test(arguments: StoreMode.allCases)
  func `closing does not wait for another process's transaction, and leaves the WAL to it`(
    mode: StoreMode
  ) throws {
    let store = try store(mode)
    _ = try store.coordinator.save(store.renaming(1, to: "new"))
    try holdingWriteLock(of: store.url) {
      let (_, log) = try watched { try store.coordinator.close() }
      #expect(log.waits == [])
      let wal = store.url.path(percentEncoded: false) + "-wal"
      #expect(FileManager.default.fileExists(atPath: wal))
    }
    #expect(try store.plainRows()[0].version == 2)
  }
}
