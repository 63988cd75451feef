import Foundation
import Measurement
import Testing

@Suite("The command compare")
struct CompareTests {
  private let command = CommandRun()

  private static let moods = [1.0, 1.02, 0.97, 1.01, 0.99, 1.015, 1.03, 0.98]

  private func cells(
    _ run: String, _ topology: String = "main-only", factor: Double = 1, digest: String = "d1",
    scenario: String = "5000-cities"
  ) -> [CellResult] {
    Self.moods.enumerated().map { index, mood in
      CellResult.sample(run, topology, trial: index + 1) {
        ($0.scenario, $0.scenarioDigest) = (scenario, digest)
        $0.metrics["main_blocked_ms"] = 20 * factor * mood
        $0.metrics["main_statements"] = 40
      }
    }
  }

  private func refuses(
    _ arguments: [String], with status: Int32, saying words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try command.expectRefusal(
      of: ["compare"] + arguments, with: status, saying: words, sourceLocation: sourceLocation)
  }

  @Test func `identical files get the verdict same everywhere`() throws {
    try command.write(cells("r1") + cells("r1", "parent-child"), to: "a.csv")
    let outcome = try command.run("compare", "a.csv", "a.csv", "--metric", "all", "--format", "csv")
    #expect(outcome.status == 0)
    let rows = outcome.output.split(separator: "\n").dropFirst()
    #expect(rows.count == 4)
    #expect(rows.filter { !$0.hasSuffix(",same,unpaired,a.csv") } == [])
    let table = try command.run("compare", "a.csv", "a.csv")
    #expect(table.status == 0 && table.output.contains("All 4 figures are the same."))
  }

