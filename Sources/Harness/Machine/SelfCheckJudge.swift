import Measurement
import Queues

/// Times are in ms.
struct SelfCheckResult: Sendable, Equatable {
  let what: String
  let expected: Double
  let measured: Double
  /// The time in which the thread was runnable but not running.
  let runqueue: Double

  /// Whether `measured`, less run-queue delay, is within 0.2 ms or 2 % of `expected`, whichever is
  /// larger.
  var holds: Bool {
    let excess = measured - expected
    let difference = excess > 0 ? max(0, excess - runqueue) : -excess
    return difference <= max(0.2, expected * 0.02)
  }
}

struct SelfCheckJudge: Sendable {
  let work: SelfCheckCase
  let spans: [BlockSpan]
  let recording: MainQueueRecording

  var checks: [SelfCheckResult] { [gaps, busy, heartbeats, frame] + taps }

  /// One for all blocks, or one for each.
  private var expectedGaps: [Double] {
    let lengths = spans.map(\.duration.milliseconds)
    return work.arrangement == .chained ? lengths : [lengths.reduce(0, +)]
  }

  /// The longest gaps, as many as expected. The others are the harness's, of microseconds.
  private var recordedGaps: [MainQueueRecording.ServiceGap] {
    Array(recording.gaps.sorted { $0.duration > $1.duration }.prefix(expectedGaps.count))
  }

  private var runqueue: Double { recordedGaps.reduce(0) { $0 + Double($1.runqueue ?? 0) / 1e6 } }

  private func result(_ what: String, _ expected: Double, _ measured: Double) -> SelfCheckResult {
    SelfCheckResult(what: what, expected: expected, measured: measured, runqueue: runqueue)
  }

  private var gaps: SelfCheckResult {
    result(
      "longest service gap", expectedGaps.max() ?? 0,
      recordedGaps.first?.duration.milliseconds ?? 0)
  }

  private var busy: SelfCheckResult {
    result(
      "busy period", expectedGaps.reduce(0, +),
      recording.busyPeriods.map(\.duration.milliseconds).max() ?? 0)
  }

  /// The latest answer to a beat, from the end of the gap in which the beat came due.
  private var heartbeats: SelfCheckResult {
    let late = expectedGapSpans.flatMap { gap in
      recording.beats.filter { $0.due > gap.start && $0.due < gap.end }
        .map { ($0.answered - gap.end).milliseconds }
    }
    return result("beats answered after the gap", 0, late.max() ?? 0)
  }

  private var expectedGapSpans: [BlockSpan] {
    guard work.arrangement != .chained, let first = spans.first, let last = spans.last else {
      return spans
    }
    return [BlockSpan(start: first.start, end: last.end)]
  }

  /// A frame that came due while blocks ran is presented at their end, any other at its tick.
  private var frame: SelfCheckResult {
    guard let frame = recording.frames.first else {
      return SelfCheckResult(what: "frame presented", expected: 0, measured: .infinity, runqueue: 0)
    }
    let blocking = expectedGapSpans.first { $0.end >= frame.due && $0.start <= frame.due }
    let expected = max(frame.due, blocking?.end ?? frame.due)
    return result(
      "frame late", (expected - frame.due).milliseconds,
      (frame.presented - frame.due).milliseconds)
  }

  /// The waits of taps in the first second of the window.
  private var taps: [SelfCheckResult] {
    let truth = tapWait(of: expectedGaps)
    let found = tapWait(of: recordedGaps.map(\.duration.milliseconds))
    return [
      result("tap, 99th percentile", truth.percentile(0.99), found.percentile(0.99)),
      result("tap, longest", truth.max, found.max),
    ]
  }

  private func tapWait(of gaps: [Double]) -> TapWait {
    var start = 0.0
    let samples = gaps.map { length -> GapSample in
      defer { start += length }
      return GapSample(start: start, duration: length, cause: "")
    }
    return TapWait(gaps: samples, horizon: 1000)
  }
}
