/// A count that depends on scheduling in some scenarios, although it is exact elsewhere. The policy
/// names it, and it is judged by statistics, as times are.
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

  /// Whether no count that it covers differed within a side: then the counts could be judged
  /// exactly. False if the scenario was not measured.
  func isNeedless(in figures: [GateFigure]) -> Bool {
    guard figures.contains(where: { isOf($0.key.scenario) }) else { return false }
    return !figures.contains { $0.inexact?.declared == self && $0.inexact?.differs == true }
  }
}

extension GateFigure {
  /// An inexact count of the policy, and whether it differed.
  package struct Inexact: Codable, Sendable, Equatable {
    package let declared: InexactCount
    /// Whether the trials of a side differ, or the repeats inside of one do.
    package let differs: Bool
  }
}
