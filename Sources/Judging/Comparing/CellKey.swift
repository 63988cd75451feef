package import Measurement

package struct CellKey: Hashable, Codable, Sendable {
  package let scenario: String
  package private(set) var digest: String
  package let parameters: String
  package private(set) var topology: String
  /// `pool` or `serial`.
  package let store: String
  /// Encoded only if true.
  private let counted: Bool?

  /// Counted cells are never compared with timed ones.
  package var isCounted: Bool { counted ?? false }

  package init(
    scenario: String, digest: String = "", parameters: String = "", topology: String,
    store: String, isCounted: Bool = false
  ) {
    counted = isCounted ? true : nil
    self.scenario = scenario
    self.digest = digest
    self.parameters = parameters == "{}" ? "" : parameters
    self.topology = topology
    self.store = store
  }

  package init(_ cell: CellResult) {
    self.init(
      scenario: cell.scenario, digest: cell.scenarioDigest, parameters: cell.parameters,
      topology: cell.topology, store: cell.store, isCounted: cell.isCounted)
  }

  package var setting: Setting { Setting(scenario: scenario, parameters: parameters) }

  /// An empty topology stands for what all share.
  func with(topology: String) -> CellKey {
    var copy = self
    copy.topology = topology
    return copy
  }

  /// What all topologies share, for every version of the scenario.
  package var section: CellKey { withoutDigest.with(topology: "") }

  var withoutDigest: CellKey {
    var copy = self
    copy.digest = ""
    return copy
  }

  var trialsNeeded: Int { isCounted ? 1 : CountJudgement.trialsNeeded }

  /// - Parameters: nil for every topology or scenario.
  func isOf(topology: String?, scenario: String?) -> Bool {
    topology ?? self.topology == self.topology && scenario ?? self.scenario == self.scenario
  }
}

/// The words stand in a duet's CSV file.
package enum Side: String, Codable, Sendable, CaseIterable {
  case baseline, candidate

  package var other: Side { self == .baseline ? .candidate : .baseline }
}
