import Foundation

/// A point on a monotonic clock, in nanoseconds since its own origin. The 128-bit arithmetic of
/// `ContinuousClock.Instant` costs too much in each measured slice.
public struct Instant: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  public static func - (a: Instant, b: Instant) -> Duration {
    .nanoseconds(a.nanoseconds - b.nanoseconds)
  }

  public static func + (a: Instant, b: Duration) -> Instant {
    Instant(nanoseconds: a.nanoseconds + b.wholeNanoseconds)
  }

  public static func - (a: Instant, b: Duration) -> Instant {
    Instant(nanoseconds: a.nanoseconds - b.wholeNanoseconds)
  }
}

extension Duration {
  /// In whole nanoseconds, truncated. Traps beyond ±292 years.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// In milliseconds, with its fraction.
  public var milliseconds: Double {
    Double(wholeNanoseconds) / 1e6
  }
}

/// A source of time. Tests pass a manual clock.
public protocol MonotonicClock: Sendable {
  func now() -> Instant
  func work(for duration: Duration)
}

extension MonotonicClock {
  public func work(for duration: Duration) {
    let end = now() + duration
    while now() < end {}
  }
}

/// The machine's monotonic clock (`CLOCK_MONOTONIC`). Setting the date does not change it.
public struct SystemClock: MonotonicClock {
  public init() {}

  public func now() -> Instant { Self.read(CLOCK_MONOTONIC) }

  /// Uses `duration` of the thread's CPU time. It takes longer if other threads use the core.
  public func work(for duration: Duration) {
    let end = Self.read(CLOCK_THREAD_CPUTIME_ID) + duration
    while Self.read(CLOCK_THREAD_CPUTIME_ID) < end {}
  }

  static func read(_ clock: clockid_t) -> Instant {
    var time = timespec()
    clock_gettime(clock, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
