/// The one or two trials in the middle by blocked time. They represent a topology where one trial
/// must, and where parts must add up to their whole.
package struct MedianTrial: Sendable {
  /// The one or two ok cells whose mean is the median of `main_blocked_ms`, the lesser first.
  package let middle: [CellResult]

  /// Nil if no ok cell has blocked time.
  package init?(_ cells: some Sequence<CellResult>) {
    let measured = cells.compactMap { cell -> (cell: CellResult, blocked: Double)? in
      guard cell.status == .ok, let blocked = cell.metrics[.mainBlocked] else { return nil }
      return (cell, blocked)
    }
    guard !measured.isEmpty else { return nil }
    // Among equals the first measured, so that every reader of a file picks the same.
    let sorted = measured.sorted { ($0.blocked, $0.cell.order) < ($1.blocked, $1.cell.order) }
    middle = Statistics.middle(sorted).map(\.cell)
  }

  /// The cell to show; of two, the lesser.
  package var shown: CellResult { middle[0] }

  /// The mean over the middle. Parts of blocked time then add up to its median.
  package func mean(_ metric: Metric) -> Double? {
    let values = middle.compactMap { $0.metrics[metric] }
    guard values.count == middle.count else { return nil }
    return values.reduce(0, +) / Double(values.count)
  }
}

extension [WindowSample] {
  /// The repeat with the median blocked time; of two, the lesser. Nil if there are no repeats.
  package var medianRepeat: WindowSample? {
    isEmpty ? nil : Statistics.middle(sorted { $0.blocked < $1.blocked }).first
  }
}
