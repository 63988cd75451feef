import Foundation
import Judging
import Measurement
import Reports
import Testing
import Workload

@testable import Commands

@Suite struct ShownFiguresTests {
  private static func rows(_ blocked: [Double?], _ metric: Metric = .mainBlocked) -> [CellResult] {
    blocked.enumerated().map { index, blocked in
      var cell = CellResult(
        runID: "r", startedAt: "", scenario: "s", topology: "t", store: "pool", trial: index,
        order: index, seed: 1, status: .ok)
      cell.metrics[metric] = blocked
      return cell
    }
  }

  private static func traced(_ rows: [CellResult]) throws -> CellResult? {
    let file = URL(fileURLWithPath: "/tmp/none.csv")
    return TraceChoice.median(of: try rows.map { try TraceChoice.Cell($0, in: file) })?.row
  }

  @Test func `a trace shows the trial that a page shows`() throws {
    let rows = Self.rows([nil, nil, 30, 10, 20])
    #expect(try Self.traced(rows)?.trial == 4)
    #expect(PageSide(files: [], cells: rows).shownCells.map(\.trial) == [4])
    var failed = rows
    for index in failed.indices { failed[index].status = .suspect }
    #expect(try Self.traced(failed)?.trial == 0)
    #expect(try Self.traced([]) == nil)
  }

  @Test(arguments: [Question.open, .scroll])
  func `trace and page show the median trial of the phase asked about`(
    question: Question
  ) throws {
    var rows = Self.rows([30, 10, 20, 40, 50], question.blocked)
    for (index, blocked) in [10.0, 20, 50, 30, 40].enumerated() {
      rows[index].metrics[.mainBlocked] = blocked
      rows[index].metrics[label: .asksAbout] = question.phase.rawValue
    }
    #expect(try Self.traced(rows)?.trial == 0)
    #expect(PageSide(files: [], cells: rows).shownCells.map(\.trial) == [0])
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `scripts that write pages round figures as the program does`() throws {
    let values =
      [
        0, 1.085, 0.3055, 0.5355, 0.00049, 0.0005, 0.9995, 9.995, 99.95, 999.5, 9_437, 12_345,
        221_019.5, -3.455,
      ] + (0..<200).map { _ in Double(Int.random(in: 0...20_000_000)) / 2000 }
    #expect(try Self.scripted([], values) == values.map(Figures.short))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `scripts that write pages print longest gaps as the program does`() throws {
    let near = FreezeLimit.allCases.flatMap { limit in
      [-0.5, -0.04, -0.001, 0, 0.0005, 0.03, 0.4].map { limit.milliseconds + $0 }
    }
    let values = near + [0, 5, 3756.8]
    #expect(try Self.scripted(["--gaps"], values) == values.map(Figures.gap))
  }

  private static func scripted(_ options: [String], _ values: [Double]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments =
      ["-B", "\(ScenarioLibrary.sourceTree)/scripts/figures.py"] + options
      + values.map { "\($0)" }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
