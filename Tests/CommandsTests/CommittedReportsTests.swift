import Foundation
import Harness
import Judging
import Measurement
import Reports
import Testing
import Workload

@testable import Commands

struct CommittedReportsTests {
  /// The reports in results and results/full, by name.
  private static let reports: [String] = {
    let root = ScenarioLibrary.sourceTree
    return ["results", "results/full"].flatMap { folder in
      let names = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      return (names ?? []).filter { $0.hasSuffix(".csv") }.map { "\(root)/\(folder)/\($0)" }
    }.sorted()
  }()

  @Test(arguments: reports)
  func `a report of a quiet machine is not discarded`(path: String) throws {
    let environment = try #require(MachineEnvironment(besides: path))
    let cells = try ReportReader.rows(of: [path])
    let summary = Summary(cells: cells, context: RunContext([environment]))
    for section in summary.sections {
      #expect(
        section.trust.grade != .discard, "\(section.parameters): \(section.trust.readings)")
    }
  }

  /// The environment file names the scenario of a run's rows.
  @Test(arguments: reports)
  func `a report doubts no count, under any name of its scenario`(path: String) throws {
    var environment = try #require(MachineEnvironment(besides: path))
    let cells = try ReportReader.rows(of: [path]).map { cell in
      var cell = cell
      cell.scenario = "my-list"
      return cell
    }
    for index in environment.run.scenarios.indices {
      environment.run.scenarios[index]["name"] = #""my-list""#
    }
    let summary = Summary(cells: cells, context: RunContext([environment]))
    let doubts = summary.sections.flatMap(\.conclusion.doubts)
    #expect(doubts.filter { $0.what.hasPrefix("counts of") } == [])
  }

  @Test func `a count that varies for no known reason is doubted under any name`() throws {
    let path = "\(ScenarioLibrary.sourceTree)/results/baseline.csv"
    let environment = try #require(MachineEnvironment(besides: path))
    var cells = try ReportReader.rows(of: [path])
    let varied = try #require(cells.firstIndex { $0.topology == "notification-merge" })
    cells[varied].metrics[.mainStatements] = 1
    for name in [cells[0].scenario, "my-list"] {
      for index in cells.indices { cells[index].scenario = name }
      let summary = Summary(cells: cells, context: RunContext([environment]))
      let clauses = summary.sections.flatMap(\.conclusion.doubts).map(\.clause)
      #expect(
        clauses.filter { $0.hasPrefix("counts of") } == [
          "counts of notification-merge differ between trials for no known reason: main_statements"
        ])
    }
  }

  @Test(arguments: reports.filter { $0.contains("/full/") })
  func `the estimated time is that of the report, within a factor of two and a half`(
    path: String
  ) throws {
    let cells = try ReportReader.rows(of: [path])
    let name = try #require(cells.first).scenario
    var check = WorkloadCheck()
    var ofCell: [String: Double] = [:]
    for parameters in Set(cells.map(\.parameters)) {
      let loaded = try Scenario.load(
        file: "\(ScenarioLibrary.sourceTree)/Scenarios/\(name).yaml",
        set: Self.overrides(parameters))
      let scenario = try #require(loaded.first)
      let size = try check.size(of: scenario, seed: 1)
      ofCell[parameters] = EstimatedTime(scenario, size).ofCell / .seconds(1)
    }
    // The end of the last cell is not in the report.
    let starts = try cells.map { try Date($0.startedAt, strategy: .iso8601) }.sorted()
    let measured = starts[starts.count - 1].timeIntervalSince(starts[0]) / Double(cells.count - 1)
    let estimated = cells.reduce(0) { $0 + (ofCell[$1.parameters] ?? 0) } / Double(cells.count)
    #expect((0.4...2.5).contains(estimated / measured), "\(estimated) s, not \(measured) s")
  }

  /// The values of `--set` that a report's parameters are of.
  private static func overrides(_ parameters: String) throws -> [String] {
    guard !parameters.isEmpty else { return [] }
    let values = try #require(
      try JSONSerialization.jsonObject(with: Data(parameters.utf8)) as? [String: Any])
    return try values.map { name, value in
      let json = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
      return "\(name)=\(value as? String ?? String(decoding: json, as: UTF8.self))"
    }
  }

  @Test func `twenty topologies are one table on a terminal of 80 columns`() throws {
    let cells = try ReportReader.rows(of: ["\(ScenarioLibrary.sourceTree)/results/baseline.csv"])
    let text = try Answer.render(
      Summary(cells: cells), as: .table, style: TextStyle(width: 80), detail: .brief)
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.contains("topology  ") } == 1, "\(text)")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `there are committed reports`() {
    #expect(Self.reports.count >= 20)
  }
}
