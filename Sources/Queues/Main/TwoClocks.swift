// Two clocks watch the main queue: the service gaps that it records, and beats that come due
// independently of it. A beat that came due in a gap must be answered at the gap's end:
//
//   gap       ├──────────────┤
//   beat           due ──────┼▸ answered        the clocks agree
//   beat           due ──────┼─────────▸        they disagree: the gap was longer than recorded
//   (no gap)       due ───────────────▸         they disagree: a gap was not recorded

/// Decides whether the service gaps explain a beat's lateness.
package struct TwoClocks: Sendable {
  /// The allowed lateness in nanoseconds, beyond one beat period and run-queue delay.
  package static let tolerance: Int64 = 100_000

  /// All unanswered beats came due in this gap or after it.
  package private(set) var lastGap: (start: Instant, end: Instant)?
  /// One answer may serve several beats.
  private var lastAnswer: (at: Instant, unexplained: Int64)?

  package mutating func recorded(gapFrom start: Instant, to end: Instant) {
    lastGap = (start, end)
  }

  /// The lateness that no gap explains, in nanoseconds; zero or less if none.
  package func unexplained(beatDue due: Instant, answered: Instant, period: Int64) -> Int64 {
    var expected = due
    if let lastGap, due >= lastGap.start, due < lastGap.end { expected = lastGap.end }
    return answered.nanoseconds - expected.nanoseconds - period - Self.tolerance
  }

  /// The nanoseconds of `time` beyond the unexplained time of earlier beats with the same answer.
  package mutating func newlyUnexplained(_ time: Int64, answered: Instant) -> Int64 {
    let counted = lastAnswer.flatMap { $0.at == answered ? $0.unexplained : nil } ?? 0
    lastAnswer = (answered, max(counted, time))
    return max(0, time - counted)
  }
}
