/// A count that equal work makes equal elsewhere, and not here: it follows from when a frame falls, or a
/// thread runs. Where a project says so, it is judged by statistics, as times are.
package struct InexactCount: Sendable, Equatable, Codable {
  /// The column's name.
  package var metric: String
  /// Nil for every topology.
  package var topology: String?
  /// Nil for every scenario.
  package var scenario: String?
  package var reason: String

  package init(
    metric: String, topology: String? = nil, scenario: String? = nil, reason: String
  ) {
    self.metric = metric
    self.topology = topology
    self.scenario = scenario
    self.reason = reason
  }

  func covers(_ key: CellKey, metric: String) -> Bool {
    self.metric == metric && topology ?? key.topology == key.topology && isOf(key.scenario)
  }

  private func isOf(_ scenario: String) -> Bool { self.scenario ?? scenario == scenario }

  /// Whether none of the counts that it names differed within a side: then they could be held exactly.
  /// Nothing is said of a scenario that is not at hand.
  func isNeedless(in findings: [GateFinding]) -> Bool {
    guard findings.contains(where: { isOf($0.key.scenario) }) else { return false }
    return !findings.contains { $0.inexact?.declared == self && $0.inexact?.differs == true }
  }
}

extension GateFinding {
  /// What a policy says of a count, and what was seen.
  package struct Inexact: Codable, Sendable, Equatable {
    package let declared: InexactCount
    /// Whether the trials of a side differ, or the repeats inside of one do.
    package let differs: Bool
  }
}
