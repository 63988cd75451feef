import Foundation
import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct VaryingCountsTests {
  private func cells(
    _ topology: String, _ counts: [Metric], scenario: String = "5000-cities"
  ) -> [CellResult] {
    (1...6).map { trial in
      .sample(topology, trial: trial, blocked: 10, scenario: scenario) { cell in
        for count in counts { cell.metrics[count] = Double(100 + trial) }
      }
    }
  }

  private func doubts(
    _ cells: [CellResult], choices: [String] = []
  ) throws -> [String] {
    var context = RunContext()
    context.defaults[Setting(scenario: cells[0].scenario)] = choices
    let section = try #require(Summary(cells: cells, context: context).sections.first)
    return section.conclusion.doubts.filter { $0.what.hasPrefix("counts of") }.map(\.evidence)
  }

  @Test func `only counts that vary by design are expected to`() throws {
    #expect(try doubts(cells("swiftdata", [.mainRowsRead])) == [])
    #expect(try doubts(cells("refetch", [.mainRowsRead, .mainCommits])) == ["main_commits"])
    #expect(try doubts(cells("parent-child", [.mainRowsRead])) == ["main_rows_read"])
    #expect(try doubts(cells("parent-child", [.mainFaultsFired], scenario: "drawing")) == [])
  }

  @Test func `an active user makes every count vary, an idle one none`() throws {
    let own = cells("parent-child", [.mainRowsRead], scenario: "mine")
    #expect(try doubts(own, choices: [RunContext.activeUser]) == [])
    #expect(try doubts(own) == ["main_rows_read"])
    let saves = cells("parent-child", [.mainRowsRead], scenario: "save-per-object")
    #expect(try doubts(saves) == [])
    #expect(try doubts(saves, choices: ["the user was idle"]) == ["main_rows_read"])
  }

  private func considered(
    _ cells: [CellResult], choices: [String] = []
  ) throws -> [String] {
    var context = RunContext()
    context.defaults[Setting(scenario: cells[0].scenario)] = choices
    let section = try #require(Summary(cells: cells, context: context).sections.first)
    return section.conclusion.doubts.map(\.clause)
  }

  @Test(
    arguments: [
      (nil, nil), (0, nil), (1, "1 row without an owner stays"),
      (39_899, "39,899 rows without an owner stay"),
    ] as [(Double?, String?)])
  func `rows without an owner are named if a deletion leaves any`(
    orphans: Double?, said: String?
  ) throws {
    let cells = cells("batch-insert", []).map { cell in
      var cell = cell
      cell.metrics[.orphans] = orphans
      return cell
    }
    let rest = ": the deletions skip the delete rules (delete these rows too)"
    #expect(try considered(cells) == (said.map { [$0 + rest] } ?? []))
  }

  @Test func `what is assumed of a list with a batch size is said`() throws {
    let clause = "the list fetched 20 rows a batch \(RunContext.assumed)a changed row reads more)"
    #expect(
      try considered(cells("container", []), choices: [clause])
        == ["what a change reads of a list with a batch size is an assumption"])
    #expect(try considered(cells("container", []), choices: ["the user was idle"]) == [])
  }

  private static func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the page of counts has the list, row by row`() throws {
    let page = try Self.text("Documentation/Explanation/Counts.md")
    let table = try #require(page.split(separator: "## Exceptions").last)
      .split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map(String.init)
    func name(_ text: String?) -> String { text.map { "`\($0)`" } ?? "every" }
    let rows = VaryingCounts.all.map { entry in
      let counts = entry.counts.map { $0.map { name($0.name) }.joined(separator: ", ") } ?? "every"
      return "| \(name(entry.topology)) | \(name(entry.scenario)) | \(counts) | \(entry.reason) |"
    }
    #expect(table == rows)
  }

  @Test func `this project's gate calls the same counts of 5000-cities inexact`() throws {
    let policy = try Self.text("results/gate.yaml")
    let entries = policy.matches(
      of: /metric: (\w+)\n +topology: ([\w-]+)\n +scenario: 5000-cities\n/)
    let declared = Set(entries.map { "\($0.output.2) \($0.output.1)" })
    let known = VaryingCounts.all.filter { $0.scenario == nil }.flatMap { entry in
      (entry.counts ?? []).map { "\(entry.topology ?? "every") \($0.name)" }
    }
    // No run has shown a stale object yet, so that the gate holds their count exactly.
    #expect(declared == Set(known).subtracting(["root-hybrid main_stale_objects"]))
  }
}
