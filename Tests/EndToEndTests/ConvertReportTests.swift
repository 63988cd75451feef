import Foundation
import Measurement
import Testing

@Suite(
  "The script convert-report",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
    "python3, in which the script is written, is not installed"))
struct ConvertReportTests {
  private let command = CommandRun()

  private func convert(_ files: String...) async throws {
    try await command.runAside(
      [CommandRun.root.appendingPathComponent("scripts/convert-report").path] + files,
      executable: URL(fileURLWithPath: "/usr/bin/python3"), expecting: 0)
  }

  /// A row of the previous schema.
  private func cell(
    _ trial: Int, late: Double, rate: Double = 0, total: Double = 900, repeats: Int = 1,
    scrolling rows: Int? = nil
  ) -> CellResult {
    .sample("r1", trial: trial) {
      $0.schema = "topobench/2"
      $0.label = "a, \"b\""
      ($0.horizon, $0.repeats) = (1_000, repeats)
      if let rows { $0.parameters = "{\"list.scroll_rows_per_s\":\(rows)}" }
      for (name, value) in [
        "frames_late": late, "frames_due": 9, "hitch_ms": 1_500, "hitch_ms_per_s": rate,
        "total_ms": total,
      ] { $0.metrics[name] = value }
    }
  }

  private func converted(
    _ cells: [CellResult], beside environment: String? = nil
  ) async throws -> [CellResult] {
    // The script adds the first of the newer columns.
    let newer = Metrics.all.count - Metrics.position(of: .mainGapRunqueue)
    let text = CellCSV.text(cells).split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropLast(newer)
        .joined(separator: ",")
    }
    try command.write(text.joined(separator: "\n") + "\n", to: "a.csv")
    if let environment { try command.write(environment, to: "a.env.json") }
    try await convert("a.csv")
    let header = CellCSV.header.split(separator: ",").dropLast(newer - 1).joined(separator: ",")
    #expect(try command.text("a.csv").hasPrefix(header + "\n"))
    return try command.cells("a.csv")
  }

  private func late(_ cells: [CellResult]) -> [Double?] { cells.map { $0.metrics[.framesLate] } }

  @Test func `late frames stay only where their number is known`() async throws {
    let all = [
      cell(1, late: 0), cell(2, late: 4), cell(3, late: 4, scrolling: 0),
      cell(4, late: 4, scrolling: 720), cell(5, late: 0, scrolling: 720),
    ]
    let alone = try await converted(all)
    #expect(late(alone) == [0, nil, 4, nil, 0])
    let environment = #"""
      {"schema":"topobench/2",
       "scenarios":[{"name":"\"5000-cities\"","list.scroll_rows_per_s":"0"}]}
      """#
    let known = try await converted(all, beside: environment)
    #expect(late(known) == [0, 4, 4, nil, 0])
    // Nothing else changes.
    for (old, new) in zip(all, known) {
      var old = old
      old.schema = CellResult.schema
      old.metrics[.framesLate] = new.metrics[.framesLate]
      #expect(new == old)
    }
  }

  @Test func `hitches beyond the horizon are taken over the window`() async throws {
    let cells = try await converted([
      cell(1, late: 0, rate: 700), cell(2, late: 0, rate: 1_500, total: 3_000),
      cell(3, late: 0, rate: 1_500, total: 3_000, repeats: 2), cell(4, late: 0, total: 3_000),
    ])
    #expect(cells.map { $0.metrics[.hitchRate] } == [700, 500, nil, 0])
  }

  @Test func `an old report is refused with the script's name, and a converted one is read`()
    async throws
  {
    try command.write([cell(1, late: 0)], to: "a.csv")
    try await command.runAside(
      ["report", "a.csv"], expecting: 1, saying: "Convert it with scripts/convert-report FILE")
    try await convert("a.csv")
    try await command.runAside(["report", "a.csv"], expecting: 0)
    let once = try command.text("a.csv")
    try await convert("a.csv")
    #expect(try command.text("a.csv") == once)
  }

  @Test func `a cell's document is converted as its row`() async throws {
    let document = #"""
      {
        "result" : {
          "metrics" : {
            "frames_late" : 4,
            "hitch_ms" : 1500,
            "hitch_ms_per_s" : 1500.5,
            "total_ms" : 3000
          },
          "horizon_ms" : 1000,
          "repeats" : 1,
          "schema" : "topobench/2"
        }
      }
      """#
    try command.write(document, to: "a.json")
    try await convert("a.json")
    #expect(
      try command.text("a.json")
        == document.replacing("      \"frames_late\" : 4,\n", with: "")
        .replacing("1500.5", with: "500").replacing("topobench/2", with: "topobench/3"))
  }
}
