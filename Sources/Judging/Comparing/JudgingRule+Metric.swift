package import Measurement

extension JudgingRule {
  /// The default rule of a metric.
  ///
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
