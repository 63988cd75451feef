import Foundation
import Judging
import Measurement
import Testing

@Suite("The page of the command report")
struct ReportTests {
  private let command = CommandRun()

  private func write(_ run: String, to name: String, factor: Double = 1) throws {
    let cells = (1...8).flatMap { trial in
      ["main-only", "parent-child"].enumerated().map { place, topology in
        CellResult.sample(run, topology, trial: trial) {
          $0.order = trial * 2 + place
          $0.metrics["main_blocked_ms"] = Double(20 + trial) * factor * Double(place + 1)
        }
      }
    }
    try command.write(cells, to: name)
  }

  @Test func `a run's page has its timeline and machine, and is never replaced`() async throws {
    try await command.runAside(
      [
        "run", "--scenario", CommandRun.fewCities, "--trials", "2", "--topology", "main-only",
        "--topology", "parent-child", "--quiet", "--output", "run.csv",
      ], expecting: 0)
    let outcome = try command.run("report", "run.csv", "--output", "page.html", expecting: 0)
    #expect(outcome.errors.contains("Page: file:///") && outcome.output.isEmpty)
    let page = try command.text("page.html")
    #expect(page.contains("s1-timeline-table") && page.contains("How long does main stay blocked"))
    #expect(!page.contains("Timelines not shown") && page.contains("journal_mode"))
    try command.run("report", "run.csv", "--output", "page.html", expecting: 64, saying: "--force")
    #expect(try command.text("page.html") == page)
    try command.run("report", "run.csv", "--output", "page.html", "--force", expecting: 0)
  }

  @Test func `a run and a report of its files give the same trust and diagnoses`() async throws {
    let run = try await command.runAside(
      [
        "run", "--scenario", CommandRun.fewCities, "--trials", "2", "--topology", "main-only",
        "--topology", "parent-child", "--quiet", "--output", "run.csv", "--format", "json",
      ], expecting: nil)
    let report = try command.run(
      "collect", "run.csv", "--output", "again.csv", "--quiet", "--format", "json",
      expecting: nil)
    #expect(run.status == report.status)
    let sections = try [run, report].map { outcome in
      try #require(outcome.json()["sections"] as? [[String: Any]])
    }
    #expect(sections[0].count == 1 && sections[1].count == 1)
    for field in ["trust", "conclusion"] {
      let texts = try sections.map { section in
        try JSONSerialization.data(
          withJSONObject: #require(section[0][field]), options: [.sortedKeys])
      }
      #expect(
        String(decoding: texts[0], as: UTF8.self) == String(decoding: texts[1], as: UTF8.self))
    }
    let page = try command.run("report", "run.csv", "--output", "-", expecting: nil).output
    #expect(page.contains("this is a debug build"))
  }

  @Test func `two sides make a comparison, and a page can go to standard output`() throws {
    try write("r1", to: "old.csv")
    try write("r2", to: "new.csv", factor: 1.5)
    let outcome = try command.run(
      "report", "--baseline", "old.csv", "--candidate", "new.csv", "--output", "-", expecting: 0)
    #expect(outcome.output.hasPrefix("<!DOCTYPE html>"))
    #expect(outcome.output.contains("<h1>Main is blocked longer with main-only (+50 %) and "))
    #expect(!command.exists("report.html"))
  }

  @Test func `a duet's report compares its sides pair by pair`() throws {
    let cells = (1...12).flatMap { pair in
      Side.allCases.map { side in
        CellResult.sample("r1", trial: pair) {
          $0.metrics["main_blocked_ms"] = Double(20 + pair % 3) * (side == .candidate ? 1.4 : 1)
          $0.duet = DuetMark(pair: pair, side: side, phase: .first)
        }
      }
    }
    try command.write(cells, to: "duet.csv")
    let outcome = try command.run("report", "duet.csv", "--output", "-", expecting: 0)
    #expect(outcome.output.contains("Paired: the two sides were measured in turn"))
    #expect(outcome.output.contains("<h1>Main is blocked longer with main-only (+40 %)</h1>"))
  }

  @Test func `a report that is named twice counts once, and contradicting ones are refused`() throws
  {
    try write("r1", to: "a.csv")
    let once = try command.run("report", "a.csv", "--output", "-", expecting: 0)
    let twice = try command.run("report", "a.csv", "a.csv", "--output", "-", expecting: 0)
    func trials(_ page: String) -> [Substring] {
      page.matches(of: /[0-9]+ trials?/).map(\.output)
    }
    #expect(!trials(once.output).isEmpty && trials(once.output) == trials(twice.output))
    var cell = try #require(try command.cells("a.csv").first)
    cell.metrics["main_blocked_ms"] = 99
    try command.write([cell], to: "b.csv")
    try command.run(
      "report", "a.csv", "b.csv", "--output", "-", expecting: 1, saying: "with different values")
  }

