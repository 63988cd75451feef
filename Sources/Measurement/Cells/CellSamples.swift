/// One repeat of a cell: its window, and how long taps would have waited in it.
struct RepeatSample: Sendable {
  let window: WindowSample
  /// The scenario's `horizon_ms`.
  let horizon: Double
  let taps: TapWait

  init(_ window: WindowSample, horizon: Double) {
    self.window = window
    self.horizon = horizon
    taps = TapWait(gaps: window.gaps, horizon: horizon)
  }
}

/// All samples of one cell, from which its metrics are computed.
struct CellSamples: Sendable {
  let repeats: [RepeatSample]
  let process: ProcessSample
  /// The lateness of heartbeats, pooled over the repeats.
  let beats: HeartbeatPercentiles
  /// The same, only of beats that came due while main was idle.
  let wakeBeats: HeartbeatPercentiles

  init(_ samples: [WindowSample], horizon: Double, process: ProcessSample) {
    precondition(!samples.isEmpty, "a cell has at least one repeat")
    repeats = samples.map { RepeatSample($0, horizon: horizon) }
    self.process = process
    beats = HeartbeatPercentiles(samples.lazy.flatMap(\.heartbeats))
    wakeBeats = HeartbeatPercentiles(samples.lazy.flatMap(\.wakeHeartbeats))
  }

  /// Nil if it was not measured, or is text.
  func value(of metric: Metric) -> Double? {
    switch metric.combination {
    case .median(let value): median(value)
    case .partOfBlocked(let part): meanOfMiddle(part)
    case .cell(let value): value(self)
    case .count: median { $0.window.counts[metric].map(Double.init) }
    case .text, .duet: nil
    }
  }

  /// Exact counts that were not the same in every repeat, by their columns' names.
  var unsteadyCounts: [String] {
    Metrics.exactCounts.filter { count in
      Set(repeats.map { $0.window.counts[count] }).count > 1
    }.map(\.name)
  }

  /// `none` where all counts agree; nil where there is one repeat.
  var unsteadyCountsText: String? {
    guard repeats.count > 1 else { return nil }
    return unsteadyCounts.isEmpty ? "none" : unsteadyCounts.joined(separator: " ")
  }

  /// Each repeat's longest gap, shortest first; nil for a repeat without gaps.
  var longestGaps: [GapSample?] {
    repeats.map { $0.window.gaps.max { $0.duration < $1.duration } }
      .sorted { ($0?.duration ?? 0) < ($1?.duration ?? 0) }
  }

  /// The median of the longest gaps; of two, the shorter.
  var middleGap: GapSample? { Statistics.middle(longestGaps).first ?? nil }

  private func median(_ value: (RepeatSample) -> Double?) -> Double? {
    let values = repeats.compactMap(value)
    return values.count == repeats.count ? Statistics.median(values) : nil
  }

  private func meanOfMiddle(_ part: (WindowSample) -> Double) -> Double {
    let middle = Statistics.middle(repeats.map(\.window).sorted { $0.blocked < $1.blocked })
    return middle.map(part).reduce(0, +) / Double(middle.count)
  }
}

extension WindowSample {
  /// The sum of how late each frame was presented, in ms.
  var hitch: Double { frames.reduce(0) { $0 + max(0, $1.presented - $1.due) } }

  /// Frames that were presented after the next one was due.
  var lateFrames: Int { frames.count { $0.presented > $0.due + frameInterval } }

  /// - Parameter cause: one of ``Metrics/waitCauses``; `other` covers all names that are not.
  func wait(for cause: String) -> Double {
    guard cause == "other" else { return waits[cause] ?? 0 }
    let named = Metrics.waitCauses.dropLast()
    return waits.reduce(0) { named.contains($1.key) ? $0 : $0 + $1.value }
  }
}
