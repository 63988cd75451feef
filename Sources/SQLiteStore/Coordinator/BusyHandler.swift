import Foundation
import Queues

/// Sleeps while another coordinator or process holds the lock, and charges the sleep to SQLite.
// `@unchecked Sendable`: it belongs to a connection, which one thread at a time uses.
final class BusyHandler: @unchecked Sendable {
  private let timeout: Duration
  private let clock: any MonotonicClock
  private var start = Instant(nanoseconds: 0)

  /// Milliseconds, as in SQLite's own busy timeout.
  private static let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  init(timeout: Duration, clock: any MonotonicClock = SystemClock()) {
    self.timeout = timeout
    self.clock = clock
  }

  /// - Parameter tries: the earlier calls for this lock.
  func shouldRetry(after tries: Int) -> Bool {
    if tries == 0 { start = clock.now() }
    let left = timeout - (clock.now() - start)
    guard left > .zero else { return false }
    let delay = Duration.milliseconds(Self.delays[min(tries, Self.delays.count - 1)])
    Activity.waiting(for: .sqlite) {
      _ = usleep(UInt32(min(delay, left).wholeNanoseconds / 1000))
    }
    return true
  }
}
