import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct ComparisonPageTests {
  private func sides(slower: Double) -> (PageSide, PageSide, Comparison) {
    let sides = [("r1", 1.0), ("r2", slower)].map { run, factor in
      SampleComparisons.report(run, "main-only", blocked: 20 * factor)
        + SampleComparisons.report(run, "parent-child", blocked: 10)
    }
    let comparison = SampleComparisons.comparison(
      sides[0], sides[1], metrics: Comparison.defaultMetrics)
    return (SamplePages.side(sides[0]), SamplePages.side(sides[1]), comparison)
  }

  @Test func `a sentence on counts that vary names the side of each topology`() throws {
    let varying = ["r1", "r2"].map { run in
      SampleComparisons.report(run, "main-only", blocked: 20).with {
        $0.metrics["main_commits"] = Double($0.trial)
      } + SampleComparisons.report(run, "parent-child", blocked: 10)
    }
    let (baseline, candidate) = (SamplePages.side(varying[0]), SamplePages.side(varying[1]))
    let comparison = SampleComparisons.comparison(varying[0], varying[1])
    let page = try ParsedPage.of(
      ReportPage(baseline: baseline, candidate: candidate, comparison: comparison).html)
    let count = Metric.mainCommits.meaning
    #expect(
      page.text.contains(
        "in main-only of the baseline (\(count)), main-only of the candidate (\(count))."))
  }

  @Test func `a comparison has both sides and the changes`() throws {
    let (baseline, candidate, comparison) = sides(slower: 1.3)
    let html = ReportPage(baseline: baseline, candidate: candidate, comparison: comparison).html
    let page = try ParsedPage.of(html)
    let names = try #require(page.named("s1-blocked-table")).all("tbody")[0].children
      .map { $0.children[0].text }
    #expect(
      names == [
        "main-only, baseline", "main-only, candidate", "parent-child, baseline",
        "parent-child, candidate",
      ])
    #expect(page.text.contains(Phrases.long(comparison.conclusion)))
    let change = try #require(
      page.named("s1-change-table")?.all("tr").first { $0.text.contains("main_blocked_ms") })
    #expect(change.children.contains { $0.text == "worse" })
    #expect(change.text.contains("+30 %"))
    let chart = try #require(page.named("s1-change-chart"))
    #expect(chart.all("circle").map { $0.attributes["class"] } == ["dot bad", "dot"])
    let dots = try #require(page.named("s1-board")).all("circle")
    #expect(dots.filter { $0.attributes["class"] == "dot hollow" }.count * 2 == dots.count)
    // Ranks hold for one side, so there is no column of them.
    #expect(page.all("th").allSatisfy { !$0.text.isEmpty })
  }

  @Test func `a comparison of counted cells shows their figures and no advice about times`() throws
  {
    let sides = [("r1", 40e6), ("r2", 50e6)].map { run, instructions in
      SampleComparisons.report(run, "main-only", blocked: 20)[..<1].map { cell in
        cell.with {
          $0.metrics = MetricValues()
          $0.isCounted = true
          $0.metrics[.mainInstructions] = instructions
        }
      }
    }
    let comparison = SampleComparisons.comparison(
      sides[0], sides[1], metrics: Comparison.defaultMetrics)
    let page = try ParsedPage.of(
      ReportPage(
        baseline: SamplePages.side(sides[0], windows: false),
        candidate: SamplePages.side(sides[1], windows: false), comparison: comparison
      ).html)
    #expect(page.all("h1")[0].text.hasPrefix("Main executes more instructions with main-only"))
    #expect(page.all("td").contains { $0.text == "worse" })
    #expect(!page.text.contains("Nothing was measured"))
    #expect(!page.text.contains("too few to judge times"))
  }

  @Test func `cells without a partner are named`() throws {
    let (baseline, candidate, _) = sides(slower: 1)
    let only = baseline.summary.cells.filter { $0.topology == "main-only" }
    let comparison = SampleComparisons.comparison(
      only, candidate.summary.cells, metrics: Comparison.defaultMetrics)
    let page = ReportPage(
      baseline: SamplePages.side(only), candidate: candidate, comparison: comparison)
    let text = try ParsedPage.of(page.html).text
    #expect(text.contains("Only in the candidate, not compared: parent-child"))
    #expect(text.contains("main-only, candidate") && !text.contains("parent-child, candidate"))
  }

  @Test func `the page says that two sides have nothing in common`() throws {
    let (baseline, candidate, _) = sides(slower: 1)
    let comparison = SampleComparisons.comparison(
      baseline.summary.cells, [], metrics: Comparison.defaultMetrics)
    let page = ReportPage(baseline: baseline, candidate: candidate, comparison: comparison)
    #expect(try ParsedPage.of(page.html).text.contains("Nothing was compared."))
  }
}
