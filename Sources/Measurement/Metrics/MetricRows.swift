/// The values of some metrics in many cells, as plain numbers: a row for each cell. A file of a
/// million rows fits into memory.
///
/// It is here, and not beside the judge that uses it, because this module is optimised.
package struct MetricRows: Sendable {
  private let metrics: [Int]
  // NaN: not measured.
  private var numbers: [Double] = []

  /// - Parameter metrics: indexes in `Metrics.all`.
  package init(of metrics: [Int]) { self.metrics = metrics }

  package mutating func append(_ cell: CellResult) {
    for metric in metrics { numbers.append(cell.value(at: metric) ?? .nan) }
  }

  /// A value for each row. NaN: not measured.
  package func column(_ metric: Metric) -> [Double] { places(metric).map { numbers[$0] } }

  package func measures(_ metric: Metric) -> Bool {
    places(metric).contains { !numbers[$0].isNaN }
  }

  /// The measured values, in the order of the rows or of their size.
  package func values(_ metric: Metric, areSorted: Bool = false) -> [Double] {
    var values = column(metric)
    values.removeAll(where: \.isNaN)
    if areSorted { values.sort() }
    return values
  }

  /// Those in which the cell differs from the row.
  package func metrics(differingFrom cell: CellResult, at row: Int) -> [Metric] {
    metrics.enumerated().filter { offset, metric in
      let value = numbers[row * metrics.count + offset]
      return (value.isNaN ? nil : value) != cell.value(at: metric)
    }.map { Metrics.all[$0.element] }
  }

  private func places(_ metric: Metric) -> StrideTo<Int> {
    guard let index = metrics.firstIndex(of: Metrics.position(of: metric)) else {
      preconditionFailure("`\(metric.name)` is not among the metrics that were kept")
    }
    return stride(from: index, to: numbers.count, by: metrics.count)
  }
}
