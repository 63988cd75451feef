package import GRDB
package import Queues

// The same file for who brings an access to it of their own: what a coordinator's connections are set
// to is told here, so that a comparison compares the accesses and not the settings.

/// A store by GRDB's own doors, its connections set as a coordinator's are: WAL, `synchronous`,
/// checkpoints, busy handling, no foreign keys enforced.
///
/// (A pool's readers wait for ten seconds where WAL makes a reader wait at all: GRDB does not let
/// that be chosen.)
package final class PlainAccess: Sendable {
  private let opening: StoreOpening
  private let trace: StatementTrace
  private let commitTime: Lock<Instant?>

  /// - Parameter began: told of each transaction that a connection begins, before it does.
  package init(
    _ configuration: StoreConfiguration,
    began: @escaping @Sendable (OpaquePointer) -> Void = { _ in }
  ) {
    let commitTime = Lock<Instant?>(nil)
    self.commitTime = commitTime
    trace = StatementTrace(began: began)
    opening = StoreOpening(configuration) {
      let now = SystemClock().now()
      commitTime.withLock { $0 = now }
    }
  }

  /// When the last commit ended, on the system's monotonic clock; nil before the first.
  package var lastCommit: Instant? { commitTime.withLock { $0 } }

  /// A connection that writes, and as many that read as the configuration says.
  package func pool() throws -> DatabasePool {
    var configuration = configuration
    configuration.maximumReaderCount = opening.configuration.readerCount
    let pool = try DatabasePool(path: opening.configuration.path, configuration: configuration)
    try pool.writeWithoutTransaction { try opening.setUpWriter($0) }
    return pool
  }

  /// One connection for everything.
  package func queue() throws -> DatabaseQueue {
    var configuration = configuration
    configuration.journalMode = .wal
    let queue = try DatabaseQueue(path: opening.configuration.path, configuration: configuration)
    try queue.writeWithoutTransaction { try opening.setUpWriter($0) }
    return queue
  }

  private var configuration: Configuration {
    var configuration = opening.connectionConfiguration(readonly: false)
    configuration.allowsUnsafeTransactions = false
    let trace = trace
    configuration.prepareDatabase { database in
      guard let connection = database.sqliteConnection else { return }
      trace.install(on: connection)
      // What the SQL of predicates may ask for.
      try ValueSetFunction.install(on: connection)
      try TextFunctions.install(on: connection)
    }
    return configuration
  }
}
