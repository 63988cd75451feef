import Foundation
import Harness
import Judging
import Measurement
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

  @Test func `there are committed reports`() {
    #expect(Self.reports.count >= 20)
  }
}
