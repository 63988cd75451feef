package import Measurement

extension JudgingRule {
  /// What is asked of a metric unless a project says otherwise.
  ///
  /// The absolute floors are what no one notices and no machine repeats: a tenth of a millisecond, one
  /// count, a mebibyte.
  package init(for metric: MetricDefinition) {
    self.init(absoluteFloor: Self.absoluteFloor(metric), better: metric.better)
  }

  private static func absoluteFloor(_ metric: MetricDefinition) -> Double {
    switch metric.kind {
    case .time, .percentile: 0.1
    case .count: 1
    case .size: 1
    case .rate, .area, .label: 0
    }
  }
}
