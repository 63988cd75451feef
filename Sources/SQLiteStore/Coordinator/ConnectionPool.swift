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
  private let writerLock: ChargedLock
  private let readers: [Connection]
  private let readerSlots: ChargedSemaphore
  /// The last one given back is lent first: its statements and pages are warm.
  private let idleReaders: Lock<[Connection]>
  let metadata: StoreMetadata
  let checkpointer: Checkpointer
  private let opening: StoreOpening
  private let schema: Schema
  private let spares = Lock(Spares())
  /// Whose reader this holds in one state of the store; nil for a pool of its own.
  private let base: ConnectionPool?

  /// Readers that hold no state of the store at present.
  private struct Spares {
    var connections: [Connection] = []
    var isClosed = false
  }

  init(_ configuration: StoreConfiguration, schema: Schema) throws {
    precondition(configuration.readerCount > 0, "a store needs a connection to read with")
    let opening = StoreOpening(configuration)
    self.opening = opening
    self.schema = schema
    base = nil
    writerLock = ChargedLock()
    let queue = try opening.writer()
    metadata = try queue.inDatabase {
      try StoreMetadata.openingStore(
        in: $0, at: configuration.path, for: schema, migrates: configuration.migratesAutomatically)
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

  /// A pool with the same writer, and one reader, which shows the store as it is now.
  init(pinning base: ConnectionPool) throws {
    self.base = base
    opening = base.opening
    schema = base.schema
    metadata = base.metadata
    checkpointer = base.checkpointer
    writer = base.writer
    writerLock = base.writerLock
    let reader = try base.takeSpare()
    try reader.pin()
    readers = [reader]
    readerSlots = ChargedSemaphore(value: 1)
    idleReaders = Lock(readers)
  }

  private func takeSpare() throws -> Connection {
    if let spare = spares.withLock({ $0.connections.popLast() }) { return spare }
    return try Connection(opening.reader(), checkpointer: checkpointer, schema: schema)
  }

  /// Takes back a connection that held a state of the store.
  private func giveBack(_ connection: Connection) throws {
    try connection.unpin()
    let isClosed = spares.withLock { spares in
      if !spares.isClosed { spares.connections.append(connection) }
      return spares.isClosed
    }
    if isClosed { try connection.close() }
  }

  /// Has everything counted that its connections execute from now on. Before they are lent.
  func trace(by trace: StatementTrace) {
    for connection in readers + [writer] { connection.trace(by: trace) }
  }

  func read<R>(_ body: (Connection) throws -> R) rethrows -> R {
    readerSlots.wait(as: .coordinator)
    // A slot is a promise that one is idle.
    let connection = idleReaders.withLock { $0.removeLast() }
    defer {
      idleReaders.withLock { $0.append(connection) }
      readerSlots.signal()
    }
    guard let thread = Activity.recorder?.timeline else { return try body(connection) }
    return try thread.span(.read) { try body(connection) }
  }

  func write<R>(_ body: (Connection) throws -> R) rethrows -> R {
    try writerLock.withLock(waitingAs: .sqlite) { try body(writer) }
  }

  /// The writer last: the last connection to go checkpoints the WAL and removes it, which one that
  /// only reads cannot.
  ///
  /// - Precondition: no connection is lent.
  func close() throws {
    if let base { return try readers.forEach(base.giveBack) }
    let idle = spares.withLock { spares in
      spares.isClosed = true
      return spares.connections
    }
    for reader in readers + idle { try reader.close() }
    try writer.close()
  }
}
