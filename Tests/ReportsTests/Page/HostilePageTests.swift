import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

@Suite("Names in a report are shown as text") struct HostilePageTests {
  private static let names = [
    "<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>", "</style></title>]]>&amp;&#0;",
    "a\u{202E}b\u{2066}c", "nul\u{0}bell\u{7}esc\u{1B}[31m", "\u{FFFE}\u{FFFF}\u{FEFF}",
    String(repeating: "x", count: 10_000), String(repeating: "wide 語 ", count: 2_000), "שלום عربي",
    "", "\n\t\r",
  ]

  private func page(_ hostile: String) throws -> (page: ParsedPage.Element, html: String) {
    let cells = SampleSummaries.cells("main-only", 20).map(SamplePages.withTaps).with {
      ($0.runID, $0.startedAt, $0.gitSHA) = (hostile, hostile, hostile)
      ($0.label, $0.hostID, $0.scenario) = (hostile, hostile, hostile)
      ($0.parameters, $0.topology, $0.store) = (hostile, hostile, hostile)
      $0.metrics[label: .longestGapCause] = hostile
      if $0.trial == 8 { ($0.status, $0.error) = (.crashed, hostile) }
    }
    var side = PageSide(
      files: [(name: hostile, environment: try JSONEncoder().encode(["cpu": hostile]))],
      cells: cells, questions: [hostile: hostile])
    var window = SamplePages.window()
    window.gaps[0].cause = hostile
    for cell in side.shownCells { side.timelines[CellKey(cell)] = .known(window) }
    let comparison = SampleComparisons.comparison(
      cells, cells, metrics: Comparison.defaultMetrics, files: (hostile, hostile))
    let html = ReportPage(side).html
    _ = try ParsedPage.of(ReportPage(baseline: side, candidate: side, comparison: comparison).html)
    return (try ParsedPage.of(html), html)
  }

  /// Names must change no elements and attributes.
  private func skeleton(_ page: ParsedPage.Element) -> [String] {
    page.all.map { "\($0.name) \($0.attributes.keys.sorted())" }
  }

  @Test(arguments: names) func `text in a page has no markup of its own`(hostile: String) throws {
    let (page, html) = try page(hostile)
    let (harmless, _) = try self.page("harmless")
    #expect(skeleton(page) == skeleton(harmless))
    #expect(page.all("script").isEmpty)
    let isSeen = html.unicodeScalars.allSatisfy { !$0.isInvisible || $0 == "\n" }
    #expect(isSeen)
    #expect(html.utf8.count < 300_000)
  }

  @Test func `markup in a name is shown as text`() throws {
    let (page, _) = try page("<b>\"&'")
    #expect(page.all("h1").first?.text.contains("with <b>\"&'; <b>\"&' blocks main for") == true)
    #expect(page.all("article").first?.attributes["data-scenario"] == "<b>\"&'")
    let turned = try self.page("a\u{202E}b").page
    #expect(turned.all("h1").first?.text.contains("a\\u{202E}b blocks") == true)
  }
}
