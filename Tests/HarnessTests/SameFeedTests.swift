import Foundation
import Measurement
import Testing
import Topologies
import Workload

@testable import Harness

@Suite(.timeLimit(.minutes(1)))
struct SameFeedTests {
  private func run(_ topology: TopologyDescriptor, compares: Bool) async throws -> CellResult {
    try await CellRunner.run(
      topology, of: "\(ScenarioLibrary.sourceTree)/Scenarios/same-feed-again.yaml",
      set: [
        "changes.compare_before_setting=\(compares)", "generate.rows=100", "generate.updates=3",
        "changes.per_save=20",
      ], in: TemporaryFolder()
    ).result
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
