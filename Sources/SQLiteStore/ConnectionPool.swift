import GRDB
import ObjectGraph
import Queues

/// One writing connection and some that read, each lent to one request at a time.
///
/// A thread that finds all readers lent waits on the coordinator; one that finds the writer lent
/// waits on SQLite, which has one writer however many connections there are. In serial mode the
/// coordinator's lock lets one request through at a time, and neither wait happens.
final class ConnectionPool: Sendable {
  private let writer: Connection
  private let writerLock = ChargedLock()
  private let readers: [Connection]
  private let readerSlots: ChargedSemaphore
  /// The last one given back is lent first: its statements and pages are warm.
  private let idleReaders: Lock<[Connection]>
  let metadata: StoreMetadata
  let checkpointer: Checkpointer

  init(_ configuration: StoreConfiguration, schema: Schema) throws {
    precondition(configuration.readerCount > 0, "a store needs a connection to read with")
    let opening = StoreOpening(configuration)
    let queue = try opening.writer()
    metadata = try queue.inDatabase {
      try StoreMetadata.openingStore(in: $0, at: configuration.path, for: schema)
    }
    try queue.inDatabase { try HistoryTables.prepare($0, for: configuration) }
    checkpointer = opening.checkpointer
    writer = try Connection(queue, checkpointer: checkpointer, schema: schema)
    readers = try (0..<configuration.readerCount).map { _ in
      try Connection(opening.reader(), checkpointer: opening.checkpointer, schema: schema)
    }
    readerSlots = ChargedSemaphore(value: readers.count)
    idleReaders = Lock(readers)
  }

  func read<R>(_ body: (Connection) throws -> R) rethrows -> R {
    readerSlots.wait(as: .coordinator)
    // A slot is a promise that one is idle.
    let connection = idleReaders.withLock { $0.removeLast() }
    defer {
      idleReaders.withLock { $0.append(connection) }
      readerSlots.signal()
    }
    return try body(connection)
  }

  func write<R>(_ body: (Connection) throws -> R) rethrows -> R {
    try writerLock.withLock(waitingAs: .sqlite) { try body(writer) }
  }

  /// The writer last: the last connection to go checkpoints the WAL and removes it, which one that
  /// only reads cannot.
  ///
  /// - Precondition: no connection is lent.
  func close() throws {
    for reader in readers { try reader.close() }
    try writer.close()
  }
}
