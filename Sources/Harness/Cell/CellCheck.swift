package import Foundation
import SQLiteStore
package import Topologies
import Workload

/// What a build says of itself and of a specification, without measuring: `topobench cell --check`.
///
/// Versioned as cells are: its member `protocol` is read first, and everything else only where that
/// is the reader's own.
package struct CellCheck: Codable, Sendable, Equatable {
  package struct Topology: Codable, Sendable, Equatable {
    package let name: String
    /// The one store mode that it can run in; nil for any.
    package let store: String?
  }

  package var `protocol` = CellSpecification.protocolVersion
  package var topobench: String
  /// Empty where nobody noted it.
  package var gitSHA: String
  package var build: String
  package var topologies: [Topology]
  /// What this build finds the scenario's digest to be; nil if it cannot use the scenario.
  package var scenarioDigest: String?
  /// Why it cannot, in one line.
  package var problem: String?

  enum CodingKeys: String, CodingKey {
    case `protocol`, topobench, build, topologies, problem
    case gitSHA = "git_sha"
    case scenarioDigest = "scenario_digest"
  }

  package init(topobench: String, gitSHA: String, build: String, topologies: [Topology]) {
    self.topobench = topobench
    self.gitSHA = gitSHA
    self.build = build
    self.topologies = topologies
  }
}

extension CellCheck {
  /// Looks at a specification with this build's eyes. What it does not understand is a problem, not
  /// an error: one that speaks another version is still told which one this build speaks.
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
      let scenario = try specification.loadScenario()
      scenarioDigest = try Workload.make(scenario, seed: specification.seed).digest
    } catch {
      problem = "\(error)".oneLine
    }
  }
}

extension CellSpecification {
  /// The scenario that the specification names, as this build reads it.
  func loadScenario() throws -> Scenario {
    guard `protocol` == Self.protocolVersion else { throw CellError.otherProtocol(`protocol`) }
    let scenarios = try Scenario.load(file: scenarioFile, set: overrides)
    guard let scenario = scenarios.first, scenarios.count == 1 else {
      throw CellError.sweep(scenarioFile)
    }
    return scenario
  }
}
