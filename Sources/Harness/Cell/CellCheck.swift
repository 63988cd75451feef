import Support
package import Foundation
import SQLiteStore
package import Topologies
import Workload

/// A build's answer to `topobench cell --check`, about itself and a specification.
///
/// Readers decode `protocol` first, and the rest only if they speak that version.
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

  enum CodingKeys: String, CodingKey {
    case `protocol`, topobench, build, topologies, problem
    case gitSHA = "git_sha"
    case scenarioDigest = "scenario_digest"
    case limitsRepeats = "limits_repeats"
  }
}

extension CellCheck {
  /// A failure becomes `problem`: a caller of another version must learn this build's version.
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
    } catch {
      problem = "\(error)".oneLine
    }
  }
}

extension CellSpecification {
  func loadScenario() throws -> Scenario {
    guard `protocol` == Self.protocolVersion else { throw CellError.otherProtocol(`protocol`) }
    let scenarios = try Scenario.load(file: scenarioFile, set: overrides)
    guard let scenario = scenarios.first, scenarios.count == 1 else {
      throw CellError.sweep(scenarioFile)
    }
    return scenario
  }
}

/// Why a cell cannot run: the row's `error`.
struct CellError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func otherProtocol(_ found: String) -> CellError {
    CellError(
      "the cell speaks \(found.quoted), this build speaks '\(CellSpecification.protocolVersion)';"
        + " run both with one build")
  }

  static func listCount(_ topology: String, _ count: Int, asked: Int) -> CellError {
    CellError(
      "topology \(topology.quoted) has \(count) list(s), the scenario asks for \(asked);"
        + " set list.count to \(count), or return the environment's lists from `lists`")
  }

  static func sweep(_ file: String) -> CellError {
    CellError("\(file) sweeps a field; a cell needs one value for each, set by its overrides")
  }
}
