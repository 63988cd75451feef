import Measurement
import Queues

/// In ms.
struct SelfCheckResult: Sendable, Equatable {
  let what: String
  let expected: Double
  let measured: Double
  /// The time in which the thread was runnable but not running.
  let runqueue: Double

  /// Whether both agree within 0.2 ms or 2 %, whichever is larger, without run-queue delay.
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

  var checks: [SelfCheckResult] {
    [gaps, busy, heartbeats, frame] + taps
  }

  /// One for all blocks, or one for each.
  private var expectedGaps: [Double] {
    let lengths = spans.map(\.duration.milliseconds)
    return work.arrangement == .chained ? lengths : [lengths.reduce(0, +)]
  }

  /// As many as expected, the longest. The others are microseconds of the harness.
  private var recordedGaps: [MainQueueRecording.ServiceGap] {
    Array(recording.gaps.sorted { $0.duration > $1.duration }.prefix(expectedGaps.count))
  }

  private var runqueue: Double {
    recordedGaps.reduce(0) { $0 + Double($1.runqueue ?? 0) / 1e6 }
  }

  private var gaps: SelfCheckResult {
    SelfCheckResult(
      what: "longest service gap", expected: expectedGaps.max() ?? 0,
      measured: recordedGaps.first?.duration.milliseconds ?? 0, runqueue: runqueue)
  }

  private var busy: SelfCheckResult {
    SelfCheckResult(
      what: "busy period", expected: expectedGaps.reduce(0, +),
      measured: recording.busyPeriods.map(\.duration.milliseconds).max() ?? 0, runqueue: runqueue)
  }

  /// The latest answer to a beat, from the end of the gap in which the beat came due.
  private var heartbeats: SelfCheckResult {
    let late = expectedGapSpans.flatMap { gap in
      recording.beats.filter { $0.due > gap.start && $0.due < gap.end }
        .map { ($0.answered - gap.end).milliseconds }
    }
    return SelfCheckResult(
      what: "beats answered after the gap", expected: 0, measured: late.max() ?? 0,
      runqueue: runqueue)
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
    return SelfCheckResult(
      what: "frame late", expected: (expected - frame.due).milliseconds,
      measured: (frame.presented - frame.due).milliseconds, runqueue: runqueue)
  }

  /// Within a second from the window's opening.
  private var taps: [SelfCheckResult] {
    let truth = tapWait(of: expectedGaps)
    let found = tapWait(of: recordedGaps.map(\.duration.milliseconds))
    return [
      SelfCheckResult(
        what: "tap, 99th percentile", expected: truth.percentile(0.99),
        measured: found.percentile(0.99), runqueue: runqueue),
      SelfCheckResult(
        what: "tap, longest", expected: truth.max, measured: found.max, runqueue: runqueue),
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
