import Foundation
import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct VaryingCountsTests {
  private func cells(
    _ topology: String, _ counts: [Metric], scenario: String = "5000-cities",
    _ change: (inout CellResult) -> Void = { _ in }
  ) -> [CellResult] {
    (1...6).map { trial in
      .sample(topology, trial: trial, blocked: 10, scenario: scenario) { cell in
        for count in counts { cell.metrics[count] = Double(100 + trial) }
        change(&cell)
      }
    }
  }

  private func doubts(
    _ cells: [CellResult], fields: [String: String] = [:]
  ) throws -> [String] {
    var context = RunContext()
    context.fields[cells[0].scenario] = fields
    let section = try #require(Summary(cells: cells, context: context).sections.first)
    return section.conclusion.doubts.filter { $0.what.hasPrefix("counts of") }.map(\.evidence)
  }

  @Test func `only counts that vary by design are expected to`() throws {
    #expect(try doubts(cells("swiftdata", [.mainRowsRead])) == [])
    #expect(try doubts(cells("refetch", [.mainRowsRead, .mainCommits])) == ["main_commits"])
    #expect(try doubts(cells("parent-child", [.mainRowsRead])) == ["main_rows_read"])
  }

  @Test func `topologies with one doubt are named together`() throws {
    func clauses(_ cells: [CellResult]) throws -> [String] {
      try considered(cells).filter { $0.hasPrefix("counts of") }
    }
    let commits = ["a", "b", "c", "d", "e"].flatMap { cells($0, [.mainCommits]) }
    let rest = "differ between trials for no known reason: main_commits"
    #expect(try clauses(commits) == ["counts of all 5 topologies \(rest)"])
    #expect(
      try clauses(commits + cells("f", [])) == ["counts of a, b, c and 2 more \(rest)"])
    let some = cells("a", [.mainCommits]) + cells("b", [.mainRowsRead])
    #expect(
      try clauses(some + cells("c", [.mainCommits])) == [
        "counts of a and c \(rest)",
        "counts of b differ between trials for no known reason: main_rows_read",
      ])
  }

  private static let idle = [
    "list.scroll_rows_per_s": "0", "user.edits_per_s": "0", "user.fetches_per_s": "0",
    "user.counts_per_s": "0", "user.searches_per_s": "0", "changes.second_worker": "0",
    "list.batch_size": "0", "changes.stream": "incremental", "changes.delete_where": "none",
    "changes.deletions": "explicit",
  ]

  @Test(
    arguments: [
      ("parent-child", 1, ["user.fetches_per_s": "1000"], [.mainCommits]),
      ("parent-child", 1, ["list.scroll_rows_per_s": "720"], [.mainCommits]),
      ("parent-child", 1, ["changes.second_worker": "1500"], [.mainCommits]),
      ("container", 2, ["list.batch_size": "20"], [.mainRowsRead, .scrollStatements]),
      ("container", 2, ["changes.stream": "replace"], [.mainStatements]),
      ("container", 2, ["changes.deletions": "by-rule"], [.mainRowsRead]),
      ("container", 2, ["changes.delete_where": "done == YES"], [.mainListChanges]),
      ("parent-child", 2, ["changes.stream": "arrivals"], [.mainFaultsFired]),
    ] as [(String, Int, [String: String], [Metric])])
  func `the work makes counts vary, and not the name of the scenario`(
    topology: String, saves: Int, fields: [String: String], counts: [Metric]
  ) throws {
    let cells = cells(topology, counts, scenario: "mine") {
      ($0.saves, $0.updates) = (saves, 100)
    }
    let own = Self.idle.merging(fields) { $1 }
    #expect(try doubts(cells, fields: own) == [])
    let names = counts.map(\.name).listed
    let once = cells.map { cell in
      var cell = cell
      cell.saves = 1
      return cell
    }
    #expect(try doubts(once, fields: Self.idle) == [names])
    let swept = once.map { cell in
      var cell = cell
      cell.parameters = #"{"user.fetches_per_s":1000}"#
      return cell
    }
    #expect(try doubts(swept, fields: Self.idle) == [])
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
      (nil, nil), (0, nil), (1, "1 row stays"), (39_899, "39,899 rows stay"),
    ] as [(Double?, String?)])
  func `rows that stay because a deletion skips delete rules are counted`(
    orphans: Double?, said: String?
  ) throws {
    let cells = cells("batch-insert", []).map { cell in
      var cell = cell
      cell.metrics[.orphans] = orphans
      return cell
    }
    let rest = " that the delete rules would have deleted (delete these rows too)"
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
    func names(_ all: [String]) -> String {
      all.isEmpty ? "every" : all.map { "`\($0)`" }.joined(separator: ", ")
    }
    let rows = VaryingCounts.all.map { entry in
      "| \(names(entry.topologies)) | \(entry.work.rawValue)"
        + " | \(names(entry.counts?.map(\.name) ?? [])) | \(entry.reason) |"
    }
    #expect(table == rows)
  }

  @Test func `this project's gate calls the same counts of 5000-cities inexact`() throws {
    let policy = try Self.text("results/gate.yaml")
    let entries = policy.matches(
      of: /metric: (\w+)\n +topology: ([\w-]+)\n +scenario: 5000-cities\n/)
    let declared = Set(entries.map { "\($0.output.2) \($0.output.1)" })
    let known = VaryingCounts.all.filter { $0.work == .any }.flatMap { entry in
      entry.topologies.flatMap { name in (entry.counts ?? []).map { "\(name) \($0.name)" } }
    }
    // No run has shown a stale object yet, so that the gate holds their count exactly.
    #expect(declared == Set(known).subtracting(["root-hybrid main_stale_objects"]))
  }
}