  @Test func `a slower candidate is worse, and the exit status is 0`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try command.write(cells("r2", factor: 1.3), to: "b.csv")
    let outcome = try command.run("compare", "a.csv", "b.csv", expecting: 0)
    #expect(
      outcome.output.contains("Main is blocked longer with main-only (20.1 → 26.1 ms, +30 %)."))
    #expect(outcome.output.contains("Unpaired: one machine, at two times."))
    let json = try command.run("compare", "a.csv", "b.csv", "--format", "json").json()
    #expect(json["schema"] as? String == "topobench-comparison/2")
  }

  @Test func `each side may have any number of files`() throws {
    try command.write(Array(cells("r1")[..<4]), to: "a1.csv")
    try command.write(Array(cells("r1")[4...]), to: "a2.csv")
    try command.write(cells("r2"), to: "b.csv")
    let outcome = try command.run(
      "compare", "--baseline", "a1.csv", "a2.csv", "--candidate", "b.csv", "--format", "markdown",
      expecting: 0)
    #expect(outcome.output.contains("Baseline: a1.csv, a2.csv; 8 cells, all ok."))
  }

  @Test func `a slower machine is no regression in any format`() throws {
    func write(_ run: String, _ factor: Double, _ raw: Double, to file: String) throws {
      let cells = cells(run, factor: factor).map { cell in
        var cell = cell
        cell.metrics["raw_sqlite_ms"] = raw
        cell.gitSHA = "0a1b2c3d4e5f"
        return cell
      }
      try command.write(cells, to: file)
    }
    try write("r1", 1, 10, to: "a.csv")
    try write("r2", 1.91, 18.1, to: "b.csv")
    let table = try command.run("compare", "a.csv", "b.csv", expecting: 0).output
    #expect(table.contains("+91 %  inconclusive"))
    #expect(table.contains("SQLite alone took 1.81 times as long on"))
    #expect(!table.contains("worse") && !table.contains("blocked longer"))
    let json = try command.run("compare", "a.csv", "b.csv", "--format", "json").json()
    let doubt = json["times_doubt"] as? [String: Any]
    #expect(doubt?["what"] as? String == "the machine's speed changed")
    let csv = try command.run("compare", "a.csv", "b.csv", "--format", "csv").output
    #expect(csv.contains(",inconclusive,unpaired,b.csv") && !csv.contains(",worse,"))
    try command.run(
      "report", "--baseline", "a.csv", "--candidate", "b.csv", "--output", "p.html", expecting: 0)
    let page = try command.text("p.html")
    #expect(page.contains("<h1>Times are not judged, because the machine"))
    #expect(!page.contains(">worse<") && !page.contains("blocked longer"))
  }

  @Test func `the first of three reports is the baseline of the others`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try command.write(cells("r2", factor: 1.3), to: "b.csv")
    try command.write(cells("r3", "parent-child"), to: "c.csv")
    let files = ["compare", "a.csv", "b.csv", "a.csv"]
    let table = try command.run(files, expecting: 0).output
    #expect(table.contains("b.csv: Main is blocked longer with main-only (+30 %)"))
    #expect(table.contains("a.csv: All 2 figures are the same."))
    let json = try command.run(files + ["--format", "json"], expecting: 0)
    try expectForm("topobench-comparisons/1", json)
    #expect((try json.json()["comparisons"] as? [Any])?.count == 2)
    // A candidate without a common cell is an error, as in a comparison of two.
    let outcome = try command.run(["compare", "a.csv", "b.csv", "c.csv"], expecting: 6)
    #expect(outcome.output.contains("c.csv: Nothing was compared."))
  }

  @Test func `a command line without two sides is refused`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try refuses([], with: 64, saying: ["compare baseline.csv candidate.csv"])
    try refuses(["a.csv", "--baseline", "a.csv"], with: 64, saying: ["not both"])
    try refuses(["--baseline", "a.csv"], with: 64, saying: ["name the files of both sides"])
    try refuses(["-", "-"], with: 64, saying: ["standard input can be read only once"])
    try refuses(
      ["a.csv", "a.csv", "--metric", "main_blockd_ms"], with: 64,
      saying: ["unknown metric 'main_blockd_ms'", "'main_blocked_ms'"])
    try refuses(["a.csv", "a.csv", "--format", "xml"], with: 64, saying: ["--format"])
  }

  @Test func `an invalid report exits with 5 as the baseline, else with 1`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try command.write(CellCSV.header, to: "bad.csv")
    let place = "bad.csv: line 2, column 1: no row after the header"
    try refuses(["bad.csv", "a.csv"], with: 5, saying: ["Error: baseline: \(place)"])
    try refuses(["a.csv", "bad.csv"], with: 1, saying: ["Error: candidate: \(place)"])
    try refuses(["bad.csv", "bad.csv"], with: 1, saying: ["baseline: bad", "candidate: bad"])
    try refuses(["none.csv", "a.csv"], with: 5, saying: ["no such file"])
    try refuses(["a.csv"], with: 1, saying: ["belong to no duet"])
  }

  @Test func `a baseline of another scenario version cannot be used`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try command.write(cells("r2", digest: "d2"), to: "b.csv")
    let outcome = try command.run("compare", "a.csv", "b.csv", expecting: 5)
    #expect(outcome.output.contains("5000-cities has the digest d1 in the baseline"))
  }

  @Test func `reports without common cells are an error`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try command.write(cells("r2", "parent-child"), to: "b.csv")
    let outcome = try command.run("compare", "a.csv", "b.csv", expecting: 6)
    #expect(outcome.output.contains("Nothing was compared."))
    #expect(outcome.output.contains("Only in the baseline, not compared: main-only"))
  }

  @Test func `6: a counted report and a timed one have no common cell`() throws {
    try command.write(cells("r1"), to: "a.csv")
    let counted = cells("r2").map { cell in
      var cell = cell
      cell.isCounted = true
      return cell
    }
    try command.write(counted, to: "b.csv")
    let outcome = try command.run("compare", "a.csv", "b.csv", expecting: 6)
    #expect(outcome.output.contains("- The candidate is counted and the baseline timed, so"))
    #expect(!outcome.output.contains("Only in"))
  }

  @Test(arguments: [["a.csv", "b.csv"], ["b.csv", "a.csv"]])
  func `3: all cells of a side crashed, and the answer says why`(files: [String]) throws {
    let crashed = cells("r2").map { cell in
      var cell = cell
      (cell.status, cell.error, cell.metrics) = (.crashed, "killed by SIGSEGV", MetricValues())
      return cell
    }
    try command.write(cells("r1"), to: "a.csv")
    try command.write(crashed, to: "b.csv")
    let outcome = try command.run(["compare"] + files, expecting: 3)
    #expect(outcome.output.contains("killed by SIGSEGV"), "\(outcome.output)")
  }

  @Test func `6: reports without a common scenario`() throws {
    try command.write(cells("r1"), to: "a.csv")
    try command.write(cells("r2", scenario: "import"), to: "b.csv")
    try command.run("compare", "a.csv", "b.csv", expecting: 6)
    try command.run("gate", "--baseline", "a.csv", "--candidate", "b.csv", expecting: 6)
  }

  @Test func `a message escapes control characters from a file`() throws {
    try command.write(cells("r1"), to: "a.csv")
    let text = CellCSV.text(cells("r1")).replacing(",ok,", with: ",\u{1B}[2Jgone,")
    try command.write(text, to: "b.csv")
    let outcome = try command.run(
      "compare", "a.csv", "b.csv", expecting: 1, saying: "unknown status `\\u{1B}[2Jgone`")
    #expect(!outcome.errors.contains("\u{1B}"))
  }
}
