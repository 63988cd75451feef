/// The values that answers are made from. Rows of a CSV file keep their own.
///
/// - A longest gap that a heartbeat or the harness caused is left out: an app has neither.
/// - An exact count is whole. Where a cell's own repeats differ, its row may hold half a statement:
///   the mean of two middle repeats.
extension CellResult {
  /// Nil if not measured, or if the instrument caused the longest gap.
  package func value(_ metric: Metric) -> Double? { value(at: Metrics.position(of: metric)) }

  /// - Parameter position: of a metric in `Metrics.all`.
  package func value(at position: Int) -> Double? {
    guard let value = metrics[position: position] else { return nil }
    if position == Self.gapPosition { return hasInstrumentGap ? nil : value }
    return Self.isExactCount[position] ? value.rounded(.down) : value
  }

  package var hasInstrumentGap: Bool {
    metrics[label: .longestGapCause].map(Self.instrumentCauses.contains) ?? false
  }

  private static let instrumentCauses: Set = ["heartbeat", "harness"]

  // A file has up to a million rows, so metrics are not compared by their names.
  private static let gapPosition = Metrics.position(of: .mainLongestGap)
  private static let isExactCount = Metrics.all.map(\.isCount)
}

extension [CellResult] {
  /// The values of the cells that measured the metric.
  package func values(_ metric: Metric) -> [Double] {
    let position = Metrics.position(of: metric)
    return compactMap { $0.value(at: position) }
  }

  /// Exact counts in which trials of equal work, or repeats of one, differ.
  package var unsteadyCounts: [Metric] {
    let seeds = Dictionary(grouping: self, by: \.seed).values
    let named = Set(compactMap { $0.metrics[label: .unsteadyCounts] })
    return Metrics.exactCounts.filter { count in
      let position = Metrics.position(of: count)
      return named.contains { count.isNamed(in: $0) }
        || seeds.contains { cells in
          let first = cells[0].metrics[position: position]
          return cells.contains { $0.metrics[position: position] != first }
        }
    }
  }
}

extension CellResult {
  package func isUnsteady(_ count: Metric) -> Bool {
    metrics[label: .unsteadyCounts].map(count.isNamed) ?? false
  }
}

extension Metric {
  fileprivate func isNamed(in names: String) -> Bool {
    names.split(separator: " ").contains { $0 == name }
  }
}
