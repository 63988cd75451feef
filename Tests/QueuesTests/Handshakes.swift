import Foundation
import Queues
import TestSupport

/// Returns when all threads have ended.
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
}

final class CountingClock: MonotonicClock {
  private let reads = Lock(0)

  var readings: Int { reads.withLock { $0 } }

  func now() -> Instant {
    reads.withLock { $0 += 1 }
    return Instant(nanoseconds: Int64(readings))
  }
}

func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
