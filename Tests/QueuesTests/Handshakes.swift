import Foundation
import Queues

/// Lets threads wait until another thread opens it. It stays open.
///
/// It uses Foundation's condition, so the tests do not depend on the code under test.
final class Gate: Sendable {
  private let condition = NSCondition()
  // @unchecked: accessed under `condition` only.
  nonisolated(unsafe) private var isOpen = false

  func open() {
    condition.lock()
    isOpen = true
    condition.broadcast()
    condition.unlock()
  }

  func wait() {
    condition.lock()
    while !isOpen { condition.wait() }
    condition.unlock()
  }
}

/// Events from any thread, in order.
final class EventLog<Event: Sendable>: Sendable {
  private let events = Lock<[Event]>([])

  func append(_ event: Event) { events.withLock { $0.append(event) } }
  var all: [Event] { events.withLock { $0 } }
}

/// A thread that the test can wait for.
struct TestThread: Sendable {
  private let ended = Gate()

  init(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [ended] in
      body()
      ended.open()
    }
    thread.start()
  }

  func join() { ended.wait() }
}

/// Runs `body` on `count` threads at once, and returns when all have ended.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in TestThread { body(number) } }
  for thread in threads { thread.join() }
}

/// Signals when the watched thread begins to wait, and records the cause.
final class WaitRecorder: ActivityRecorder {
  private let isWaiting: Gate
  private(set) var begun: [WaitCause] = []
  private(set) var ended: [WaitCause] = []

  init(_ isWaiting: Gate = Gate(), clock: any MonotonicClock = SystemClock()) {
    self.isWaiting = isWaiting
    super.init(clock: clock)
  }

  override func willWait(for cause: WaitCause, at start: Instant) {
    begun.append(cause)
    isWaiting.open()
  }

  override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    ended.append(cause)
  }

  func watch<R>(_ body: () throws -> R) rethrows -> R {
    Activity.install(self)
    defer { Activity.install(nil) }
    return try body()
  }
}

/// Starts a thread whose `body` waits, and returns once it waits.
func threadThatWaits(_ body: @escaping @Sendable () -> Void) -> TestThread {
  let isWaiting = Gate()
  let thread = TestThread { WaitRecorder(isWaiting).watch(body) }
  isWaiting.wait()
  return thread
}

/// A clock that counts its readings.
final class CountingClock: MonotonicClock {
  private let reads = Lock(0)

  var readings: Int { reads.withLock { $0 } }

  func now() -> Instant {
    Instant(
      nanoseconds: Int64(
        reads.withLock {
          $0 += 1; return $0
        }))
  }
}

/// The calling thread's identity.
func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
