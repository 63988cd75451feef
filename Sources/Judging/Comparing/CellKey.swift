package import Measurement

package struct CellKey: Hashable, Codable, Sendable {
  package let scenario: String
  package private(set) var digest: String
  package let parameters: String
  package private(set) var topology: String
  /// `pool` or `serial`.
  package private(set) var store: String
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

  /// With an empty topology, the key that all topologies share.
  func with(topology: String) -> CellKey {
    var copy = self
    copy.topology = topology
    return copy
  }

  /// With an empty mode, the key that all store modes share.
  func with(store: String) -> CellKey {
    var copy = self
    copy.store = store
    return copy
  }

  /// The key that all topologies and all versions of the scenario share.
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

/// A duet's CSV file contains the raw values.
package enum Side: String, Codable, Sendable, CaseIterable {
  case baseline, candidate

  package var other: Side { self == .baseline ? .candidate : .baseline }
}
