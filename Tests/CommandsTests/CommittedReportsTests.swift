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
