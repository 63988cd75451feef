import Foundation
import Measurement
import ObjectGraph
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness

@Suite("UUIDs, decimals and URIs in every topology", .timeLimit(.minutes(2)))
struct AttributeTypeScenarioTests {
  private static let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/orders.yaml"

  @Test(arguments: Topologies.builtIn)
  func `every topology ends with the rows of the data files`(
    topology: TopologyDescriptor
  ) async throws {
    for (number, set) in [
      [], ["worker.find=per-object", "changes.stream=replace"],
      ["changes.stream=arrivals", "changes.format=json"],
      ["changes.stream=arrivals", "worker.find=constraint"],
    ].enumerated() {
      let scenario = try #require(try Scenario.load(file: Self.file, set: set).first)
      guard topology.refusal(of: scenario.workKinds) == nil else { continue }
      let modes = topology.storeModes
      let result = try await CellRunner.run(
        topology, of: Self.file, set: set, store: modes[number % modes.count], in: TemporaryFolder()
      ).result
      #expect(result.status != .crashed && result.status != .wrong, "\(set): \(result.error)")
      let expected = try Workload.make(scenario, seed: 1).fingerprintOfFiles
      #expect(result.fingerprint == expected, "\(set)")
    }
  }

  @Test func `generated rows have them too`() throws {
    let scenario = try #require(
      try Scenario.load(
        file: Self.file, set: ["generate.rows=50", "generate.inserts=20", "generate.updates=30"]
      ).first)
    let rows = try Workload.make(scenario, seed: 1).expectedRows
    #expect(rows.count == 70 && Set(rows.map { $0[0] }).count == 70)
    #expect(rows.allSatisfy { $0[0].type == .uuid && $0[2].type == .decimal })
    #expect(rows.contains { $0[3].type == .uri } && rows.contains { $0[3].isNull })
  }
}
