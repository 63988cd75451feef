import Queues

/// One failing call: the n-th of its kind, with an error of SQLite. It is written as
/// `read/17/io/once`.
struct Fault: Equatable, Sendable, CustomStringConvertible {
  /// The errors that SQLite knows from its file system.
  enum Failure: String, CaseIterable, Sendable {
    case io, full, busy, cannotOpen = "cannot-open", corrupt, memory
  }

  let kind: DiskCall.Kind
  /// From 1.
  let number: Int
  let failure: Failure
  /// Whether all later calls of the kind fail too, until the disk is repaired.
  let isLasting: Bool

  init(kind: DiskCall.Kind, number: Int, failure: Failure, isLasting: Bool) {
    self.kind = kind
    self.number = number
    self.failure = failure
    self.isLasting = isLasting
  }

  var description: String {
    "\(kind)/\(number)/\(failure.rawValue)/\(isLasting ? "lasting" : "once")"
  }

  /// SQLite's extended result code.
  var code: CInt {
    switch failure {
    case .io: kind.ioError
    case .full: 13
    case .busy: 5
    case .cannotOpen: 14
    case .corrupt: 11
    case .memory: 7
    }
  }
}

extension DiskCall.Kind {
  /// Only locks are ever busy: SQLite relies on it. A checkpoint takes a busy read or write for
  /// another connection that reads, and goes on. At the end of a close, SQLite then deletes the WAL
  /// with what was not copied.
  var failures: [Fault.Failure] {
    if self == .allocate { return [.memory] }
    let isLock = [.lock, .lockShared, .mapShared].contains(self)
    return Fault.Failure.allCases.filter { $0 != .busy || isLock }
  }

  /// SQLITE_IOERR_READ and its like: https://www.sqlite.org/rescode.html
  fileprivate var ioError: CInt {
    let number: CInt =
      switch self {
      case .read: 1
      case .write: 3
      case .sync: 4
      case .truncate: 6
      case .open, .allocate: 0
      case .delete: 10
      case .lock: 15
      case .mapShared: 21
      case .lockShared: 20
      }
    return 10 | number << 8
  }
}
