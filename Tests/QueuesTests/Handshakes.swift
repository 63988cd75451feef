import Foundation
import Queues

/// Lets threads wait until another has come to a point. Stays open.
///
/// Foundation's condition, so that what is tested does not test itself.
final class Gate: Sendable {
  private let condition = NSCondition()
  // The proof: touched while `condition` is locked only.
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

/// What happened, in order, from any thread.
final class Story<Event: Sendable>: Sendable {
  private let events = Lock<[Event]>([])

  func tell(_ event: Event) { events.withLock { $0.append(event) } }
  var all: [Event] { events.withLock { $0 } }
}

/// A thread of the test's own, which can be waited for.
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

/// Runs `body` once on each of `count` threads at a time, and returns when all have.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in TestThread { body(number) } }
  for thread in threads { thread.join() }
}

/// Tells when the thread that it watches has come to stand in a line, and what it waited for.
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

  /// Watches the calling thread while `body` runs.
  func watch<R>(_ body: () throws -> R) rethrows -> R {
    Activity.install(self)
    defer { Activity.install(nil) }
    return try body()
  }
}

/// Starts a thread that is going to wait, and returns once it stands in line.
func threadThatWaits(_ body: @escaping @Sendable () -> Void) -> TestThread {
  let isWaiting = Gate()
  let thread = TestThread { WaitRecorder(isWaiting).watch(body) }
  isWaiting.wait()
  return thread
}

/// A clock that counts how often it is read.
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

/// The calling thread, as something that can be compared.
func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

/// SplitMix64: the same numbers for the same seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
