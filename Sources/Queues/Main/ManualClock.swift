import Synchronization

package final class ManualClock: MonotonicClock {
  private let time: Atomic<Int64>

  package init(startingAt start: Instant = Instant(nanoseconds: 0)) {
    time = Atomic(start.nanoseconds)
  }

  package func now() -> Instant { Instant(nanoseconds: time.load(ordering: .relaxed)) }

  package func work(for duration: Duration) { advance(by: duration) }

  package func advance(by duration: Duration) {
    time.add(duration.wholeNanoseconds, ordering: .relaxed)
  }

  /// Moves forwards only.
  package func advance(to instant: Instant) {
    time.max(instant.nanoseconds, ordering: .relaxed)
  }
}
