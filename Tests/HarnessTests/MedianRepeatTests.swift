import Foundation
import Measurement
import Testing

@testable import Harness

@Suite struct MedianRepeatTests {
  private let folder = TemporaryFolder()

  private var csv: String { folder.url.appendingPathComponent("run.csv").path }

  private func cell(_ trial: Int = 1, scenario: String = "s", run: String = "r1") -> CellResult {
    var cell = CellResult(
      runID: run, startedAt: "2026-01-02T03:04:05Z", scenario: scenario, topology: "t",
      store: "pool", trial: trial, order: trial, seed: 1, status: .ok)
    cell.metrics["main_blocked_ms"] = 5
    return cell
  }

  private func keep(_ cell: CellResult, executing: [Double]) throws {
    let windows = executing.map { time in
      var window = WindowSample(total: 60, changes: 10)
      window.executing = time
      window.gaps = [GapSample(start: 1, duration: time, cause: "merge")]
      return window
    }
    var document = CellDocument(
      specification: CellSpecification.sample(topology: "t"), result: cell)
    document.windows = windows
    let file = try ResultsFile(path: csv, force: true)
    try file.append(document)
  }

  private func reason(_ cell: CellResult, _ reports: [String]) -> String {
    message { _ = try CellDocuments.medianRepeat(of: cell, besides: reports) }
  }

  @Test func `the repeat with the median blocked time is read`() throws {
    try keep(cell(), executing: [9, 3, 5])
    let window = try CellDocuments.medianRepeat(of: cell(), besides: ["-", csv])
    #expect(window.executing == 5)
    #expect(window.gaps == [GapSample(start: 1, duration: 5, cause: "merge")])
  }

  @Test func `another cell's document is refused`() throws {
    try keep(cell(), executing: [1])
    #expect(reason(cell(run: "r2"), [csv]) == "no document of the cell lies beside the report")
    #expect(reason(cell(2), [csv]) == "no document of the cell lies beside the report")
    #expect(reason(cell(), ["-"]) == "no document of the cell lies beside the report")
  }

  @Test func `an unreadable or empty document is an error`() throws {
    try keep(cell(), executing: [])
    #expect(reason(cell(), [csv]) == "the cell’s document holds no window")
    let file = folder.url.appendingPathComponent("run.cells/0001-s-t-pool-1.json")
    try Data("{".utf8).write(to: file)
    #expect(reason(cell(), [csv]) == "the cell’s document cannot be read")
  }

  @Test(arguments: ["../../secret", "a/b", "a/\u{301}b", "nul\u{0}"])
  func `a scenario's name cannot lead out of the folder`(name: String) {
    #expect(reason(cell(scenario: name), [csv]) == "a document cannot have the name of its cell")
  }
}
