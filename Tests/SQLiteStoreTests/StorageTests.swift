import Baseline
import Foundation
import GRDB
import GRDBSQLite
import Queues
import Testing

/// Serialized, because a slow disk affects the whole process.
@Suite(.serialized) struct StorageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func database(_ name: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: folder.file(name).path)
  }

  private func fileSystem(of queue: DatabaseQueue) throws -> String {
    try queue.read { db in
      var name: UnsafeMutablePointer<CChar>?
      _ = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_VFSNAME, &name)
      defer { sqlite3_free(name) }
      return name.map { String(cString: $0) } ?? ""
    }
  }

  private func write(_ rows: Int, to queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS t(text TEXT)")
      try db.inTransaction {
        for _ in 0..<rows {
          try db.execute(sql: "INSERT INTO t VALUES (hex(randomblob(1000)))")
        }
        return .commit
      }
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  @Test func `a store lies on the disk that was in use when it was opened`() async throws {
    let before = try database("before.sqlite")
    let during = try await Storage.phone.whileInUse { try database("during.sqlite") }
    let after = try database("after.sqlite")
    let local = try await Storage.local.whileInUse { try database("local.sqlite") }
    #expect(try fileSystem(of: during) == "topobench-slow-disk/unix")
    for queue in [before, after, local] { #expect(try fileSystem(of: queue) == "unix") }
  }

  @Test func `writes and syncs take as long as the profile says`() async throws {
    try await Storage.phone.whileInUse {
      let queue = try database("slow.sqlite")
      let clock = SystemClock()
      let (start, used) = (clock.now(), Storage.use)
      try write(200, to: queue)
      let took = clock.now() - start
      let syncs = Storage.use.syncs - used.syncs
      let kibibytes = (Storage.use.bytesWritten - used.bytesWritten) / 1024
      // 200 rows of 2,000 bytes, once to the WAL and once to the file.
      #expect(kibibytes > 2 * 200 * 2)
      #expect(syncs >= 2)
      #expect(took >= Storage.phone.writeCostPerKiB * 800 + Storage.phone.syncCost * 2)
      let rows = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      #expect(rows == 200)
    }
  }

  @Test func `a sync without SQLite takes as long`() async throws {
    let clock = SystemClock()
    try await Storage.phone.whileInUse {
      let start = clock.now()
      Storage.waitForSync()
      #expect(clock.now() - start >= Storage.phone.syncCost)
    }
  }

  @Test func `an error is rethrown and the machine's disk is restored`() async throws {
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await Storage.phone.whileInUse { throw Stop() }
    }
    #expect(try fileSystem(of: try database("again.sqlite")) == "unix")
  }
}
