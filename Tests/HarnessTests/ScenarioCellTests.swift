import Measurement
import ObjectGraph
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

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
    let topology = try TopologyDescriptor.named("notification-merge")
    let guarded = try await run(topology, compares: true)
    let unguarded = try await run(topology, compares: false)
    #expect(guarded.metrics["main_objects_refreshed"] == 3)
    #expect(unguarded.metrics["main_objects_refreshed"] == 100)
    #expect(guarded.fingerprint == unguarded.fingerprint)
  }
}

/// Main's exact counts with many live lists, by the formulas of Counts.md.
@Suite struct LiveQueryCountTests {
  private func metrics(_ name: String, perSave: String) async throws -> CellResult {
    try await metrics(name, of: "many-lists", set: ["changes.per_save=\(perSave)"])
  }

  private func metrics(
    _ name: String, of scenarioName: String, set: [String]
  ) async throws -> CellResult {
    try await CellRunner.run(
      try .named(name),
      of: "\(ScenarioLibrary.sourceTree)/Scenarios/\(scenarioName).yaml", set: set,
      in: TemporaryFolder()
    ).result
  }

  @Test(arguments: [("all", 1.0), ("854", 2)])
  func `26 live queries cost main 26 statements a save, however much was saved`(
    perSave: String, saves: Double
  ) async throws {
    let result = try await metrics("swiftdata", perSave: perSave)
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    #expect(result.updates == 1708)
    #expect(result.metrics["main_statements"] == 26 * saves)
    #expect(result.metrics["main_rows_read"] == 26 * 2000 * saves)
    // The first query refreshes an object for all.
    #expect(result.metrics["main_objects_refreshed"] == 1708)
    #expect(result.metrics["main_stale_objects"] == 0)
  }

  @Test func `a live query costs main one statement a save, also where saves delete rows`()
    async throws
  {
    let set = ["data.rows=400", "changes.per_save=5", "repeat_for_ms=0"]
    let result = try await metrics("swiftdata", of: "5000-cities", set: set)
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    let changes = [result.inserts, result.updates, result.deletes].reduce(0) { $0 + ($1 ?? 0) }
    #expect(result.deletes ?? 0 > 20)
    #expect(result.metrics["main_statements"] == Double((changes + 4) / 5))
  }

  @Test func `a merge costs main no statement, and each list is told of each row`() async throws {
    let result = try await metrics("notification-merge", perSave: "all")
    #expect(result.metrics["main_statements"] == 0)
    #expect(result.metrics["main_list_changes"] == 44_408.0)
  }
}
