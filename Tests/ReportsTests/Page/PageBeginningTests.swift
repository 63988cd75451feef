import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct PageBeginningTests {
  private func trust(_ page: ReportPage) throws -> String {
    let page = try ParsedPage.of(page.html)
    let line = try #require(page.all("p").first { $0.attributes["class"] == "trust" })
    let grade = line.all("a").first { $0.attributes["class"]?.hasPrefix("grade") ?? false }
    return (grade?.text ?? "") + line.own
  }

  private func busy(_ cells: [CellResult], load: Double) -> PageSide {
    var context = RunContext()
    (context.load, context.cores) = (load, 2)
    return PageSide(files: [(name: "run.csv", environment: nil)], cells: cells, context: context)
  }

  @Test func `the line on trust says why it is only fair`() throws {
    let cells = SampleSummaries.cells("a", 10) + SampleSummaries.cells("b", 20)
    #expect(
      try trust(ReportPage(busy(cells, load: 1.4)))
        .hasPrefix("Trust: fair (load 1.40 on 2 cores) · 8 trials of 2 topologies, 2026-01-02"))
    #expect(try trust(ReportPage(busy(cells, load: 0.1))).hasPrefix("Trust: good · "))
  }

  @Test func `one counted trial is not good, and the grade leads to a part of its page`() throws {
    func page(trials: Int) -> ReportPage {
      ReportPage(
        SamplePages.side(
          SampleSummaries.cells("a", 10, trials: trials).with {
            $0.metrics = MetricValues()
            $0.isCounted = true
            $0.metrics[.mainInstructions] = 100
          }, windows: false))
    }
    let alone = page(trials: 1)
    let reason = "1 trial does not show that counts repeat"
    #expect(try trust(alone).hasPrefix("Trust: fair (\(reason)) · 1 trial of 1 topology"))
    #expect(try trust(page(trials: 2)).hasPrefix("Trust: good · 2 trials of 1 topology"))
    let parsed = try ParsedPage.of(alone.html)
    let ids = Set(parsed.all.compactMap { $0.attributes["id"].map { "#\($0)" } })
    #expect(parsed.all("a").compactMap { $0.attributes["href"] }.allSatisfy(ids.contains))
  }

  @Test func `of many settings, it says how many are only fair`() throws {
    let moods = [1.0, 1.5, 0.6, 1.4, 0.8, 1.2, 0.7, 1.1]
    let cells = ["1", "2"].flatMap { value in
      SampleSummaries.cells("a", 10, moods: value == "1" ? moods : SampleSummaries.moods)
        .with { $0.parameters = "{\"n\":\(value)}" }
    }
    #expect(
      try trust(ReportPage(busy(cells, load: 0.1)))
        .hasPrefix("Trust: fair in 1 of 2 settings (trials spread by "))
  }

  @Test func `a comparison has the worst grade of the doubts that compare names`() throws {
    // The baseline's trials spread so far that a page of it alone is graded discard.
    let moods = [1.0, 3, 0.4, 2, 0.5, 4, 0.3, 1.5]
    let cells = SampleComparisons.report("r1", "a", blocked: 10, moods: moods)
    let other = SampleComparisons.report("r2", "a", blocked: 10, moods: moods)
    #expect(try trust(ReportPage(busy(cells, load: 0.1))).hasPrefix("Trust: discard"))
    func grade(_ diagnoses: [Diagnosis]) throws -> String {
      try trust(
        ReportPage(
          baseline: busy(cells, load: 0.1), candidate: busy(other, load: 0.1),
          comparison: SampleComparisons.comparison(cells, other, diagnoses: diagnoses)))
    }
    #expect(try grade([]).hasPrefix("Trust: good · "))
    let load = Diagnosis("baseline: other programs use the machine", evidence: "load 1.4")
    let words = "Trust: fair (baseline: other programs use the machine: load 1.4) · "
    #expect(try grade([load]).hasPrefix(words))
  }

  @Test func `a comparison whose times are not judged has no grade`() throws {
    func report(_ run: String, raw: Double) -> [CellResult] {
      SampleComparisons.report(run, "a", blocked: raw).with { $0.metrics[.rawSQLite] = raw }
    }
    let (cells, slower) = (report("r1", raw: 10), report("r2", raw: 20))
    let page = ReportPage(
      baseline: busy(cells, load: 0.1), candidate: busy(slower, load: 0.1),
      comparison: SampleComparisons.comparison(cells, slower))
    #expect(try trust(page).hasPrefix("No trust is graded: times are not judged · "))
  }

  @Test func `the browser's tab has the conclusion`() throws {
    let (cells, other) = (
      SampleComparisons.report("r1", "a", blocked: 10),
      SampleComparisons.report("r2", "a", blocked: 10)
    )
    let compared = ReportPage(
      baseline: SamplePages.side(cells), candidate: SamplePages.side(other),
      comparison: SampleComparisons.comparison(cells, other))
    for page in [ReportPage(SamplePages.four), ReportPage(SamplePages.side([])), compared] {
      let parsed = try ParsedPage.of(page.html)
      #expect(parsed.all("title")[0].text == "\(parsed.all("h1")[0].text) — topobench")
    }
  }

  @Test func `the history names each series in full`() throws {
    let fields = #"{"list.prefetch":["country","positions"],"list.reads":["positions.@count"]}"#
    let cells = SampleSummaries.cells("refetch", 10).with { $0.parameters = fields }
    let page = try ParsedPage.of(HistoryPage(RunMedians.all(of: cells)).html)
    #expect(page.all("th").contains { $0.text == "refetch \(fields)" })
    #expect(page.all("title").contains { $0.text.hasPrefix("refetch \(fields) at unknown: ") })
  }

  @Test func `what was not compared has no grade`() throws {
    let (a, b) = (SampleSummaries.cells("a", 10), SampleSummaries.cells("b", 10))
    let comparison = SampleComparisons.comparison(a, b)
    let page = ReportPage(
      baseline: busy(a, load: 1.4), candidate: busy(b, load: 1.4), comparison: comparison)
    #expect(
      try trust(page).hasPrefix("No trust is graded: nothing was compared · "))
    let parsed = try ParsedPage.of(page.html)
    #expect(parsed.all("h1").map(\.text) == ["Nothing was compared"])
    #expect(parsed.all("a").allSatisfy { $0.attributes["class"] != "grade good" })
    #expect(Phrases.long(comparison.conclusion) == "Nothing was compared.")
    #expect(try !ComparisonReport.json(comparison).contains("trust"))
    #expect(try trust(ReportPage(SamplePages.side([]))).contains("nothing was measured"))
  }

  @Test func `a page whose parts are folded lists their answers`() throws {
    let other = SampleSummaries.cells("main-only", 20).with { $0.scenario = "other" }
    let side = SamplePages.side(SamplePages.sweep().summary.cells + other)
    let items = try ParsedPage.of(ReportPage(side).html).all("nav")[0].all("li")
    #expect(items.count == 3)
    let own = side.summary.sections.filter { $0.scenario != "other" }
    #expect(items[0].text.contains(Phrases.short(side.summary.sweeps, own)))
    #expect(items[1].text.hasSuffix(Phrases.short(side.summary.sections[2])))
  }

  @Test func `the page names the files that it was made from`() throws {
    let text = try ParsedPage.of(ReportPage(SamplePages.four).html).all("footer")[0].text
    #expect(text.hasPrefix("Made by topobench report from run.csv. "))
  }

  /// - Parameter medians: at each value, of each topology; nil for one whose cells crashed.
  private func sweep(_ medians: [(String, [String: Double?])]) throws -> Sweep {
    let cells = medians.flatMap { value, topologies in
      topologies.sorted { $0.key < $1.key }.flatMap { name, blocked in
        SampleSummaries.cells(name, blocked ?? 10).with {
          $0.parameters = "{\"generate.inserts\":\(value)}"
          if blocked == nil { $0.status = .crashed }
        }
      }
    }
    return try #require(Summary(cells: cells).sweeps.first)
  }

  @Test func `each part of a sweep's title has a verb, and numbers are grouped`() throws {
    let turning = try sweep([
      ("10000", ["a": 10, "b": 20, "c": 30]), ("60000", ["a": 40, "b": 20, "c": 20]),
    ])
    let title = Phrases.short(turning)
    #expect(
      title == "generate.inserts: a is best at 10,000, b and c are best at 60,000", "\(title)")
    let one = try sweep([("1", ["a": 10, "b": 20]), ("2000", ["a": 10, "b": 20])])
    #expect(Phrases.short(one) == "generate.inserts: a is best at each value")
    let none = try sweep([("1", ["a": 10, "b": 10]), ("2000", ["a": 10, "b": 10])])
    #expect(
      Phrases.short(none)
        == "generate.inserts: the trials separate no topology from the best at any value")
    let table = Table(turning)
    #expect(table.columns.map(\.heading) == ["topology", "10,000", "60,000"])
    #expect(Phrases.crossovers(turning).contains("between 10,000 and 60,000, a falls behind"))
  }

  @Test func `a topology whose cells crash at a value loses its place there, and no more`() throws {
    let partial = try sweep([
      ("1", ["a": 10, "b": 20]), ("2", ["a": nil, "b": 20]), ("3", ["a": 10, "b": nil]),
    ])
    let title = Phrases.short(partial)
    #expect(
      title == "generate.inserts: a is best at 1, only b was measured at 2, "
        + "only a was measured at 3",
      "\(title)"
    )
    #expect(partial.crossovers.isEmpty && partial.unclear.isEmpty)
    let rows = Table(partial).rows.map { $0.cells.map(\.text) }
    #expect(rows == [["a", "10.1 A", "–", "10.1 –"], ["b", "20.1 B", "20.1 –", "–"]])
  }

  @Test func `a topology without cells at a value is told from one without blocked time`() throws {
    let (a, b) = (SampleSummaries.cells("a", 10), SampleSummaries.cells("b", 20))
    let values = [a + b, a, a + b.with { $0.metrics[.mainBlocked] = nil }]
    let cells = values.enumerated().flatMap { index, cells in
      cells.with { $0.parameters = "{\"generate.inserts\":\(index + 1)}" }
    }
    let sweep = try #require(Summary(cells: cells).sweeps.first)
    #expect(
      Phrases.short(sweep) == "generate.inserts: a is best at 1, only a was measured at 2, "
        + "only a has blocked time at 3")
  }

  @Test func `a value at which every cell crashed is no point of the sweep`() throws {
    let partial = try sweep([
      ("1", ["a": 10, "b": 20]), ("2", ["a": nil, "b": nil]), ("3", ["a": 10, "b": 20]),
    ])
    #expect(partial.points.map(\.value.text) == ["1", "3"])
    #expect(Phrases.short(partial) == "generate.inserts: a is best at each value")
  }
}
