package import Measurement

/// A count that is exact elsewhere, but depends on scheduling here. The policy names it, and
/// statistics judge it.
package struct InexactCount: Sendable, Equatable, Codable {
  package var metric: Metric
  /// Nil for every topology.
  package var topology: String?
  /// Nil for every scenario.
  package var scenario: String?
  package var reason: String

  package init(
    metric: Metric, topology: String? = nil, scenario: String? = nil, reason: String
  ) {
    self.metric = metric
    self.topology = topology
    self.scenario = scenario
    self.reason = reason
  }

  func covers(_ key: CellKey, metric: Metric) -> Bool {
    self.metric == metric && topology ?? key.topology == key.topology && isOf(key.scenario)
  }

  func isOf(_ scenario: String) -> Bool { self.scenario ?? scenario == scenario }
}
