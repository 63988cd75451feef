package struct CellMetrics: Sendable, Equatable {
  package private(set) var values = MetricValues()
  package let unsteadyCounts: [String]

  /// - Parameters:
  ///   - samples: one for each repeat, at least one.
  ///   - horizon: `horizon_ms`, greater than zero.
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
