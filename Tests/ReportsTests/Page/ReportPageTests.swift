import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct ReportPageTests {
  @Test func `a page has landmarks, headings in order and a link that skips to the answers`() throws
  {
    let page = try ParsedPage.of(ReportPage(SamplePages.four).html)
    for landmark in ["header", "nav", "main", "footer", "h1"] {
      #expect(page.all(landmark).count == 1, "\(landmark)")
    }
    let levels = page.all.compactMap { element -> Int? in
      ["h1", "h2", "h3", "h4"].firstIndex(of: element.name)
    }
    #expect(levels.first == 0)
    let jumps = zip(levels, levels.dropFirst()).filter { $1 > $0 + 1 }
    #expect(jumps.isEmpty)
    #expect(page.all("a").first?.attributes["href"] == "#main")
  }

  @Test func `it fetches nothing, runs nothing, and every link leads to a place of the page`()
    throws
  {
    let page = try ParsedPage.of(ReportPage(SamplePages.four).html)
    let ids = page.all.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    for link in page.all("a") {
      let target = try #require(link.attributes["href"])
      #expect(target.hasPrefix("#") && ids.contains(String(target.dropFirst())), "\(target)")
    }
    #expect(page.all("script").isEmpty && page.all("img").isEmpty && page.all("link").isEmpty)
    let outside = page.all.filter { $0.attributes["src"] != nil || $0.attributes["onclick"] != nil }
    #expect(outside.isEmpty)
  }

  @Test func `figures stand in order, each with a caption, and its marks in words`() throws {
    let page = try ParsedPage.of(ReportPage(SamplePages.four).html)
    let figures = page.all("section").filter { $0.attributes["class"] == "figure" }
    #expect(
      figures.compactMap { $0.all("h3").first?.text } == [
        "The main queue’s timeline", "Waits of a tap", "Why: exact counts of main’s work",
        "Late frames", "Times",
      ])
    let drawings = page.all("svg").filter { $0.attributes["role"] == "img" }
    #expect(drawings.count == 4 * 6)
    #expect(drawings.allSatisfy { !($0.attributes["aria-label"] ?? "").isEmpty })
    let taps = try #require(page.named("s1-tap-table")).all("tbody")[0].all("svg")
    #expect(taps.first?.attributes["aria-label"] == "99 in 100 within 2.07 ms, all within 3.10 ms")
    let folded = page.all("details").flatMap { $0.all("table") }.map { $0.attributes["id"] }
    #expect(folded.contains("s1-blocked-table") && folded.contains("s1-times-table"))
    #expect(!folded.contains("s1-counts-table") && !folded.contains("s1-tap-table"))
    for table in page.all("table") {
      #expect(table.all("caption").count == 1)
      #expect(table.all("th").filter { $0.attributes["scope"] == nil }.isEmpty)
    }
  }

  @Test func `what was not measured has no heading`() throws {
    let cells = SampleSummaries.cells("main-only", 5)
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells, windows: false)).html)
    let figures = page.all("section").filter { $0.attributes["class"] == "figure" }
    #expect(figures.allSatisfy { !$0.all("table").isEmpty })
    #expect(!page.text.contains("Waits of a tap") && !page.text.contains("Late frames"))
  }

  @Test func `the page has the answer and the limits of the terminal`() throws {
    let side = SamplePages.four
    let text = try ParsedPage.of(ReportPage(side).html).text
    for sentence in Phrases.long(side.summary.sections[0].conclusion) {
      #expect(text.contains(sentence))
    }
    #expect(text.contains(Sentences.limits(side.summary.sections)))
    #expect(text.contains("How long?"))
    #expect(text.contains("main-only: 1 cell crashed, the first: ended by signal 11"))
  }

  @Test func `blocked time has an interval, and its parts add up to the median`() throws {
    let side = SamplePages.four
    let page = try ParsedPage.of(ReportPage(side).html)
    let table = try #require(page.named("s1-blocked-table"))
    for topology in side.summary.sections[0].topologies {
      let row = try #require(
        table.all("tr").first { $0.children.first?.text == topology.name }, "\(topology.name)")
      let estimate = try #require(topology.estimate(.mainBlocked))
      let interval = try #require(estimate.interval)
      let numbers = row.numbers
      #expect(numbers[0] == Double(topology.okCells))
      let told = zip(numbers[1...3], [estimate.median, interval.lower, interval.upper])
      #expect(told.filter { abs($0 - $1) > 1e-6 }.isEmpty)
      #expect(abs(numbers[4...].reduce(0, +) - estimate.median) < 1e-5)
    }
  }

  @Test func `the title and the first chart are the answer`() throws {
    let side = SamplePages.four
    let page = try ParsedPage.of(ReportPage(side).html)
    #expect(page.all("h1")[0].text == Phrases.short(side.summary.sections[0]))
    let trust = try #require(page.all("p").first { $0.attributes["class"] == "trust" }).text
    for clause in [
      "Trust: ", "9 trials of 4 topologies, 1 of 33 cells not ok", "not Apple’s Core Data",
    ] {
      #expect(trust.contains(clause))
    }
    let rows = try #require(page.named("s1-board")).all("tbody")[0].children
    #expect(rows.map { $0.children[1].text } == side.summary.sections[0].topologies.map(\.name))
    #expect(rows.allSatisfy { ["A", "B", "C", "D"].contains($0.children[0].text) })
  }

  @Test func `the settings of a sweep stand in the order of their values`() throws {
    let cells = [100, 5, 20].flatMap { value in
      SampleSummaries.cells("main-only", 20).with {
        $0.parameters = "{\"a\":\(value)}"
        $0.scenarioDigest = "digest \(value)"
      }
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells)).html)
    let titles = page.all("h2").map(\.text).filter { $0.contains(": a ") }
    #expect(titles.map { $0.split(separator: " ").last } == ["5", "20", "100"])
  }

  @Test func `a sweep links the settings of its own values alone`() throws {
    let cells = SampleSummaries.cells("main-only", 20)
    let set = [
      #"{"a":1,"b":0}"#, #"{"a":2,"b":0}"#, #"{"a":1,"b":5}"#,
    ].flatMap { parameters in
      cells.with { $0.parameters = parameters }
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(set)).html)
    func links(_ sweep: String) -> [String?]? {
      page.named("\(sweep)-sweep-figure")?.all("a").map { $0.attributes["href"] }
    }
    #expect(links("w1") == ["#s1", "#s3"] && links("w2") == ["#s1", "#s2"])
  }

  @Test func `the command of the run can be pasted into a shell`() throws {
    let environment = #"{"command_line": ["topobench", "--set", "a=[1,2]", "it's"]}"#
    let side = SamplePages.side(SampleSummaries.cells("main-only", 20), environment: environment)
    let text = try ParsedPage.of(ReportPage(side).html).text
    #expect(text.contains(#"topobench --set 'a=[1,2]' 'it'\''s'"#))
  }

  @Test func `the page names missing documents and environments`() throws {
    let cells = SampleSummaries.cells("main-only", 20).map(SamplePages.withTaps)
    let side = SamplePages.side(cells, windows: false)
    let text = try ParsedPage.of(ReportPage(side).html).text
    #expect(text.contains("Timelines not shown: main-only (its cell's document was not read)."))
    #expect(text.contains("No environment file lies beside it"))
  }

  @Test func `the page has every diagnosis and parameter of the environment`() throws {
    let environment = """
      {"cpu": "a & b", "pragmas": {"journal_mode": "wal"}, "new_field": [1, 2.5, true],
       "diagnoses": [{"what": "the load was 3", "remedy": "let nothing else run"}],
       "scenarios": [{"name": "\\"5000-cities\\"", "changes.per_save": "500"}]}
      """
    let side = SamplePages.side(SampleSummaries.cells("main-only", 20), environment: environment)
    let page = try ParsedPage.of(ReportPage(side).html)
    #expect(page.text.contains("the load was 3 (let nothing else run)"))
    let lines = page.all("pre").map(\.text).joined()
    for field in [#""journal_mode": "wal""#, #""cpu": "a & b""#, #""changes.per_save": "500""#] {
      #expect(lines.contains(field))
    }
    let broken = SamplePages.side(SampleSummaries.cells("main-only", 20), environment: "{")
    #expect(ReportPage(broken).html.contains("cannot be read"))
  }

  @Test func `a sweep shows where topologies change places`() throws {
    let side = SamplePages.sweep()
    let page = try ParsedPage.of(ReportPage(side).html)
    let sweep = try #require(page.named("w1"))
    #expect(sweep.text.contains(Phrases.crossovers(side.summary.sweeps[0])))
    let medians = side.summary.sweeps[0].points.map { point in
      point.ranking.places.first { $0.name == "main-only" }?.median
    }
    let row = try #require(
      page.named("w1-sweep-table")?.all("tr").first { $0.text.hasPrefix("main-only") })
    #expect(row.numbers == medians)
    #expect(sweep.all("circle").count == 4)
    #expect(sweep.all("h3")[0].text == "changes.per_save")
    #expect(page.all("h1")[0].text.contains("changes.per_save: "))
  }

  @Test func `rows are lines, as in the CSV file`() throws {
    let cells = SampleSummaries.cells("main, only", 10).with {
      if $0.trial == 8 { ($0.status, $0.error) = (.timeout, "too slow") }
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells, windows: false)).html)
    let lines = try #require(page.named("s1-rows")).text.split(separator: "\n")
    #expect(lines.count == 9)
    #expect(lines[0].hasPrefix("topology,trial,status,main_blocked_ms,main_executing_ms,"))
    #expect(lines.contains { $0.hasPrefix("\"main, only\",1,ok,") })
    #expect(lines.contains("\"main, only\",8,timeout,too slow"))
  }

  @Test func `a page lists and draws at most 2,000 trials of a topology, and says so`() throws {
    let cells = (1...2001).map {
      SampleSummaries.cell("a", trial: $0, blocked: 10 + Double($0) / 1000)
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells, windows: false)).html)
    let lines = try #require(page.named("s1-rows")).text.split(separator: "\n")
    #expect(lines.count == 2001)
    #expect(page.text.contains("from run.csv (the first 2,000 of a topology); times in ms"))
    #expect(page.text.contains("Of more than 2,000 trials, as many are drawn"))
    #expect(page.all("circle").count == 4000)
  }

  @Test func `a page of 200 settings shows at most 500 trials of a topology`() throws {
    let others = (1...199).map { number in
      SampleSummaries.cell("a", trial: 1, blocked: 10).with { $0.scenario = "s\(number)" }
    }
    let cells = (1...501).map { SampleSummaries.cell("a", trial: $0, blocked: 10) } + others
    let page = ReportPage(SamplePages.side(cells, windows: false)).html
    #expect(page.contains("from run.csv (the first 500 of a topology); times in ms"))
    #expect(page.contains("Of more than 500 trials, as many are drawn"))
  }

  @Test func `a page without cells is complete too`() throws {
    let text = try ParsedPage.of(ReportPage(SamplePages.side([])).html).text
    #expect(text.contains("Nothing was measured that could be shown."))
    let crashed = SampleSummaries.cell("main-only", trial: 1, blocked: 0)
      .with { $0.status = .crashed }
    let page = try ParsedPage.of(ReportPage(SamplePages.side([crashed])).html)
    #expect(page.text.contains("no cell ended ok"))
  }
}
