import Foundation
import Judging
import Measurement
import Testing
import Workload

@testable import Commands

@Suite struct ShownFiguresTests {
  @Test func `a trace shows the trial that a page shows`() throws {
    let blocked: [Double?] = [nil, nil, 30, 10, 20]
    let rows = blocked.enumerated().map { index, blocked in
      var cell = CellResult(
        runID: "r", startedAt: "", scenario: "s", topology: "t", store: "pool", trial: index,
        order: index, seed: 1, status: .ok)
      cell.metrics[.mainBlocked] = blocked
      return cell
    }
    let file = URL(fileURLWithPath: "/tmp/none.csv")
    let cells = try rows.map { try TraceChoice.Cell($0, in: file) }
    #expect(TraceChoice.median(of: cells)?.row == MedianTrial(rows)?.shown)
    var failed = rows
    for index in failed.indices { failed[index].status = .suspect }
    let suspects = try failed.map { try TraceChoice.Cell($0, in: file) }
    #expect(TraceChoice.median(of: suspects)?.row.trial == 0)
    #expect(TraceChoice.median(of: []) == nil)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `scripts that write pages round figures as the program does`() throws {
    let values =
      [
        0, 1.085, 0.3055, 0.5355, 0.00049, 0.0005, 0.9995, 9.995, 99.95, 999.5, 9_437, 12_345,
        221_019.5, -3.455,
      ] + (0..<200).map { _ in Double(Int.random(in: 0...20_000_000)) / 2000 }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments =
      ["-B", "\(ScenarioLibrary.sourceTree)/scripts/figures.py"] + values.map { "\($0)" }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines == values.map(Figures.short))
  }
}
