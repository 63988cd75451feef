struct RepeatSample: Sendable {
  let window: WindowSample
  let horizon: Double
  let taps: TapWait

  init(_ window: WindowSample, horizon: Double) {
    self.window = window
    self.horizon = horizon
    taps = TapWait(gaps: window.gaps, horizon: horizon)
  }

  /// In ms per second. A commit may itself make a frame due, so that two frames are late at once.
  var hitchRate: Double {
    let span = max(horizon, window.total)
    return min(window.hitch / span, 1) * 1000
  }
}

struct CellSamples: Sendable {
  let repeats: [RepeatSample]
  let asksAbout: String
  let process: ProcessSample
  let beats: HeartbeatPercentiles
  /// Percentiles of the beats that came due while main was idle.
  let wakeBeats: HeartbeatPercentiles

  init(
    _ samples: [WindowSample], horizon: Double, process: ProcessSample, asksAbout: String
  ) {
    precondition(!samples.isEmpty, "a cell has at least one repeat")
    repeats = samples.map { RepeatSample($0, horizon: horizon) }
    self.process = process
    self.asksAbout = asksAbout
    beats = HeartbeatPercentiles(samples.lazy.flatMap(\.heartbeats))
    wakeBeats = HeartbeatPercentiles(samples.lazy.flatMap(\.wakeHeartbeats))
  }

  func value(of metric: Metric) -> Double? {
    switch metric.combination {
    case .median(let value): median(value)
    case .partOfBlocked(let part): meanOfMiddle(part)
    case .cell(let value): value(self)
    case .count(let count): median { count($0.window).map(Double.init) }
    case .text, .duet: nil
    }
  }

  /// Names of exact counts that differed between repeats.
  var unsteadyCounts: [String] {
    Metrics.exactCounts.filter { metric in
      Set(repeats.map { $0.window.count(metric) }).count > 1
    }.map(\.name)
  }

  /// `none` if all counts agree. Nil with one repeat.
  var unsteadyCountsText: String? {
    guard repeats.count > 1 else { return nil }
    return unsteadyCounts.isEmpty ? "none" : unsteadyCounts.joined(separator: " ")
  }

  /// One for each repeat, shortest first. Nil without gaps.
  var longestGaps: [GapSample?] {
    repeats.map { $0.window.gaps.max { $0.duration < $1.duration } }
      .sorted { ($0?.duration ?? 0) < ($1?.duration ?? 0) }
  }

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
  /// Nil if the metric is no exact count, or was not counted.
  package func count(_ metric: Metric) -> Int? {
    if case .count(let count) = metric.combination { count(self) } else { nil }
  }

  var hitch: Double { frames.reduce(0) { $0 + max(0, $1.presented - $1.due) } }

  /// - Parameter cause: one of ``Metrics/waitCauses``. `other` covers all other names.
  func wait(for cause: String) -> Double {
    guard cause == "other" else { return waits[cause] ?? 0 }
    let named = Metrics.waitCauses.dropLast()
    return waits.reduce(0) { named.contains($1.key) ? $0 : $0 + $1.value }
  }
}

package struct CellMetrics: Sendable, Equatable {
  package private(set) var values = MetricValues()
  package let unsteadyCounts: [String]

  /// - Parameters:
  ///   - samples: one for each repeat, at least one.
  ///   - horizon: `horizon_ms`, greater than zero.
  ///   - asksAbout: the phase that answers rank.
  package init(
    samples: [WindowSample], horizon: Double, process: ProcessSample, asksAbout: String = "change"
  ) {
    let cell = CellSamples(samples, horizon: horizon, process: process, asksAbout: asksAbout)
    unsteadyCounts = cell.unsteadyCounts
    for metric in Metrics.all {
      if case .text(let text) = metric.combination {
        values[label: metric] = text(cell)
      } else if metric.kind != .label {
        values[metric] = cell.value(of: metric)
      }
    }
  }
}

/// Percentiles of a cell's heartbeats, each by the nearest rank.
struct HeartbeatPercentiles {
  private let sorted: [Double]

  /// - Parameter beats: ms from due time to answer.
  init(_ beats: some Sequence<Double>) { sorted = beats.sorted() }

  /// In ms. Nil without beats.
  var max: Double? { sorted.last }

  /// In ms. Nil below 1 / (1 − fraction) beats, where it would be the maximum: the median needs 2,
  /// p99 100, p99.9 1,000.
  func percentile(_ fraction: Double) -> Double? {
    let count = Double(sorted.count)
    guard count >= (1 / (1 - fraction)).rounded() else { return nil }
    // `nextDown`, so that a rounded product does not reach the next rank.
    return sorted[Int((fraction.nextDown * count).rounded(.up)) - 1]
  }
}
