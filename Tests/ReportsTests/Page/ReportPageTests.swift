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

  @Test func `every figure has a drawing with a title and a description, its numbers and its rows`()
    throws
  {
    let page = try ParsedPage.of(ReportPage(SamplePages.four).html)
    let drawings = page.all("svg").filter { $0.attributes["role"] == "img" }
    let headings = page.all("section").filter { $0.attributes["class"] == "figure" }
      .compactMap { $0.all("h3").first?.text }
    #expect(drawings.count == 4)
    #expect(
      headings == [
        "Why: exact counts of main’s work", "The main queue’s timeline", "Waits of a tap",
        "Late frames", "Total and visible times",
      ])
    for drawing in drawings {
      #expect(drawing.children[0].name == "title" && drawing.children[1].name == "desc")
      #expect(!drawing.children[1].text.isEmpty)
    }
    let folded = page.all("details").compactMap { $0.all("table").first?.attributes["id"] }
    #expect(folded.contains("s1-blocked-table") && !folded.contains("s1-counts-table"))
    for table in page.all("table") where table.attributes["class"] != "facts" {
      #expect(table.all("caption").count == 1)
      #expect(table.all("th").filter { $0.attributes["scope"] == nil }.isEmpty)
    }
  }

  @Test func `the page has the answer and the limits of the terminal`() throws {
    let side = SamplePages.four
    let text = try ParsedPage.of(ReportPage(side).html).text
    for sentence in Phrases.long(side.summary.sections[0].conclusion) {
      #expect(text.contains(sentence))
    }
    #expect(text.contains(Sentences.limits(side.summary.sections)))
    #expect(text.contains(try #require(Sentences.doubts(side.summary.sections[0]))))
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

  @Test func `every ok trial is a dot at its place on the axis`() throws {
    let side = SamplePages.four
    let page = try ParsedPage.of(ReportPage(side).html)
    let drawing = try #require(page.named("s1-board"))
    let upper = try #require(drawing.attributes["data-upper"].flatMap(Double.init))
    let places = drawing.all("circle").compactMap {
      $0.attributes["cx"].flatMap { Double($0.dropLast()) }
    }.sorted()
    let expected = side.summary.cells.filter { $0.status == .ok }
      .compactMap { $0.metrics["main_blocked_ms"] }.map { $0 / upper * 100 }.sorted()
    #expect(places.count == 32)
    #expect(zip(places, expected).filter { abs($0 - $1) > 0.0051 }.isEmpty)
  }

  @Test func `the title and the first figure are the answer`() throws {
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
    for row in rows {
      #expect(["A", "B", "C", "D"].contains(row.children[0].text))
      #expect(row.all("circle").count == 8 && !row.all("path").isEmpty)
    }
  }

  @Test func `a topology of the other store mode is a marked row with its own trials`() throws {
    let cells =
      SampleSummaries.cells("a", 10) + SampleSummaries.cells("b", 20)
      + SampleSummaries.cells("grdb-queue", 30).with { $0.store = "serial" }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells)).html)
    let rows = try #require(page.named("s1-board")).all("tbody")[0].children
    #expect(page.named("s2-board") == nil)
    #expect(rows.map { $0.children[1].text } == ["a", "b", "grdb-queue (serial)"])
    #expect(rows.map { $0.children[0].text } == ["A", "B", "C"])
    #expect(rows.map { $0.all("circle").count } == [8, 8, 8])
    let text = FormatsTests.markdown(Summary(cells: cells))
    #expect(text.contains("| C | grdb-queue (serial) | 30.2 |"), "\(text)")
  }

  @Test func `a comparison shows a topology where it was measured`() throws {
    let cells =
      SampleSummaries.cells("a", 10)
      + SampleSummaries.cells("grdb-queue", 30).with { $0.store = "serial" }
    let side = PageSide(files: [], cells: cells, joinsStores: false)
    let comparison = Comparison(
      Matching(baseline: SideCells(cells), candidate: SideCells(cells)), baselineFiles: ["a"],
      candidateFiles: ["b"])
    let page = try ParsedPage.of(
      ReportPage(baseline: side, candidate: side, comparison: comparison).html)
    for (id, name) in [("s1-board", "candidate"), ("s2-board", "candidate")] {
      let rows = try #require(page.named(id)).all("tbody")[0].children
      #expect(rows.count == 2 && rows[1].children[0].text == name)
    }
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

  @Test func `a timeline colours gaps by their cause, on one axis for all`() throws {
    let page = try ParsedPage.of(ReportPage(SamplePages.four).html)
    let table = try #require(page.named("s1-timeline-table"))
    #expect(table.all("tr").last?.numbers == [1, 60, 2, 20, 20, 5])
    let paths = try #require(page.named("s1-timeline-figure")).all("path").filter {
      $0.attributes["class"] == "use-merging"
    }
    // 480 columns of 60 ms: from 10 to 30 ms.
    #expect(paths.first?.attributes["d"] == "M80 0h160v20H80z")
    #expect(paths.first?.text == "merging and updating the list: 1 gap, 20.0 ms")
  }

  @Test func `the page names missing documents and environments`() throws {
    let cells = SampleSummaries.cells("main-only", 20).map(SamplePages.withTaps)
    let side = SamplePages.side(cells, windows: false)
    let text = try ParsedPage.of(ReportPage(side).html).text
    #expect(text.contains("Not shown: main-only (its cell's document was not read)."))
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
    let facts = page.all("table").filter { $0.attributes["class"] == "facts" }
      .map { $0.all("tr").map { $0.children.map(\.text) } }
    #expect(
      facts[0].contains(["pragmas.journal_mode", "wal"]) && facts[0].contains(["cpu", "a & b"]))
    #expect(facts[0].contains(["new_field", "1, 2.5, true"]))
    #expect(facts[1].contains(["changes.per_save", "500"]))
    let broken = SamplePages.side(SampleSummaries.cells("main-only", 20), environment: "{")
    #expect(ReportPage(broken).html.contains("cannot be read"))
  }

  @Test func `a sweep shows where topologies change places`() throws {
    let side = SamplePages.sweep()
    let page = try ParsedPage.of(ReportPage(side).html)
    let sweep = try #require(page.named("w1"))
    #expect(sweep.text.contains(Phrases.crossovers(side.summary.sweeps[0])))
    #expect(sweep.all("rect").filter { $0.attributes["class"] == "crossing" }.count == 1)
    let medians = side.summary.sweeps[0].points.map { point in
      point.ranking.places.first { $0.name == "main-only" }?.median
    }
    let row = try #require(
      page.named("w1-sweep-table")?.all("tr").first { $0.text.hasPrefix("main-only") })
    #expect(row.numbers == medians)
    #expect(sweep.all("circle").count == 4)
    #expect(sweep.all("h3")[0].text.hasPrefix("changes.per_save: "))
  }

  @Test func `a section for each setting, with its rows`() throws {
    let page = try ParsedPage.of(ReportPage(SamplePages.sweep()).html)
    let parameters = page.all("article").compactMap { $0.attributes["data-parameters"] }
    #expect(parameters == ["{\"changes.per_save\":50}", "{\"changes.per_save\":500}"])
    let rows = try #require(page.named("s2-rows"))
    #expect(rows.all("tbody").map { $0.children.count } == [9, 9])
  }

  @Test func `the rows of a long report are lines, as in the CSV file`() throws {
    let many = (0..<400).flatMap { run in
      SampleSummaries.cells("main, only", Double(run + 1)).with {
        $0.runID = "r\(run)"
        if $0.trial == 8 { ($0.status, $0.error) = (.timeout, "too slow") }
      }
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(many, windows: false)).html)
    let lines = try #require(page.named("s1-rows")).text.split(separator: "\n")
    #expect(lines.count == 3201 && page.named("s1-rows")?.name == "pre")
    #expect(lines[0].hasPrefix("topology,trial,status,main_blocked_ms,main_executing_ms,"))
    #expect(lines.contains { $0.hasPrefix("\"main, only\",1,ok,10,10,") })
    #expect(lines.contains("\"main, only\",8,timeout,too slow"))
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
