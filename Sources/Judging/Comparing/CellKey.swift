package import Measurement

/// Identifies the cells whose figures are compared with each other.
package struct CellKey: Hashable, Codable, Sendable {
  package let scenario: String
  /// SHA-256 over the scenario and its data.
  package let digest: String
  /// A JSON object of what was swept or set; empty if nothing was.
  package let parameters: String
  package let topology: String
  /// `pool` or `serial`.
  package let store: String
  /// Encoded only if true.
  private let counted: Bool?

  /// Whether the cells counted instructions. They are never compared with timed cells.
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

  /// The scenario and its parameters, without the digest.
  package var setting: Setting {
    Setting(scenario: scenario, parameters: parameters)
  }

  /// The same with another topology; empty for what all topologies share.
  func with(topology: String) -> CellKey {
    CellKey(
      scenario: scenario, digest: digest, parameters: parameters, topology: topology, store: store,
      isCounted: isCounted)
  }

  /// The key of what all topologies share, for every version of the scenario.
  package var section: CellKey { withoutDigest.with(topology: "") }

  /// The same key for every version of the scenario.
  var withoutDigest: CellKey {
    CellKey(
      scenario: scenario, parameters: parameters, topology: topology, store: store,
      isCounted: isCounted)
  }
}

extension CellKey {
  /// The fewest trials in which counts can be compared.
  var trialsNeeded: Int { isCounted ? 1 : CountJudgement.trialsNeeded }
}
