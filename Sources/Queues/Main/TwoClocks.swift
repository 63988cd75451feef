// Two clocks watch the main queue: what it says of itself (service gaps), and beats that come due
// whatever it does. A beat that came due in a gap must be answered at the gap's end:
//
//   gap       ├──────────────┤
//   beat           due ──────┼▸ answered        they agree
//   beat           due ──────┼─────────▸        they do not: the gap was longer than was recorded
//   (no gap)       due ───────────────▸         nor here: there was one, and it was not recorded

/// Decides whether a beat's lateness is what the service gaps say it is.
package struct TwoClocks: Sendable {
  /// How late a beat may be answered, beside a beat and run-queue delay. Nanoseconds.
  package static let tolerance: Int64 = 100_000

  /// The gap that was recorded last: beats that have not been answered came due in it or after it.
  package private(set) var lastGap: (start: Instant, end: Instant)?
  /// What is unexplained of the beats that were answered last, all of them at one instant.
  private var lastAnswer: (at: Instant, unexplained: Int64)?

  package init() {}

  package mutating func recorded(gapFrom start: Instant, to end: Instant) {
    lastGap = (start, end)
  }

  /// Nanoseconds by which a beat was answered later than the gaps explain; the clocks disagree if
  /// run-queue delay does not explain them either. Zero or less if nothing is left to explain.
  package func unexplained(
    beatDue due: Instant, answered: Instant, period: Int64
  ) -> Int64 {
    var promised = due
    if let lastGap, due >= lastGap.start, due < lastGap.end { promised = lastGap.end }
    return answered.nanoseconds - promised.nanoseconds - period - Self.tolerance
  }

  /// How much of a beat's lateness no other beat has told: main was away once for all the beats that it
  /// then answered together. Nanoseconds.
  package mutating func unexplainedAnew(_ time: Int64, answered: Instant) -> Int64 {
    let told = lastAnswer.flatMap { $0.at == answered ? $0.unexplained : nil } ?? 0
    lastAnswer = (answered, max(told, time))
    return max(0, time - told)
  }
}
