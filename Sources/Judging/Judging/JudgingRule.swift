package import Measurement

package struct JudgingRule: Codable, Sendable, Equatable {
  /// A regression lies above this share of the baseline.
  package var relativeFloor: Double
  /// A regression lies above this value, in the metric's unit. Smaller values are judged by their
  /// difference, because their ratios are noise.
  package var absoluteFloor: Double
  /// A pass excludes a change of this share, or of the absolute floor if that is more.
  package var margin: Double
  /// `neither` is judged as `lower`.
  package var better: Metric.Direction

  package init(
    relativeFloor: Double = 0.03, absoluteFloor: Double = 0, margin: Double = 0.10,
    better: Metric.Direction = .lower
  ) {
    self.relativeFloor = relativeFloor
    self.absoluteFloor = absoluteFloor
    self.margin = margin
    self.better = better
  }
}

extension JudgingRule {
  /// Nobody notices a change below the absolute floors, and no machine repeats it: 0.1 ms, one
  /// count, 1 MiB.
  package init(for metric: Metric) {
    self.init(absoluteFloor: Self.absoluteFloor(metric), better: metric.better)
  }

  private static func absoluteFloor(_ metric: Metric) -> Double {
    switch metric.kind {
    case .time, .percentile: 0.1
    case .count: 1
    case .size: 1
    case .rate, .area, .label: 0
    }
  }
}

/// One process run is one value.
package struct TimeSample: Sendable, Equatable {
  package var name: String
  package var baseline: [Double]
  /// Paired: element i belongs to the baseline's element i.
  package var candidate: [Double]
  package var rule: JudgingRule

  package init(
    name: String, baseline: [Double], candidate: [Double], rule: JudgingRule = JudgingRule()
  ) {
    self.name = name
    self.baseline = baseline
    self.candidate = candidate
    self.rule = rule
  }
}
