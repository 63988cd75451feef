import Foundation
import Judging
import Measurement
import Support
import Testing

@Suite("The command export")
struct ExportTests {
  private let command = CommandRun()

  /// Holds a time only with a raw SQLite time.
  private func cell(
    _ run: Int, _ topology: String = "main-only", scenario: String = "cities", trial: Int = 1,
    instructions: Double?, statements: Double? = 7, total: Double? = nil
  ) -> CellResult {
    .sample("r\(run)", topology, trial: trial) {
      ($0.startedAt, $0.scenario) = ("2026-01-0\(run)T03:04:05Z", scenario)
      ($0.gitSHA, $0.isCounted) = ("c\(run)", total == nil)
      $0.metrics[.mainInstructions] = instructions
      $0.metrics[.mainStatements] = statements
      $0.metrics[.total] = total
      $0.metrics[.rawSQLite] = total.map { _ in 10 }
    }
  }

  private func export(
    _ format: String, _ cells: [CellResult], _ more: String...
  ) throws -> CommandRun.Outcome {
    try command.write(cells, to: "a.csv")
    return try command.run(["export", "--format", format, "a.csv"] + more)
  }

  @Test func `Otava gets a row a run, oldest first, without a blank`() throws {
    let outcome = try export(
      "otava",
      [
        cell(2, instructions: 300, statements: nil),
        cell(1, instructions: 100), cell(1, trial: 2, instructions: 201),
        cell(2, "x,y", instructions: 5), cell(1, "x,y", instructions: 6),
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """
        time,commit,run,host,scenario,main-only.main_instructions,"x,y.main_instructions","x,y.main_statements"
        2026-01-01T03:04:05Z,c1,r1,h1,cities,100,6,7
        2026-01-02T03:04:05Z,c2,r2,h1,cities,300,5,7

        """)
    #expect(outcome.errors.contains("they are left out: main-only.main_statements"))
  }

  @Test func `times are multiples of raw SQLite, behind the counts`() throws {
    var failed = cell(1, trial: 3, instructions: nil, total: 900)
    failed.status = .suspect
    let outcome = try export(
      "otava",
      [
        cell(1, instructions: nil, statements: 0, total: 25),
        cell(1, trial: 2, instructions: nil, statements: 0, total: 35), failed,
      ])
    #expect(
      outcome.output == """
        time,commit,run,host,scenario,main-only.main_statements,main-only.total_per_raw_sqlite
        2026-01-01T03:04:05Z,c1,r1,h1,cities,0,3

        """, "\(outcome.errors)")
  }

  @Test func `github-action-benchmark gets names, units and values`() throws {
    let outcome = try export("github-benchmark", [cell(1, instructions: 100)])
    #expect(
      outcome.output == #"""
        [
          {
            "extra" : "run r1\ncommit c1",
            "name" : "cities main-only.main_instructions",
            "unit" : "instructions",
            "value" : 100
          },
          {
            "extra" : "run r1\ncommit c1",
            "name" : "cities main-only.main_statements",
            "unit" : "count",
            "value" : 7
          }
        ]

        """#, "\(outcome.errors)")
  }

  @Test(arguments: [
    ([3_644.0, 3_645, 3_645, 3_646, 3_648, 3_648], "3644 to 3648", "36440 to 36480"),
    (Array(repeating: 3_645, count: 6), "3645 to 3645", "36450 to 36450"),
  ])
  func `a range is not rounded, so that it contains the value`(
    counts: [Double], ofCount: String, ofTime: String
  ) throws {
    let cells = counts.enumerated().map { index, count in
      cell(1, trial: index + 1, instructions: nil, statements: count, total: count * 100)
    }
    let outcome = try export("github-benchmark", cells)
    for range in [ofCount, ofTime] {
      #expect(outcome.output.contains(#""range" : "\#(range)""#), "\(outcome.output)")
    }
  }

  @Test func `Bencher gets benchmarks, measures and bounds`() throws {
    let outcome = try export(
      "bencher", (1...6).map { cell(1, trial: $0, instructions: nil, total: 10 * Double($0)) })
    let benchmarks = try JSONDecoder().decode(
      [String: [String: [String: Double]]].self, from: Data(outcome.output.utf8))
    #expect(
      benchmarks == [
        "cities main-only": [
          "main_statements": ["value": 7, "lower_value": 7, "upper_value": 7],
          "total_per_raw_sqlite": ["value": 3.5, "lower_value": 1, "upper_value": 6],
        ]
      ], "\(outcome.errors)")
  }

  @Test func `a duet's candidate counts, and one scenario can be chosen`() throws {
    let cells = Side.allCases.flatMap { side in
      ["cities", "towns"].map { scenario in
        var cell = cell(1, scenario: scenario, instructions: side == .baseline ? 100 : 200)
        cell.duet = DuetMark(pair: 1, side: side, phase: .count)
        return cell
      }
    }
    let refused = try export("otava", cells)
    #expect(refused.status == 64 && refused.errors.contains("--scenario: cities, towns"))
    let outcome = try export("otava", cells, "--scenario", "towns")
    #expect(outcome.output.hasSuffix("towns,200,7\n"), "\(outcome.errors)")
  }

  @Test func `reports that no file of the format can hold are refused`() throws {
    func refuses(_ format: String, _ cells: [CellResult], _ words: String) throws {
      try command.write(cells, to: "a.csv")
      try command.expectRefusal(of: ["export", "--format", format, "a.csv"], saying: [words])
    }
    let counted = cell(1, instructions: 1)
    try refuses("otava", [counted, cell(2, instructions: nil, total: 1)], "counted and timed")
    try refuses("bencher", [counted, cell(2, instructions: 1)], "holds one run")
    try refuses("otava", [counted, cell(2, "mine", instructions: 1)], "no figure is in all 2 runs")
    var failed = counted
    failed.status = .crashed
    try refuses("github-benchmark", [failed], "no cell ended ok")
    try refuses("excel", [counted], "github-benchmark")
  }
}
