import Baseline
import GRDB
import ObjectGraph
import Queues
import SQLiteStore

// Inside GRDB's calls a wait has no known cause. So calls that could wait first pass a gate, which
// records the wait and its cause:
//
//   pool    writes ──gate (sqlite)──▶ writer          one writer, as SQLite has one
//           reads  ─────────────────▶ readers         never more than there are connections
//   queue   writes ┐
//           reads  ┴─gate (queue)───▶ one connection

/// Records waits and counts work. Errors of SQLite are thrown as `StoreError`.
final class GRDBAccess: Sendable {
  enum Kind {
    case pool, queue
  }

  let database: any DatabaseWriter
  private let kind: Kind
  private let configuration: StoreConfiguration
  private let access: PlainAccess
  private let gate = ChargedLock()

  /// - Parameter began: called before a connection begins a transaction.
  init(
    _ kind: Kind, _ configuration: StoreConfiguration,
    began: @escaping @Sendable (OpaquePointer) -> Void
  ) throws {
    self.kind = kind
    self.configuration = configuration
    let access = PlainAccess(configuration, began: began)
    self.access = access
    database = try configuration.reporting(.opening) {
      guard kind == .pool else { return try access.queue() }
      return try access.pool()
    }
  }

  var lastCommit: Instant? { access.lastCommit }

  /// A transaction on the calling thread.
  func write<R>(_ body: (Database) throws -> R) throws -> R {
    try Activity.slice(.save) {
      try gate.withLock(waitingAs: kind == .pool ? .sqlite : .queue) {
        let (result, written) = try recorded(as: .write) {
          try configuration.reporting(.saving) {
            try database.write { database in
              let before = database.totalChangesCount
              let result = try body(database)
              let written = database.totalChangesCount - before
              Activity.charge(.rowWritten, written)
              Activity.charge(.commit)
              Activity.pay()
              return (result, written)
            }
          }
        }
        Activity.count(.commits)
        Activity.count(.rowsWritten, written)
        return result
      }
    }
  }

  /// Reads one state of the store on the calling thread.
  func read<R>(_ body: (Database) throws -> R) throws -> R {
    try Activity.slice(.fetch) {
      try configuration.reporting(.reading) {
        switch kind {
        case .pool: try paidRead(body)
        case .queue: try gate.withLock(waitingAs: .queue) { try paidRead(body) }
        }
      }
    }
  }

  private func paidRead<R>(_ body: (Database) throws -> R) throws -> R {
    try recorded(as: .read) {
      try database.read { database in
        defer { Activity.pay() }
        return try body(database)
      }
    }
  }

  private func recorded<R>(as mark: TimelineMark, _ body: () throws -> R) rethrows -> R {
    guard let thread = Activity.recorder?.timeline else { return try body() }
    return try thread.span(mark, body)
  }

  /// Waits for all accesses, then closes the store.
  func close() throws {
    database.writeWithoutTransaction { _ in }
    try configuration.reporting(.closing) { try database.close() }
  }

  /// A pool opens readers on demand, so each reader is held until the last one is open.
  func openReaders() {
    guard let pool = database as? DatabasePool else { return }
    let count = pool.configuration.maximumReaderCount
    let (arrived, allThere) = (ChargedSemaphore(value: 0), ChargedSemaphore(value: 0))
    for number in 0..<count {
      PrivateQueue(label: "reader \(number)").async {
        // The access that needs this reader reports the error.
        do {
          try pool.read { _ in
            arrived.signal()
            allThere.wait(as: .other)
          }
        } catch {
          arrived.signal()
        }
      }
    }
    for _ in 0..<count { arrived.wait(as: .other) }
    for _ in 0..<count { allThere.signal() }
  }
}
