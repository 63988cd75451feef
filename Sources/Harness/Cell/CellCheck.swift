package import Foundation
import Repeats
import SQLiteStore
import Support
package import Topologies
import Workload

/// A build's answer to `topobench cell --check`, about itself and a specification.
///
/// A reader decodes `protocol` first, and the rest only if it supports that version.
package struct CellCheck: Codable, Sendable, Equatable {
  package struct Topology: Codable, Sendable, Equatable {
    package let name: String
    /// The topology's only store mode; nil for any.
    package let store: String?
  }

  package var `protocol` = CellSpecification.protocolVersion
  package var topobench: String
  /// Empty if the build recorded none.
  package var gitSHA: String
  package var build: String
  package var topologies: [Topology]
  /// Nil if this build cannot use the scenario.
  package var scenarioDigest: String?
  /// Why it cannot, in one line.
  package var problem: String?

  /// Whether this build's cells obey `mostRepeats` and `baselineRuns`; nil in an older build.
  package var limitsRepeats: Bool? = true

  /// Why topologies cannot do the scenario's work, by name; nil in an older build.
  package var refusals: [String: String]?

  enum CodingKeys: String, CodingKey {
    case `protocol`, topobench, build, topologies, problem, refusals
    case gitSHA = "git_sha"
    case scenarioDigest = "scenario_digest"
    case limitsRepeats = "limits_repeats"
  }
}

extension CellCheck {
  /// Stores an error in `problem`: a caller of another version must still learn this build's
  /// version.
  package init(
    of input: Data, topobench: String, gitSHA: String, topologies: [TopologyDescriptor]
  ) {
    self.init(
      topobench: topobench, gitSHA: gitSHA, build: Machine.build,
      topologies: topologies.map {
        Topology(name: $0.name, store: $0.fixedStoreMode?.rawValue)
      })
    do {
      let specification = try JSONDecoder().decode(CellSpecification.self, from: input)
      try specification.validateRuns()
      let scenario = try specification.loadScenario()
      var check = WorkloadCheck()
      scenarioDigest = try check.digest(of: scenario, seed: specification.seed)
      let refused = topologies.compactMap { topology in
        topology.refusal(of: scenario.workKinds).map { (topology.name, $0) }
      }
      refusals = Dictionary(refused) { first, _ in first }
    } catch {
      problem = "\(error)".oneLine
    }
  }
}
