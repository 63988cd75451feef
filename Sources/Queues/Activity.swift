import Synchronization

/// Why a thread waits.
public enum WaitCause: Int, CaseIterable, Sendable {
  /// The queue of a parent context.
  case parent
  /// The lock of a persistent store coordinator.
  case coordinator
  /// SQLite's lock, held by another connection.
  case sqlite
  /// A private queue that is not a parent's.
  case queue
  /// Anything else.
  case other

  /// The cause's name in the column `main_wait_<name>_ms`.
  public var name: String { "\(self)" }
}

/// The kind of work in a slice of a thread's time. The cases up to `list` are *database* work,
/// named after the operation.
public enum SliceTag: Int, CaseIterable, Sendable {
  /// A topology opens its store.
  case open
  /// A block on a context, outside the operations below.
  case perform
  case fetch
  case fault
  case save
  /// A parent context receives a child's save.
  case pushUp
  case merge
  /// A context combining its changes and notifying observers.
  case changes
  /// A fetched results controller computing what changed in its list.
  case list
  /// Time added to simulate another device (`Prices`).
  case priced

  /// Drawing, at the cost that the scenario states.
  case ui
  /// Answering a heartbeat or a tap.
  case heartbeat
  /// The measurement itself.
  case harness

  /// The name in reports: `push-up`, or the case's own name.
  public var name: String { self == .pushUp ? "push-up" : "\(self)" }

  /// Whether this time counts towards `main_blocked_ms`.
  public var isDatabase: Bool {
    switch self {
    case .ui, .heartbeat, .harness: false
    default: true
    }
  }
}

/// A number of operations of a watched thread, which does not depend on the machine's speed.
public enum ActivityCounter: Int, CaseIterable, Sendable {
  case statements, commits, rowsRead, rowsWritten
  /// Objects pushed into a main-queue context.
  case objectsCopied
  case objectsRefreshed, faultsFired, listChanges
  /// Objects that a merge creates because their rows are new to the context.
  case objectsCreated
}

/// Receives the activity of one watched thread. This base class only pays prices.
open class ActivityRecorder {
  /// The clock that times waits.
  public let clock: any MonotonicClock
  /// Set while a window is recorded.
  @exclusivity(unchecked) package final internal(set) var timeline: ThreadTimeline?
  /// Nil without prices.
  @exclusivity(unchecked) final var account: PriceAccount?

  public init(clock: any MonotonicClock = SystemClock()) {
    self.clock = clock
  }

  /// Begins a slice, which interrupts the open slice until `end`.
  open func begin(_ tag: SliceTag) { account?.depth += 1 }
  open func end() { leaveSlice() }
  /// Begins a wait at `start`, inside the open slice or wait. `waited` ends it.
  open func willWait(for cause: WaitCause, at start: Instant) {}
  /// The thread waited from `start` to `end`, inside the open slice.
  open func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {}
  open func count(_ counter: ActivityCounter, _ amount: Int) {
    if case .statements = counter { Activity.addWorkerStatements(amount) }
    account?.charge(counter, amount)
  }
  /// A WAL checkpoint ran on this thread, inside the open slice.
  open func checkpointed(from start: Instant, to end: Instant) {}
}

/// Reports the storage core's activity to the recorder of the calling thread.
public enum Activity {
  private static let current = ThreadLocal<ActivityRecorder>()

  /// Nil if the calling thread is not watched.
  @inline(__always)
  public static var recorder: ActivityRecorder? { current.value }

  /// Watches the calling thread until it ends or another recorder replaces this one.
  public static func install(_ recorder: ActivityRecorder?) { current.set(recorder) }

  @inlinable
  public static func slice<R>(_ tag: SliceTag, _ body: () throws -> R) rethrows -> R {
    guard let recorder else { return try body() }
    recorder.begin(tag)
    defer { recorder.end() }
    return try body()
  }

  /// Runs `body`, which waits, and records its time under `cause`. If waits nest, the innermost
  /// counts.
  public static func waiting<R>(for cause: WaitCause, _ body: () throws -> R) rethrows -> R {
    guard let recorder else { return try body() }
    let start = recorder.clock.now()
    recorder.willWait(for: cause, at: start)
    defer { recorder.waited(cause, from: start, to: recorder.clock.now()) }
    return try body()
  }

  @inlinable
  public static func count(_ counter: ActivityCounter, _ amount: Int = 1) {
    if let recorder {
      recorder.count(counter, amount)
    } else if case .statements = counter {
      addWorkerStatements(amount)
    }
  }

  private static let workers = Atomic(0)

  /// The statements of this process's threads other than main.
  package static var workerStatements: Int { workers.load(ordering: .relaxed) }

  @usableFromInline static func addWorkerStatements(_ amount: Int) {
    workers.wrappingAdd(amount, ordering: .relaxed)
  }
}
