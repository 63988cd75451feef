import Judging
import Measurement
import Testing

@testable import Reports

// Counts on main, at the core's own costs of 0.199 µs a push-up and 0.292 µs a merged object:
//
//   root    300 push-ups
//   merge   100 merged objects, which may cost 3 push-ups each until root has less

@Suite struct PriceSentencesTests {
  private static func cells(store: String = "pool", priced: Double? = nil) -> [CellResult] {
    let root = counted("root", 20, ["main_objects_copied": 300])
    let merge = counted("merge", 10, ["main_objects_refreshed": 100])
    return (root + merge).with {
      $0.store = store
      $0.metrics["main_priced_ms"] = priced
    }
  }

  private static func counted(
    _ topology: String, _ blocked: Double, _ counts: [String: Double]
  ) -> [CellResult] {
    SampleSummaries.cells(topology, blocked).with {
      for metric in Metrics.exactCounts { $0.metrics[metric.name] = counts[metric.name] ?? 0 }
    }
  }

  private static let command = "scripts/lab sensitivity says at which prices an order turns."

  @Test func `the last sentence of one section is the range in which its order stays`() {
    let text = Sentences.limits(Summary(cells: Self.cells()).sections)
    #expect(
      text.hasSuffix(
        """
        the order is merge and root. It stays while a merged object costs less than 3.00 times a \
        push-up (here 1.47), one price changed at a time. A push-up copies an object to the parent \
        context; `scripts/lab sensitivity` shows more. Prices cannot tell batch inserts, single \
        lookups, commits, prefetching, or GRDB against Core Data.
        """), "\(text)")
  }

  @Test func `an order by prices that the trials contradict is not said`() {
    let root = Self.counted("root", 5, ["main_objects_copied": 300])
    let merge = Self.counted("merge", 10, ["main_objects_refreshed": 100])
    let text = Sentences.limits(Summary(cells: root + merge).sections)
    #expect(text.hasSuffix(Self.command), "\(text)")
  }

  @Test func `an order of some topologies says so`() {
    let text = Sentences.limits(
      Summary(cells: Self.cells() + SampleSummaries.cells("grdb", 5)).sections)
    #expect(text.contains("the order of 2 of 3 topologies is merge and root."), "\(text)")
  }

  @Test func `topologies with equal counts are equal, and are no order`() {
    let other = Self.counted("other", 12, ["main_objects_refreshed": 100])
    let text = Sentences.limits(Summary(cells: Self.cells() + other).sections)
    #expect(text.contains("is merge, other and root (merge and other are equal)."), "\(text)")
    let equal = Self.cells().filter { $0.topology == "merge" } + other
    let sentence = Sentences.limits(Summary(cells: equal).sections)
    #expect(sentence.contains("costs, merge and other are equal at any price."), "\(sentence)")
    #expect(!sentence.contains("order is") && !sentence.contains("push-up"), "\(sentence)")
  }

  @Test func `several sections, prices of a device and missing counts name the command`() {
    for cells in [
      Self.cells() + Self.cells(store: "serial"), Self.cells(priced: 5),
      SampleSummaries.four().cells,
    ] {
      let text = Sentences.limits(Summary(cells: cells).sections)
      #expect(text.hasSuffix(Self.command), "\(text)")
    }
  }

  @Test func `an answer about another phase says nothing of prices`() {
    for phase in ["open", "scroll"] {
      let cells = Self.cells().with { $0.metrics[label: .asksAbout] = phase }
      let text = Sentences.limits(Summary(cells: cells).sections)
      #expect(text.contains("Not validated") && !text.contains("price"), "\(text)")
      // The command prices the other section.
      let both = Sentences.limits(Summary(cells: cells + Self.cells(store: "serial")).sections)
      #expect(both.hasSuffix(Self.command), "\(both)")
    }
  }

  @Test func `a range has the nearest turns below and above`() {
    let ranges = SensitivityAnswerTests.answer.stableRanges
    #expect(
      Set(ranges.map { "\($0.event): \(Sentences.bounds($0))" }) == [
        "refresh: 0.400 to 3.00", "commit: less than 10.0",
      ])
  }

  @Test func `the page draws the range`() throws {
    let html = ReportPage(SamplePages.side(Self.cells(), windows: false)).html
    let page = try ParsedPage.of(html)
    let chart = try #require(page.named("s1-prices-chart"))
    #expect(chart.numbers == [1.467337, 3])
    let drawing = chart.all("svg").first { $0.attributes["role"] == "img" }
    #expect(drawing?.attributes["aria-label"] == "the order stays at less than 3.00 push-ups")
    #expect(!ReportPage(SamplePages.four).html.contains("s1-prices-chart"))
  }
}
