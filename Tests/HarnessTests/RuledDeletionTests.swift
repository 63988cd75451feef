import Foundation
import Measurement
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness

/// Deletions of owners, with the rules that the model gives them.
@Suite(.timeLimit(.minutes(3)))
struct RuledDeletionTests {
  private let folder = TemporaryFolder()

  private func run(_ topology: TopologyDescriptor, _ set: [String]) async throws -> CellResult {
    try await CellRunner.run(
      topology, of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/shelves.yaml", set: set,
      in: folder
    ).result
  }

  @Test(arguments: Topologies.builtIn, ["incremental", "arrivals"])
  func `every topology ends with the rows that the rules leave`(
    topology: TopologyDescriptor, stream: String
  ) async throws {
    for set in [["worker.find=per-batch"], ["worker.find=per-object", "changes.per_save=7"]] {
      let result = try await run(topology, ["changes.stream=\(stream)"] + set)
      #expect([.ok, .suspect].contains(result.status), "\(set): \(result.error)")
      #expect(result.metrics[.orphans] == nil)
    }
  }

  @Test func `a topology that skips rules is wrong where they run`() async throws {
    let sound = try TopologyDescriptor.named("batch-insert")
    let careless = TopologyDescriptor(
      name: "careless", wiring: "", summary: "",
      make: { try sound.make($0.withoutRules) })
    let result = try await run(careless, [])
    #expect(result.status == .wrong, "\(result.error)")
  }

  @Test(arguments: Topologies.builtIn)
  func `a batch request leaves orphans, and other topologies refuse that`(
    topology: TopologyDescriptor
  ) async throws {
    let result = try await run(topology, ["changes.deletions=without-rules"])
    if topology.name == "batch-insert" {
      #expect([.ok, .suspect].contains(result.status), "\(result.error)")
      #expect(result.metrics[.orphans] ?? 0 > 20)
    } else {
      #expect(result.error.contains("deletions without rules"), "\(result.error)")
    }
  }
}

extension TopologyEnvironment {
  fileprivate var withoutRules: TopologyEnvironment {
    TopologyEnvironment(
      store: store, storeMode: storeMode, model: model, entity: entity, keyIndex: keyIndex,
      rowEntities: rowEntities, mainQueue: mainQueue, lists: lists, lookup: lookup,
      realised: realised, runsDeleteRules: false)
  }
}
