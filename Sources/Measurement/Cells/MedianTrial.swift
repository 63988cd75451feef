/// The one or two middle trials by blocked time: they represent a topology where parts must add up.
package struct MedianTrial: Sendable {
  /// The `ok` cells whose mean is the median of blocked time, the lesser first.
  package let middle: [CellResult]

  /// Nil if no ok cell has blocked time.
  ///
  /// - Parameter metric: the blocked time of the phase asked about.
  package init?(_ cells: some Sequence<CellResult>, by metric: Metric) {
    let measured = cells.compactMap { cell -> (cell: CellResult, blocked: Double)? in
      guard cell.status == .ok, let blocked = cell.metrics[metric] else { return nil }
      return (cell, blocked)
    }
    guard !measured.isEmpty else { return nil }
    // Of equal trials, the first measured comes first, so that every reader picks the same.
    let sorted = measured.sorted { ($0.blocked, $0.cell.order) < ($1.blocked, $1.cell.order) }
    middle = Statistics.middle(sorted).map(\.cell)
  }

  package var shown: CellResult { middle[0] }

  /// The mean over the middle, so that parts of blocked time add up to its median.
  package func mean(_ metric: Metric) -> Double? {
    let values = middle.compactMap { $0.metrics[metric] }
    guard values.count == middle.count else { return nil }
    return values.reduce(0, +) / Double(values.count)
  }
}

extension [WindowSample] {
  package var medianRepeat: WindowSample? {
    isEmpty ? nil : Statistics.middle(sorted { $0.blocked < $1.blocked }).first
  }
}
