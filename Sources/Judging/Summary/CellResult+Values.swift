package import Measurement

/// The values that answers are made from. Rows of a CSV file keep their own.
///
/// - A longest gap that a heartbeat or the harness caused is left out: an app has neither.
/// - An exact count is whole. Where a cell's own repeats differ, its row may hold half a statement:
///   the mean of two middle repeats.
extension CellResult {
  /// Nil if not measured, or if the instrument caused the longest gap.
  package func value(_ metric: Metric) -> Double? { value(at: Metrics.position(of: metric)) }

  /// - Parameter position: of a metric in `Metrics.all`.
  func value(at position: Int) -> Double? {
    guard let value = metrics[position: position] else { return nil }
    if position == Self.gapPosition { return hasInstrumentGap ? nil : value }
    return Self.isExactCount[position] ? value.rounded(.down) : value
  }

  var hasInstrumentGap: Bool {
    metrics[label: .longestGapCause].map(Self.instrumentCauses.contains) ?? false
  }

  private static let instrumentCauses: Set = ["heartbeat", "harness"]

  // A file has up to a million rows, so metrics are not compared by their names.
  private static let gapPosition = Metrics.position(of: Question.change.gap)
  private static let isExactCount = Metrics.all.map(\.isCount)
}
