import Judging
import Measurement
import Testing

@testable import Reports
@testable import topobench_lab

struct FindingsPageTests {
  private static let advice = [
    Advice(
      "Import in a child.", scenario: "5000-cities", recommends: "parent-child",
      over: "notification-merge"),
    Advice("Fetch again.", scenario: "gone", recommends: "refetch", over: "notification-merge"),
  ]

  static func findings(_ cells: [CellResult] = SampleSummaries.four().cells) -> Findings {
    Findings(
      [
        Findings.Report(
          file: "5000-cities.csv", machine: "a machine, 2 cores",
          questions: ["5000-cities": "How long?"], cells: cells)
      ], advice: advice)
  }

  @Test func `a page has the advice, and a line with the conclusion of each scenario`() throws {
    let page = try FindingsPage(Self.findings()).render(as: .markdown)
    for text in [
      "# Findings",
      "33 cells, 32 ok. Figures are medians over trials, longest gaps without those that topobench"
        + " caused.\n",
      "Measured on: a machine, 2 cores.",
      "5000-cities (4 topologies): No topology freezes the screen; notification-merge blocks main"
        + " least, 12.4 ms (others up to 61.5 ms). Rows: [5000-cities.csv]"
        + "(../../results/full/5000-cities.csv), [all topologies](../Reference/Topologies.md)\n",
      "2 pieces of advice: 1 is contradicted here; 1 is not measured.",
      "| Import in a child. | 5000-cities | parent-child 45.3 ms, notification-merge 12.4 ms | contradicted |",
      "| Fetch again. | gone | – | not measured |",
    ] {
      #expect(page.contains(text), "\(text)\n\(page)")
    }
  }

  @Test func `a swept scenario has a line of its sweeps`() throws {
    let cells = [0, 9].flatMap { value in
      SampleSummaries.cells("a", 10 + Double(value)).with {
        $0.parameters = #"{"drawing.delta_us":\#(value)}"#
        $0.metrics["main_ui_ms"] = Double(value)
      }
    }
    let page = try FindingsPage(Self.findings(cells)).render(as: .markdown)
    #expect(
      page.contains("drawing.delta\\_us: there is no second topology to compare."), "\(page)")
    #expect(page.contains("5000-cities (1 topology): "), "\(page)")
  }

  @Test func `the page opens with the settings in which a gap passes a frame, the worst first`() {
    let cells = [("a", 17.0, 20.0), ("b", 16.0, 251.0)].flatMap { name, small, large in
      [(1, small), (2, large)].flatMap { saves, gap in
        SampleSummaries.cells(name, 10).with {
          $0.parameters = #"{"changes.per_save":\#(saves)}"#
          $0.metrics[Metric.mainLongestGap.name] = gap
        }
      }
    }
    let page = FindingsPage(Self.findings(cells)).markdown
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| 5000-cities, changes") }
    #expect(
      page.contains("In 0 of 2 settings no longest gap of a topology measured there passes"),
      "\(page)")
    #expect(
      rows == [
        #"| 5000-cities, changes.per\_save 2 | change | b 251 (hang), a 20.0 | – |"#,
        #"| 5000-cities, changes.per\_save 1 | change | a 17.0 | b |"#,
      ])
  }

  @Test func `a gap just over a frame has the digits that show it`() {
    let cells = SampleSummaries.cells("a", 10).with { $0.metrics[.mainLongestGap] = 16.746 }
    let page = FindingsPage(Self.findings(cells)).markdown
    #expect(page.contains("| 5000-cities | change | a 16.75 | – |"), "\(page)")
  }

  @Test func `a setting in which a gap passes a frame names its phase`() {
    let cells = SampleSummaries.cells("a", 10).with {
      $0.metrics[label: .asksAbout] = "open"
      $0.metrics[Metric.openLongestGap.name] = 40
    }
    let page = FindingsPage(Self.findings(cells)).markdown
    #expect(page.contains("| 5000-cities | open | a 40.0 | – |"), "\(page)")
  }

  @Test func `the numbers of judged and unjudged advice add up to all of it`() {
    let findings = Self.findings(SampleSummaries.four().cells.filter { $0.trial < 4 })
    #expect(
      FindingsPage.conclusion(findings) == "2 pieces of advice: "
        + "1 is not judged, because the trials are too few; 1 is not measured.")
  }

  @Test func `a topology whose longest gaps the instrument causes is listed within a frame`() {
    let cells = ["merge", "harness"].flatMap { cause in
      SampleSummaries.cells(cause, 80).with {
        $0.metrics[Metric.mainLongestGap.name] = cause == "merge" ? 20 : 4
        $0.metrics[label: .longestGapCause] = cause
      }
    }
    let page = FindingsPage(Self.findings(cells)).markdown
    #expect(page.contains("| 5000-cities | change | merge 20.0 | harness |"), "\(page)")
  }

  @Test func `every common advice names a sentence of its own`() {
    let sentences = CommonAdvice.all.map(\.says)
    #expect(Set(sentences).count == sentences.count)
    #expect(sentences.allSatisfy { $0.hasSuffix(".") })
  }
}
