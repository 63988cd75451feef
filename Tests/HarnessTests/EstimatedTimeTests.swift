import Foundation
import Testing
import Workload

@testable import Harness

@Suite("The estimated time of a cell")
struct EstimatedTimeTests {
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

  /// A repeat of the rows takes this beside its window, and preparing them, too.
  private static let work = Duration.microseconds(20 * 20 + 2 * 300)

  /// - Returns: the time beside the start.
  private func time(_ set: String..., of yaml: String = Self.rows) throws -> Duration {
    let file = folder.url.appendingPathComponent("rows.yaml")
    try Data(yaml.utf8).write(to: file)
    let scenario = try #require(try Scenario.load(file: file.path, set: set).first)
    var check = WorkloadCheck()
    let size = try check.size(of: scenario, seed: 1)
    return EstimatedTime(scenario, size).ofCell - .milliseconds(300)
  }

  @Test func `windows of 50 ms and their changes are repeated for the asked time`() throws {
    let window = Duration.microseconds(50_000 + 10 * 20)
    #expect(try time() == window + Self.work * 2)
    #expect(try time("repeat_for_ms=500") == window * 10 + Self.work * 11)
    #expect(try time("repeat_for_ms=500", "horizon_ms=9000") == window * 10 + Self.work * 11)
  }

  @Test func `the shortest windows are repeated 400 times`() throws {
    let window = Duration.microseconds(50_000 + 10 * 20)
    #expect(try time("repeat_for_ms=600000") == window * 400 + Self.work * 401)
  }

  @Test func `a million rows add 20 µs each, to prepare and to repeat`() throws {
    let more = try time("generate.rows=1000010") - time()
    #expect(more == .seconds(40))
  }

  @Test func `large values add 15 ns a byte`() throws {
    let sized = Self.rows.replacing("name: string", with: "name: string, photo: data")
      .replacing("generate:", with: "model: { Row: { attributes: { photo: SIZE } } }\ngenerate:")
    let small = try time(of: sized.replacing("SIZE", with: "data"))
    let large = try time(of: sized.replacing("SIZE", with: "{ type: data, bytes: 100000 }"))
    #expect(large - small == .nanoseconds(2 * 15 * 10 * 100_000))
  }

  @Test func `a window lasts until its last save is due`() throws {
    #expect(try time("changes.rate_per_s=2") == .milliseconds(500) + Self.work * 2)
    #expect(
      try time("changes.rate_per_s=2", "repeat_for_ms=700") == .seconds(1) + Self.work * 3)
  }

  @Test func `a replay lasts as long as its recording`() throws {
    let saves = "save,at_ms,entity,inserted,updated,deleted\n1,0,Row,1,0,0\n2,700,Row,1,0,0\n"
    try Data(saves.utf8).write(to: folder.url.appendingPathComponent("rows.saves.csv"))
    let replay = Self.rows.replacing(", inserts: 10", with: "")
      .replacing("{ per_save: 5 }", with: "{ saves: rows.saves.csv }")
    let work = Duration.microseconds(12 * 20 + 2 * 300)
    #expect(try time(of: replay) == .milliseconds(700) + work * 2)
  }
}
