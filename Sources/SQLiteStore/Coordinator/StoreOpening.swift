import Foundation
import GRDB
import ObjectGraph

struct StoreOpening {
  let configuration: StoreConfiguration
  let checkpointer: Checkpointer

  /// - Parameter didCommit: called on the committing thread after each commit and its checkpoint.
  init(_ configuration: StoreConfiguration, didCommit: (@Sendable () -> Void)? = nil) {
    self.configuration = configuration
    self.checkpointer = Checkpointer(
      threshold: configuration.checkpointThreshold, didCommit: didCommit)
  }

  /// Creates the file if there is none.
  func writer() throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(
        path: configuration.path, configuration: connectionConfiguration(readonly: false))
      try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try setUpWriter(database)
      }
      return queue
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw StoreError.notADatabase(path: configuration.path)
    }
  }

  /// Leaves the journal as it is.
  func setUpWriter(_ database: Database) throws {
    try database.execute(sql: "PRAGMA synchronous = \(configuration.synchronous.rawValue)")
    try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    if let handle = database.sqliteConnection { checkpointer.install(on: handle) }
  }

  /// The file and its WAL must exist: open a writer first.
  func reader() throws -> DatabaseQueue {
    try DatabaseQueue(
      path: configuration.path, configuration: connectionConfiguration(readonly: true))
  }

  func connectionConfiguration(readonly: Bool) -> Configuration {
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
