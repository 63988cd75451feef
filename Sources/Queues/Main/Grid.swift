/// Instants at a fixed interval. A late answer does not move them.
package struct Grid: Sendable {
  package let origin: Instant
  /// In nanoseconds.
  package let period: Int64

  package init(origin: Instant, period: Duration) {
    guard period >= .nanoseconds(1) else { fatalError("a grid needs a positive period") }
    self.origin = origin
    self.period = period.wholeNanoseconds
  }

  package func first(atOrAfter instant: Instant) -> Instant {
    let past = instant.nanoseconds - origin.nanoseconds
    let steps = past <= 0 ? 0 : (past + period - 1) / period
    return Instant(nanoseconds: origin.nanoseconds + steps * period)
  }

  package func next(after instant: Instant) -> Instant {
    first(atOrAfter: Instant(nanoseconds: instant.nanoseconds + 1))
  }

  package func count(from start: Instant, through end: Instant) -> Int {
    let first = first(atOrAfter: start)
    guard first <= end else { return 0 }
    return Int((end.nanoseconds - first.nanoseconds) / period) + 1
  }
}
