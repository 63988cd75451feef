import Foundation
import Testing
import Workload

@testable import Harness

@Suite("The least time of a cell")
struct LeastTimeTests {
  private let folder = TemporaryFolder()

  /// Ten rows are inserted, five a save.
  private static let rows = """
    name: rows
    asks: How long does a cell take?
    entity:
      name: Row
      key: number
      attributes: { number: int64, name: string }
    generate: { rows: 10, inserts: 10 }
    changes: { per_save: 5 }
    repeat_for_ms: 0
    """

  private func time(_ set: String..., of yaml: String = LeastTimeTests.rows) throws -> Duration {
    let file = folder.url.appendingPathComponent("rows.yaml")
    try Data(yaml.utf8).write(to: file)
    let scenario = try #require(try Scenario.load(file: file.path, set: set).first)
    return try LeastTime(scenario, seed: 1).ofCell
  }

  @Test func `a cell starts, and repeats its windows for the asked time`() throws {
    #expect(try time() == .milliseconds(300))
    #expect(try time("repeat_for_ms=500") == .milliseconds(800))
    #expect(try time("repeat_for_ms=500", "horizon_ms=9000") == .milliseconds(800))
  }

  @Test func `a window lasts until its last save is due`() throws {
    #expect(try time("changes.rate_per_s=2") == .milliseconds(800))
    #expect(try time("changes.rate_per_s=2", "repeat_for_ms=100") == .milliseconds(800))
    #expect(try time("changes.rate_per_s=2", "repeat_for_ms=700") == .milliseconds(1000))
  }

  @Test func `a replay lasts as long as its recording`() throws {
    let saves = "save,at_ms,entity,inserted,updated,deleted\n1,0,Row,1,0,0\n2,700,Row,1,0,0\n"
    try Data(saves.utf8).write(to: folder.url.appendingPathComponent("rows.saves.csv"))
    let replay = Self.rows.replacing(", inserts: 10", with: "")
      .replacing("{ per_save: 5 }", with: "{ saves: rows.saves.csv }")
    #expect(try time(of: replay) == .seconds(1))
  }
}
