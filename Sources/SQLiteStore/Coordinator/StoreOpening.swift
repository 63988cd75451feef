import Foundation
package import GRDB
import GRDBSQLite
import ObjectGraph
package import Queues
import Synchronization

package struct StoreOpening: Sendable {
  package let configuration: StoreConfiguration
  package let checkpointer: Checkpointer

  /// - Parameter commitTime: receives the end of each commit and its checkpoint.
  package init(_ configuration: StoreConfiguration, commitTime: Lock<Instant?>? = nil) {
    self.configuration = configuration
    checkpointer = Checkpointer(configuration.checkpointThreshold, commitTime)
  }

  /// Creates the file if there is none.
  package func writer() throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(
        path: configuration.path, configuration: connectionConfiguration(readonly: false))
      try queue.inDatabase { database in
        try database.useWAL(at: configuration.path, waitingFor: configuration.busyTimeout)
        try setUpWriter(database)
      }
      return queue
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw StoreError.notADatabase(path: configuration.path)
    }
  }

  /// Leaves the journal as it is.
  package func setUpWriter(_ database: Database) throws {
    try database.execute(sql: "PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    if let handle = database.sqliteConnection { checkpointer.install(on: handle) }
  }

  /// The file and its WAL must exist: open a writer first.
  func reader() throws -> DatabaseQueue {
    try DatabaseQueue(
      path: configuration.path, configuration: connectionConfiguration(readonly: true))
  }

  package func connectionConfiguration(readonly: Bool) -> Configuration {
    let busy = BusyHandler(timeout: configuration.busyTimeout)
    var result = Configuration()
    result.readonly = readonly
    // GRDB's way of setting the journal writes to the file each time.
    result.journalMode = .default
    result.foreignKeysEnabled = false
    // GRDB calls it unsafe if statements are prepared between BEGIN and COMMIT, as requests do.
    result.allowsUnsafeTransactions = true
    result.busyMode = .callback { busy.shouldRetry(after: $0) }
    result.label = readonly ? "store reader" : "store writer"
    return result
  }
}

extension Database {
  /// - Throws: `StoreError.noWAL` if SQLite keeps another journal.
  func useWAL(at path: String, waitingFor timeout: Duration) throws {
    let journal = try retryingWhileBusy(BusyHandler(timeout: timeout)) {
      try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") ?? ""
    }
    guard journal == "wal" else { throw StoreError.noWAL(path: path, journal: journal) }
  }

  /// SQLite calls no busy handler if two connections change the journal at the same time: each may
  /// wait for the other.
  private func retryingWhileBusy<R>(_ busy: BusyHandler, _ body: () throws -> R) throws -> R {
    var tries = 0
    while true {
      do { return try body() } catch let error as DatabaseError {
        guard error.resultCode == .SQLITE_BUSY, busy.shouldRetry(after: tries) else { throw error }
        tries += 1
      }
    }
  }

  /// Asks SQLite. GRDB's `tableExists` may answer from a cached schema, older than the table.
  func hasTable(_ name: String) throws -> Bool {
    let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return try Int.fetchOne(self, sql: sql, arguments: [name]) != 0
  }
}

/// After a commit that leaves the WAL at the threshold or above, runs a passive checkpoint on the
/// committing thread. SQLite's automatic checkpoint does the same, but its time is not reported.
package final class Checkpointer: Sendable {
  private let threshold: Int
  private let checkpoints = Atomic<Int>(0)
  private let commitTime: Lock<Instant?>?

  init(_ threshold: Int, _ commitTime: Lock<Instant?>?) {
    self.threshold = threshold
    self.commitTime = commitTime
  }

  var count: Int { checkpoints.load(ordering: .relaxed) }

  /// This object must outlive the connection.
  func install(on connection: OpaquePointer) {
    sqlite3_wal_hook(
      connection,
      { checkpointer, connection, database, pages in
        guard let checkpointer else { return SQLITE_OK }
        Unmanaged<Checkpointer>.fromOpaque(checkpointer).takeUnretainedValue()
          .committed(connection, database, pages: Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// If another connection is running a checkpoint, or the disk fails, the next commit tries again.
  /// The commit itself has succeeded.
  private func committed(
    _ connection: OpaquePointer?, _ database: UnsafePointer<CChar>?, pages: Int
  ) {
    defer { commitTime?.setToNow() }
    Activity.recorder?.timeline?.note(.committed, value: pages)
    guard pages >= threshold else { return }
    let clock = SystemClock()
    let start = clock.now()
    let code = sqlite3_wal_checkpoint_v2(connection, database, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK else { return }
    checkpoints.add(1, ordering: .relaxed)
    Activity.recorder?.checkpointed(from: start, to: clock.now())
  }
}

extension Lock<Instant?> {
  package func setToNow() {
    let now = SystemClock().now()
    withLock { $0 = now }
  }
}

/// Sleeps while another coordinator or process holds the lock, and records the sleep as a wait for
/// `.sqlite`.
// `@unchecked Sendable`: it belongs to a connection, which one thread at a time uses.
final class BusyHandler: @unchecked Sendable {
  private let timeout: Duration
  private let clock = SystemClock()
  private var start = Instant(nanoseconds: 0)

  /// Milliseconds, as in SQLite's own busy timeout.
  private static let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  init(timeout: Duration) { self.timeout = timeout }

  /// - Parameter tries: the number of earlier calls for this lock.
  func shouldRetry(after tries: Int) -> Bool {
    if tries == 0 { start = clock.now() }
    let left = timeout - (clock.now() - start)
    guard left > .zero else { return false }
    let delay = Duration.milliseconds(Self.delays[min(tries, Self.delays.count - 1)])
    Activity.waiting(for: .sqlite) { _ = usleep(UInt32(min(delay, left).wholeNanoseconds / 1000)) }
    return true
  }
}
