package import Measurement

package struct CellKey: Hashable, Codable, Sendable {
  package let scenario: String
  package let digest: String
  package let parameters: String
  package let topology: String
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

  /// Empty texts make the key that all topologies, store modes or versions of a scenario share.
  func with(
    topology: String? = nil, store: String? = nil, digest: String? = nil
  ) -> CellKey {
    CellKey(
      scenario: scenario, digest: digest ?? self.digest, parameters: parameters,
      topology: topology ?? self.topology, store: store ?? self.store, isCounted: isCounted)
  }

  /// The key that a counted cell shares with a timed one.
  var timed: CellKey {
    CellKey(
      scenario: scenario, digest: digest, parameters: parameters, topology: topology, store: store)
  }

  /// The key that all topologies and all versions of the scenario share.
  package var section: CellKey { with(topology: "", digest: "") }

  var trialsNeeded: Int { isCounted ? 1 : CountJudgement.trialsNeeded }

  /// - Parameters: nil for every topology or scenario.
  func isOf(topology: String?, scenario: String?) -> Bool {
    topology ?? self.topology == self.topology && scenario ?? self.scenario == self.scenario
  }
}

/// A duet's CSV file contains the raw values.
package enum Side: String, Codable, Sendable, CaseIterable {
  case baseline, candidate

  package var other: Side { self == .baseline ? .candidate : .baseline }
}
