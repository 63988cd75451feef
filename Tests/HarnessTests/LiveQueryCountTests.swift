import Foundation
import Measurement
import Testing
import Topologies
import Workload

@testable import Harness

/// Main's exact counts with many live lists, by the formulas of Counts.md.
@Suite struct LiveQueryCountTests {
  private func metrics(_ name: String, perSave: String) async throws -> CellResult {
    try await metrics(name, of: "many-lists", set: ["changes.per_save=\(perSave)"])
  }

  private func metrics(
    _ name: String, of scenarioName: String, set: [String]
  ) async throws -> CellResult {
    try await CellRunner.run(
      try #require(Topologies.builtIn.first { $0.name == name }),
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
