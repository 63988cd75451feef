/// Every metric, in the order of the CSV file.
///
/// Readers of files rely on the order of the first groups. New metrics go to the end of `added`.
package enum Metrics {
  package static let all: [Metric] =
    Metric.window + Metric.blocked + Metric.gaps + Metric.frames + Metric.heartbeats + Metric.taps
    + Metric.mainThread + Metric.counts + Metric.cell + Metric.added

  private static let positions: [String: Int] = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

  package static func named(_ name: String) -> Metric? {
    positions[name].map { all[$0] }
  }

  package static func position(of metric: Metric) -> Int {
    guard let position = positions[metric.name] else {
      preconditionFailure("`\(metric.name)` is missing in `Metrics.all`")
    }
    return position
  }

  package static let exactCounts: [Metric] = all.filter(\.isIndependentOfScheduling)

  /// As in `main_wait_<cause>_ms`. Together they are `main_waiting_ms`.
  package static let waitCauses = ["parent", "coordinator", "sqlite", "queue", "other"]
}
