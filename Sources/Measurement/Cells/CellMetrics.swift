/// Computes a cell's metrics from the samples of its repeats, as each ``Metric`` declares.
package struct CellMetrics: Sendable, Equatable {
  package private(set) var values = MetricValues()
  /// Exact counts that were not the same in every repeat, by their columns' names.
  package let unsteadyCounts: [String]

  /// - Parameters:
  ///   - samples: one for each repeat; at least one.
  ///   - horizon: the scenario's `horizon_ms`, greater than zero.
  package init(samples: [WindowSample], horizon: Double, process: ProcessSample) {
    let cell = CellSamples(samples, horizon: horizon, process: process)
    unsteadyCounts = cell.unsteadyCounts
    for metric in Metrics.all {
      if case .text(let text) = metric.combination {
        values[label: metric] = text(cell)
      } else if metric.kind != .label {
        values[metric] = cell.value(of: metric)
      }
    }
  }
}
