import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct SectionChartsTests {
  @Test func `every ok trial is a dot at its place on the axis`() throws {
    let side = SamplePages.four
    let board = try #require(try ParsedPage.of(ReportPage(side).html).named("s1-board"))
    let heading = try #require(board.all("th").last { $0.attributes["data-upper"] != nil })
    #expect(heading.attributes["data-axis"] == "linear")
    let upper = try #require(heading.attributes["data-upper"].flatMap(Double.init))
    let tracks = board.all("tbody")[0].children.compactMap { row in
      row.children.last { $0.attributes["class"] == "track" }
    }
    let places = tracks.flatMap { $0.all("circle") }.compactMap {
      $0.attributes["cx"].flatMap { Double($0.dropLast()) }
    }.sorted()
    let expected = side.summary.cells.filter { $0.status == .ok }
      .compactMap { $0.metrics["main_blocked_ms"] }.map { $0 / upper * 100 }.sorted()
    #expect(places.count == 32)
    #expect(zip(places, expected).filter { abs($0 - $1) > 0.0051 }.isEmpty)
  }

  @Test func `answers to the user's questions have a figure with a dot for each trial`() throws {
    let asked = SampleSummaries.cells("main-only", 400).with {
      $0.metrics[.answerMax] = 20 + Double($0.trial)
      $0.metrics[.answerMedian] = 4
    }
    let cells = asked + SampleSummaries.cells("parent-child", 500)
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells)).html)
    #expect(page.all("h3").map(\.text).contains("Answers to the user’s questions"))
    let body = try #require(page.named("s1-answers-table")).all("tbody")[0]
    #expect(body.numbers == [24.5, 4])
    #expect(body.all("circle").count == asked.count)
    let words = body.all("svg").compactMap { $0.attributes["aria-label"] }
    #expect(words == ["8 trials from 21.0 to 28.0 ms"])
  }

  private func withGaps(_ gap: Double) -> [CellResult] {
    SampleSummaries.cells("main-only", 400).map(SamplePages.withTaps).with {
      $0.metrics["main_longest_gap_ms"] = gap
      $0.metrics[label: .longestGapCause] = "merge"
    }
  }

  @Test(
    arguments: [
      (16.7, ""), (16.8, "▲ frame"), (99, "▲ frame"), (101, "▲ noticed"), (292, "▲ hang"),
    ])
  func `a gap beyond a limit has a sign and a word, not a colour alone`(
    gap: Double, words: String
  ) throws {
    let page = try ParsedPage.of(ReportPage(SamplePages.side(withGaps(gap))).html)
    for table in ["s1-board", "s1-tap-table"] {
      let cells = try #require(page.named(table)).all("tbody")[0].all("td")
      let marked = cells.filter { $0.attributes["class"] == "words over" }.map(\.text)
      #expect(marked == (words.isEmpty ? [] : [words]))
      #expect(cells.contains { $0.attributes["class"] == "over" } == !words.isEmpty)
    }
  }

  @Test func `a gap just over a limit has the digits that show it`() throws {
    let page = try ParsedPage.of(ReportPage(SamplePages.side(withGaps(16.72))).html)
    for table in ["s1-board", "s1-tap-table"] {
      let figures = try #require(page.named(table)).all("data")
      #expect(figures.contains { $0.text == "16.72" }, "\(table)")
    }
    let board = try #require(page.named("s1-board"))
    #expect(board.all("title").map(\.text).contains("trial 1: 16.72 ms"))
    let words = board.all("svg").compactMap { $0.attributes["aria-label"] }
    #expect(words.contains("8 trials from 16.72 to 16.72 ms"), "\(words)")
  }

  @Test func `the longest gap is one figure on the whole page`() throws {
    var cells = withGaps(5)
    cells[0].metrics["main_longest_gap_ms"] = 90
    cells[0].metrics[label: .longestGapCause] = "heartbeat"
    for index in 1..<4 { cells[index].metrics["main_longest_gap_ms"] = 4 }
    for index in cells.indices { cells[index].metrics["tap_max_ms"] = 6 }
    let side = SamplePages.side(cells)
    let gap = try #require(side.summary.sections[0].topologies[0].longestGap?.median)
    let page = try ParsedPage.of(ReportPage(side).html)
    let board = try #require(page.named("s1-board")).all("tbody")[0].numbers
    #expect(board.first == gap && page.named("s1-tap-table")?.numbers.last == gap)
    #expect(page.named("s1-timeline-table")?.numbers == [])
    let titles = try #require(page.named("s1-tap-table")).all("title").map(\.text)
    #expect(titles.last == "all within \(Figures.milliseconds(gap))")
  }

  @Test func `a gap that the instrument caused in every trial is no figure of a chart`() throws {
    let cells = withGaps(8.52).with {
      $0.metrics[label: .longestGapCause] = "harness"
      $0.metrics["tap_max_ms"] = 8.52
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells)).html)
    for table in ["s1-board", "s1-tap-table"] {
      let text = try #require(page.named(table)).text
      #expect(!text.contains("8.52"), "\(text)")
    }
  }

  @Test func `a topology that freezes has no late frames, and no grade of them`() throws {
    let frozen = withGaps(292).with {
      ($0.metrics[.framesDue], $0.metrics[.framesLate]) = (1, 0)
      ($0.metrics[.hitch], $0.metrics[.hitchRate]) = (0.272, 0.272)
    }
    let late = SampleSummaries.cells("parent-child", 500).map(SamplePages.withTaps)
    let page = try ParsedPage.of(ReportPage(SamplePages.side(frozen + late)).html)
    let table = try #require(page.named("s1-frames-table"))
    let row = try #require(table.all("tr").first { $0.text.contains("main-only") })
    #expect(row.numbers.contains(0.272) && !row.numbers.contains(0), "\(row.text)")
    #expect(!table.text.contains("good"))
  }

  @Test func `a timeline colours gaps by their cause, on one axis for all`() throws {
    let page = try ParsedPage.of(ReportPage(SamplePages.four).html)
    let timeline = try #require(page.named("s1-timeline-table"))
    let paths = timeline.all("path").filter { $0.attributes["class"] == "use-merging" }
    // 480 columns of 60 ms: from 10 to 30 ms.
    #expect(paths.first?.attributes["d"] == "M80 0h160v20H80z")
    #expect(paths.first?.text == "merging and updating the list: 1 gap, 20.0 ms")
    let words = timeline.all("svg").compactMap { $0.attributes["aria-label"] }
    let strip = """
      merging and updating the list: 1 gap, 20.0 ms; waiting for a parent's queue: 1 gap, 5.00 ms
      """
    #expect(words == Array(repeating: strip, count: 4))
  }
}
