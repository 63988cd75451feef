import Measurement

/// A figure to follow over commits: a count, or a time over its cell's raw SQLite time, so that a
/// faster machine does not look like a change.
package struct Measure: Sendable {
  /// `main_instructions`, `total_per_raw_sqlite`
  package let name: String
  package let unit: String
  private let metric: Metric
  private let isRelative: Bool
  private let position: Int

  /// Instructions, exact counts, times. Readers of exports rely on names and order.
  package static let all: [Measure] = {
    let instructions = (Metric.instructions + Metric.instructionParts).map { ($0, "instructions") }
    let counts = Metrics.exactCounts.map { ($0, "count") }
    let times = Comparison.defaultMetrics.filter { $0.kind == .time }.map { ($0, "× raw SQLite") }
    return (instructions + counts + times).enumerated().map { Measure($1.0, $1.1, at: $0) }
  }()

  private init(_ metric: Metric, _ unit: String, at position: Int) {
    (self.metric, self.unit, self.position) = (metric, unit, position)
    isRelative = metric.kind == .time
    name =
      isRelative ? "\(metric.name.dropLast(metric.unit.count))per_raw_sqlite" : metric.name
  }

  func value(in cell: CellResult) -> Double? {
    guard isRelative, let value = cell.metrics[metric] else { return cell.metrics[metric] }
    guard let raw = cell.metrics[.rawSQLite], raw > 0 else { return nil }
    return value / raw
  }
}

extension Measure: Hashable, Comparable {
  package static func == (left: Self, right: Self) -> Bool { left.position == right.position }
  package static func < (left: Self, right: Self) -> Bool { left.position < right.position }
  package func hash(into hasher: inout Hasher) { hasher.combine(position) }
}