  @Test func `without documents or an environment file the page says so`() throws {
    try write("r1", to: "a.csv")
    try command.run("report", "a.csv", expecting: 0)
    let page = try command.text("report.html")
    #expect(page.contains("no document of the cell lies beside the report"))
    #expect(page.contains("No environment file lies beside it"))
  }

  @Test func `an unreadable report or unwritable page is refused and leaves no file`() throws {
    try write("r1", to: "a.csv")
    try command.write("not,a,report\n", to: "bad.csv")
    func refuses(_ arguments: [String], _ status: Int32, _ words: String) throws {
      try command.expectRefusal(of: ["report"] + arguments, with: status, saying: [words])
      #expect(!command.exists("report.html"))
    }
    try refuses([], 64, "name the reports to show")
    try refuses(["absent.csv"], 1, "absent.csv")
    try refuses(["bad.csv"], 1, "bad.csv")
    try refuses(["--baseline", "bad.csv", "--candidate", "a.csv"], 5, "baseline: bad.csv")
    try refuses(["--baseline", "bad.csv", "--candidate", "bad.csv"], 1, "candidate: bad.csv")
    try refuses(["--baseline", "a.csv"], 64, "a side has none")
    try refuses(["a.csv", "--baseline", "a.csv", "--candidate", "a.csv"], 64, "not both")
    try refuses(["a.csv", "--output", "a.csv", "--force"], 64, "is one of the files to read")
    try refuses(["a.csv", "--output", "a.csv/page.html"], 64, "cannot write")
    try refuses(["-", "-"], 64, "standard input can be read only once")
  }

  @Test func `a folder of reports is drawn over its runs`() throws {
    try command.run(
      "report", "--history", "missing", expecting: 64, saying: "--history: cannot read 'missing'")
    try command.write("", to: "notes.txt")
    try command.run("report", "--history", ".", expecting: 64, saying: "no cell in '.' ended ok")
    let cells = (1...3).map { run in
      CellResult.sample("r\(run)", trial: 1) {
        $0.startedAt = "2026-01-0\(run)T03:04:05Z"
        ($0.gitSHA, $0.isCounted) = ("commit-\(run)", true)
        $0.metrics["main_instructions"] = Double(run * 100)
      }
    }
    for cell in cells { try command.write([cell], to: "\(cell.runID).csv") }
    let outcome = try command.run("report", "--history", ".", "--output", "-", expecting: 0)
    #expect(outcome.output.contains("5000-cities, counted"))
    #expect(outcome.output.contains("main-only at commit-2: 200"))
    #expect(outcome.output.contains("h1-main_instructions-table"))
  }

  @Test func `the history marks runs that may be of another machine`() throws {
    for (run, host) in ["h1", "h1", "h2", "h2", "", ""].enumerated() {
      let cell = CellResult.sample("r\(run)", trial: 1) {
        ($0.startedAt, $0.gitSHA) = ("2026-01-0\(run + 1)T03:04:05Z", "commit-\(run)")
        $0.hostID = host
        $0.metrics["main_statements"] = Double(run)
      }
      try command.write([cell], to: "\(run).csv")
    }
    let page = try command.run("report", "--history", ".", "--output", "-", expecting: 0).output
    let dots = page.components(separatedBy: "<circle").dropFirst()
    let hollow = dots.filter { $0.prefix { $0 != ">" }.contains("hollow") }.joined()
    for (run, isChange) in [false, false, true, false, true, true].enumerated() {
      #expect(hollow.contains("commit-\(run):") == isChange, "\(run): \(hollow)")
    }
    #expect(page.contains("A hollow dot is not known to be of the same machine"))
  }

  @Test func `counts over runs are exact, in the drawing and in its table`() throws {
    for (run, count) in [3_644.0, 3_645, 3_648].enumerated() {
      let cell = CellResult.sample("r\(run)", trial: 1) {
        ($0.startedAt, $0.gitSHA) = ("2026-01-0\(run + 1)T03:04:05Z", "commit-\(run)")
        $0.metrics["main_statements"] = count
      }
      try command.write([cell], to: "\(run).csv")
    }
    let page = try command.run("report", "--history", ".", "--output", "-", expecting: 0).output
    for (run, count) in ["3,644", "3,645", "3,648"].enumerated() {
      #expect(page.contains("main-only at commit-\(run): \(count)"))
    }
    for count in ["3,644", "3,648"] {
      #expect(page.split(separator: count).count > 2, "\(count) stands in the table too")
    }
  }
}
