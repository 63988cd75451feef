import Foundation
import GRDB
import ObjectGraph
import Queues
import Synchronization

/// Each connection is lent to one request at a time. A wait for a reader counts as `.coordinator`,
/// a wait for the writer as `.sqlite`. A read that finds no idle reader opens one, up to the
/// configuration's number.
package final class ConnectionPool: Sendable {
  private let writer: Connection
  private let writerLock: ChargedLock
  let settlingThread: SettlingThread
  private let readerSlots: ChargedSemaphore
  private let readers: Lock<Readers>
  let storeIdentifier: String
  let storeNumber: Int32
  let checkpointer: Checkpointer
  private let opening: StoreOpening
  private let schema: Schema
  private let didOpen: @Sendable (OpaquePointer) -> Void
  private let spares = Lock(Spares())
  /// The pool whose writer is shared, if this pool pins a state of the store.
  private let base: ConnectionPool?

  private struct Readers {
    /// The reader returned last is lent first: its statements and pages are warm.
    var idle: [Connection] = []
    var opened = 0
    var isClosed = false
  }

  /// Idle connections for pools that pin a state.
  private struct Spares {
    var connections: [Connection] = []
    var isClosed = false
  }

  /// - Parameter didOpen: called with the handle of each connection before it is lent.
  package init(
    _ configuration: StoreConfiguration, schema: Schema,
    didOpen: @escaping @Sendable (OpaquePointer) -> Void = { _ in }
  ) throws {
    require(configuration.readerCount > 0, "a store needs a connection to read with")
    let opening = StoreOpening(configuration)
    self.opening = opening
    self.schema = schema
    self.didOpen = didOpen
    base = nil
    writerLock = ChargedLock(for: "a write to '\(configuration.path)'")
    settlingThread = SettlingThread()
    let queue = try opening.writer()
    let uuid = try queue.inDatabase {
      try StoreMetadata(database: $0, path: configuration.path, schema: schema)
        .open(migrating: configuration.migratesAutomatically)
    }
    try queue.inDatabase { try HistoryTables.prepare($0, for: configuration) }
    storeIdentifier = uuid
    storeNumber = StoreNumber.number(path: configuration.path, uuid: uuid)
    checkpointer = opening.checkpointer
    writer = try Connection(
      queue, checkpointer: checkpointer, schema: schema, storeNumber: storeNumber)
    didOpen(writer.handle)
    readerSlots = Self.slots(configuration.readerCount, configuration)
    readers = Lock(Readers())
  }

  /// Shares the writer of `base`, and pins its own reader to the current state.
  init(pinning base: ConnectionPool) throws {
    self.base = base
    opening = base.opening
    schema = base.schema
    didOpen = base.didOpen
    storeIdentifier = base.storeIdentifier
    storeNumber = base.storeNumber
    checkpointer = base.checkpointer
    writer = base.writer
    writerLock = base.writerLock
    settlingThread = base.settlingThread
    let reader = try base.takeSpare()
    try reader.pin()
    readerSlots = Self.slots(1, opening.configuration)
    readers = Lock(Readers(idle: [reader], opened: 1))
  }

  private static func slots(
    _ count: Int, _ configuration: StoreConfiguration
  ) -> ChargedSemaphore {
    ChargedSemaphore(value: count, for: "a read of '\(configuration.path)'")
  }

  private func takeSpare() throws -> Connection {
    if let spare = spares.withLock({ $0.connections.popLast() }) { return spare }
    return try openReader()
  }

  private func openReader() throws -> Connection {
    let reader = try Connection(
      opening.reader(), checkpointer: checkpointer, schema: schema, storeNumber: storeNumber)
    didOpen(reader.handle)
    return reader
  }

  private func giveBack(_ connection: Connection) throws {
    #if TOPOBENCH_PLANTED_BUGS
      if PlantedBug.earlyUnpin.isActive {
        spares.withLock { $0.connections.append(connection) }
        return try connection.unpin()
      }
    #endif
    try connection.unpin()
    let isClosed = spares.withLock { spares in
      if !spares.isClosed { spares.connections.append(connection) }
      return spares.isClosed
    }
    if isClosed { try connection.close() }
  }

  /// Opens the readers that no read has needed yet. Later reads prefer those already open.
  ///
  /// - Precondition: no read is running.
  package func openReaders() throws {
    let missing = opening.configuration.readerCount - readers.withLock(\.opened)
    guard base == nil, missing > 0 else { return }
    let opened = try (0..<missing).map { _ in try openReader() }
    readers.withLock { readers in
      readers.idle.insert(contentsOf: opened, at: 0)
      readers.opened += missing
    }
  }

  package func read<R>(_ body: (Connection) throws -> R) throws -> R {
    try readerSlots.holding(waitingAs: .coordinator) { try lendReader(to: body) }
  }

  private func lendReader<R>(to body: (Connection) throws -> R) throws -> R {
    let connection = try idleReader()
    defer { readers.withLock { $0.idle.append(connection) } }
    if base != nil, !connection.isPinned {
      throw StoreError.generationLost(path: opening.configuration.path)
    }
    guard let recorder = Activity.recorder else { return try body(connection) }
    defer { recorder.pay() }
    guard let thread = recorder.timeline else { return try body(connection) }
    return try thread.span(.read) { try body(connection) }
  }

  /// A slot guarantees that a reader is idle or may be opened.
  private func idleReader() throws -> Connection {
    let (idle, isClosed) = readers.withLock { ($0.idle.popLast(), $0.isClosed) }
    if let idle { return idle }
    if isClosed { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed") }
    let reader = try openReader()
    readers.withLock { $0.opened += 1 }
    return reader
  }

  /// - Throws: `StoreError.writtenByHook` while the calling thread settles conflicts.
  package func write<R>(_ body: (Connection) throws -> R) throws -> R {
    guard !settlingThread.isCurrent else {
      throw StoreError.writtenByHook(path: opening.configuration.path)
    }
    return try writerLock.withLock(waitingAs: .sqlite) {
      defer { Activity.pay() }
      return try body(writer)
    }
  }

  /// Closes the writer last, because a read-only connection cannot checkpoint and remove the WAL.
  ///
  /// - Precondition: no connection is lent.
  package func close() throws {
    let readers = readers.withLock { readers in
      defer { readers = Readers(isClosed: true) }
      return readers.idle
    }
    if let base { return try readers.forEach(base.giveBack) }
    let idle = spares.withLock { spares in
      spares.isClosed = true
      return spares.connections
    }
    for reader in readers + idle { try reader.close() }
    try writer.close()
  }
}

// A context settles conflicts on its own thread while the coordinator holds its locks:
//
//   lock ─ BEGIN IMMEDIATE ─ write ─ conflict ─ settle: reads, hooks ─ write ─ COMMIT ─ unlock
//
// Requests of `settle` must not wait for locks of their own thread. They read the last commit. A
// write by a hook throws, because it would wait for its own thread.

/// The thread that settles conflicts, if any.
final class SettlingThread: Sendable {
  private let thread = Atomic<UInt>(0)

  var isCurrent: Bool {
    let thread = thread.load(ordering: .relaxed)
    return thread != 0 && thread == Self.current
  }

  /// Call it with the writing connection only.
  func run<R>(_ body: () throws -> R) rethrows -> R {
    thread.store(Self.current, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    return try body()
  }

  /// The calling thread's system identifier, a number or a pointer.
  private static var current: UInt {
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  }
}
