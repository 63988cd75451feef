#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a thread waits. The names are the ones that the columns `main_wait_<cause>_ms` carry.
public enum WaitCause: String, CaseIterable, Sendable {
  /// For the queue of a parent context.
  case parent
  /// For the lock of a persistent store coordinator.
  case coordinator
  /// For SQLite: another connection holds the lock that is needed.
  case sqlite
  /// For a private queue that is not a parent's.
  case queue
  /// For anything else.
  case other
}

/// What a stretch of a thread's time went to.
///
/// The first group is *database*: calls into the storage core, named after the operation, so that a
/// long block can say what it was.
public enum SliceTag: String, CaseIterable, Sendable {
  /// A block run on a context, outside the operations below.
  case perform
  case fetch
  case fault
  case save
  /// A child's save taken in by this context.
  case pushUp = "push-up"
  case merge
  /// Coalescing of changes and their notification.
  case changes
  /// A fetched results controller working out what changed in its list.
  case list

  /// Drawing, as the scenario states its cost.
  case ui
  /// Answering a heartbeat or a tap.
  case heartbeat
  /// The measuring itself.
  case harness

  /// Whether this time counts towards `main_blocked_ms`.
  public var isDatabase: Bool {
    switch self {
    case .ui, .heartbeat, .harness: false
    default: true
    }
  }
}

/// What is counted on a watched thread. None of these depends on the speed of the machine.
public enum ActivityCounter: Int, CaseIterable, Sendable {
  case statements, commits, rowsRead, rowsWritten
  /// Pushed up into a main-queue context.
  case objectsCopied
  case objectsRefreshed, faultsFired, listChanges
}

/// Receives what one watched thread does: slices of time by tag, waits by cause, counts.
///
/// The simulated main queue installs one on its thread. The storage core reports to whatever
/// recorder the calling thread has, usually none, so that it need not know who is measuring.
open class ActivityRecorder {
  /// The clock that waits are read from.
  public let clock: any MonotonicClock
  /// What this thread does, event by event, while a window is recorded; nil otherwise.
  @exclusivity(unchecked) package final internal(set) var timeline: ThreadTimeline?

  public init(clock: any MonotonicClock = SystemClock()) {
    self.clock = clock
  }

  /// A slice begins inside the one that is open, whose time stands still meanwhile.
  open func begin(_ tag: SliceTag) {}
  open func end() {}
  /// The thread stands still from `start` on, inside the open slice or wait, until `waited`.
  open func willWait(for cause: WaitCause, at start: Instant) {}
  /// The thread stood still from `start` to `end`, inside the open slice.
  open func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {}
  open func count(_ counter: ActivityCounter, _ amount: Int) {}
  /// A WAL checkpoint ran on this thread, inside the open slice.
  open func checkpointed(from start: Instant, to end: Instant) {}
}

/// The gate through which the storage core tells a watched thread's recorder what it does.
public enum Activity {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    // The destructor releases the reference that `install` retained, when the thread ends.
    let status = pthread_key_create(&key) { pointer in
      #if canImport(Darwin)
        Unmanaged<ActivityRecorder>.fromOpaque(pointer).release()
      #else
        if let pointer { Unmanaged<ActivityRecorder>.fromOpaque(pointer).release() }
      #endif
    }
    precondition(status == 0, "no thread-local key left")
    return key
  }()

  /// The calling thread's recorder, if it is watched.
  @inline(__always)
  public static var recorder: ActivityRecorder? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    return Unmanaged<ActivityRecorder>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Watches the calling thread until it ends or another recorder takes over.
  public static func install(_ recorder: ActivityRecorder?) {
    if let old = pthread_getspecific(key) {
      Unmanaged<ActivityRecorder>.fromOpaque(old).release()
    }
    let pointer = recorder.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
    pthread_setspecific(key, pointer)
  }

  /// Runs `body` as a slice of the calling thread's time.
  @inlinable
  public static func slice<R>(_ tag: SliceTag, _ body: () throws -> R) rethrows -> R {
    guard let recorder else { return try body() }
    recorder.begin(tag)
    defer { recorder.end() }
    return try body()
  }

  /// Runs `body`, which stands still, and charges its time to `cause`; of waits within each other,
  /// to the innermost.
  public static func waiting<R>(for cause: WaitCause, _ body: () throws -> R) rethrows -> R {
    guard let recorder else { return try body() }
    let start = recorder.clock.now()
    recorder.willWait(for: cause, at: start)
    defer { recorder.waited(cause, from: start, to: recorder.clock.now()) }
    return try body()
  }

  @inlinable
  public static func count(_ counter: ActivityCounter, _ amount: Int = 1) {
    recorder?.count(counter, amount)
  }
}
