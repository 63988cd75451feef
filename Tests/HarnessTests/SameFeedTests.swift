import Foundation
import Measurement
import Testing
import Topologies
import Workload

@testable import Harness

/// A feed that is sent again, with and without comparing before setting.
@Suite(.timeLimit(.minutes(1)))
struct SameFeedTests {
  private func run(_ topology: TopologyDescriptor, compares: Bool) async throws -> CellResult {
    let folder = try TemporaryFolder()
    let file = "\(ScenarioLibrary.sourceTree)/Scenarios/same-feed-again.yaml"
    let set = [
      "changes.compare_before_setting=\(compares)", "generate.rows=100", "generate.updates=3",
      "changes.per_save=20",
    ]
    let scenario = try #require(try Scenario.load(file: file, set: set).first)
    var specification = CellSpecification(
      runID: "run", scenarioFile: file, scenario: scenario.name,
      scenarioDigest: try Workload.make(scenario, seed: 1).digest, topology: topology.name,
      store: "pool", trial: 1, order: 1, seed: 1, folder: folder.url.path)
    specification.overrides = set
    return await CellRunner(topologies: [topology], baselineRuns: (1, 0)).run(specification).result
  }

  @Test func `without comparing, main refreshes every object of the feed`() async throws {
    let topology = try #require(Topologies.builtIn.first { $0.name == "notification-merge" })
    let guarded = try await run(topology, compares: true)
    let unguarded = try await run(topology, compares: false)
    #expect(guarded.metrics["main_objects_refreshed"] == 3)
    #expect(unguarded.metrics["main_objects_refreshed"] == 100)
    #expect(guarded.fingerprint == unguarded.fingerprint)
  }
}
