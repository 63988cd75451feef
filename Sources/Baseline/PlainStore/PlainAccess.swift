package import GRDB
import GRDBSQLite
package import Queues
package import SQLiteStore

/// A store through GRDB's own pools and queues. Its connections have a coordinator's settings, so
/// that a comparison measures the access. One setting differs: GRDB makes a pool's readers wait for
/// up to ten seconds where WAL blocks them.
package final class PlainAccess: Sendable {
  private let opening: StoreOpening
  private let trace: StatementTrace
  private let commitTime = Lock<Instant?>(nil)

  /// - Parameter began: called with the connection before each transaction begins.
  package init(
    _ configuration: StoreConfiguration,
    began: @escaping @Sendable (OpaquePointer) -> Void = { _ in }
  ) {
    trace = StatementTrace(began: began)
    opening = StoreOpening(configuration, commitTime: commitTime)
  }

  /// The end of the last commit, on the system's monotonic clock.
  package var lastCommit: Instant? { commitTime.withLock { $0 } }

  package func pool() throws -> DatabasePool {
    var configuration = configuration
    configuration.maximumReaderCount = opening.configuration.readerCount
    return try setUp(DatabasePool(path: opening.configuration.path, configuration: configuration))
  }

  /// One connection for everything.
  package func queue() throws -> DatabaseQueue {
    var configuration = configuration
    configuration.journalMode = .wal
    return try setUp(DatabaseQueue(path: opening.configuration.path, configuration: configuration))
  }

  private func setUp<Writer: DatabaseWriter>(_ writer: Writer) throws -> Writer {
    try writer.writeWithoutTransaction { try opening.setUpWriter($0) }
    return writer
  }

  private var configuration: Configuration {
    var configuration = opening.connectionConfiguration(readonly: false)
    configuration.allowsUnsafeTransactions = false
    let trace = trace
    configuration.prepareDatabase { database in
      guard let connection = database.sqliteConnection else { return }
      trace.install(on: connection)
      // The SQL of predicates may call these functions.
      try SQLFunction.installAll(on: connection)
    }
    return configuration
  }
}

/// Counts statements and returned rows of connections that no coordinator drives, on the executing
/// thread. BEGIN, COMMIT and pragmas do not count.
package final class StatementTrace: Sendable {
  private let began: @Sendable (OpaquePointer) -> Void

  /// - Parameter began: called before a connection begins a transaction or savepoint.
  package init(began: @escaping @Sendable (OpaquePointer) -> Void = { _ in }) {
    self.began = began
  }

  /// This object must outlive the connection.
  package func install(on connection: OpaquePointer) {
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW),
      { event, context, statement, _ in
        guard let context, let statement else { return 0 }
        Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
          .traced(event, OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func traced(_ event: UInt32, _ statement: OpaquePointer) {
    guard let text = sqlite3_sql(statement) else { return }
    switch (text[0], text[1]) {
    case ("S", "E"), ("W", "I"):
      Activity.count(event == UInt32(SQLITE_TRACE_ROW) ? .rowsRead : .statements)
    case ("I", "N"), ("U", "P"), ("D", "E"):
      // Rows that a write returns do not count as read.
      if event == UInt32(SQLITE_TRACE_STMT) { Activity.count(.statements) }
    case ("B", "E"), ("S", "A"):
      if let connection = sqlite3_db_handle(statement) { began(connection) }
    default: break
    }
  }
}

extension CChar {
  fileprivate static func ~= (letter: Character, character: CChar) -> Bool {
    letter.asciiValue == UInt8(bitPattern: character)
  }
}
