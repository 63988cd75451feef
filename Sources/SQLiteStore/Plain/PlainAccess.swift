package import GRDB
package import Queues

/// A store through GRDB's own pools and queues. Its connections have a coordinator's settings, so
/// that a comparison measures the access. One setting differs: GRDB makes a pool's readers wait for
/// up to ten seconds where WAL blocks them.
package final class PlainAccess: Sendable {
  private let opening: StoreOpening
  private let trace: StatementTrace
  private let commitTime: Lock<Instant?>

  /// - Parameter began: called with the connection before each transaction begins.
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

  /// The end of the last commit, on the system's monotonic clock.
  package var lastCommit: Instant? { commitTime.withLock { $0 } }

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
      // The SQL of predicates may call these functions.
      try SQLFunction.installAll(on: connection)
    }
    return configuration
  }
}
