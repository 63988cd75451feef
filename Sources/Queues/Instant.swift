#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A point on a monotonic clock, in nanoseconds since an origin that the clock chooses.
///
/// A plain integer rather than `ContinuousClock.Instant`, whose 128-bit arithmetic would be paid
/// several times in every slice that is measured.
public struct Instant: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The signed distance `a - b`.
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
  /// This duration in whole nanoseconds, truncated. Traps beyond ±292 years.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// This duration in milliseconds, with a fraction.
  public var milliseconds: Double {
    Double(wholeNanoseconds) / 1e6
  }
}

/// Where time comes from. Everything that measures takes one, so that tests can pass a clock that
/// they turn by hand.
public protocol MonotonicClock: Sendable {
  func now() -> Instant
}

/// The machine's monotonic clock (`CLOCK_MONOTONIC`), which does not jump when the date is set.
public struct SystemClock: MonotonicClock {
  public init() {}

  public func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
