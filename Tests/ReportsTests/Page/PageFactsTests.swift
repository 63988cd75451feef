import Judging
import Measurement
import Testing

@testable import Reports

/// A figure that a page shows twice has one value, and no sentence denies a figure beside it.
@Suite struct PageFactsTests {
  @Test func `a sync has the time of the cells, and the reading before the run another name`()
    throws
  {
    let environment = #"{"sync_ms": 2.83, "other_machines": [{"sync_ms": 1.5}]}"#
    let side = SamplePages.side(SampleSummaries.four().cells, environment: environment)
    let text = try ParsedPage.of(ReportPage(side).html).text
    #expect(text.contains("A sync took 0.210 ms"))
    #expect(text.contains(#""sync_before_run_ms": 2.83"#))
    #expect(text.contains(#"{"sync_before_run_ms": 1.5}"#))
    #expect(!text.contains(#""sync_ms""#))
  }

  @Test(arguments: [
    (#"{"diagnoses": [], "steal_percent": 2.5, "build": "debug"}"#, true),
    (#"{"diagnoses": [{"what": "this is a debug build"}]}"#, false), ("{}", false),
  ])
  func `only what was checked before the run is said not to be doubtful`(
    environment: String, isSaid: Bool
  ) throws {
    let side = SamplePages.side(SampleSummaries.four().cells, environment: environment)
    let text = try ParsedPage.of(ReportPage(side).html).text
    #expect(text.contains("The check before the run found nothing doubtful.") == isSaid)
    #expect(!text.contains("nothing that makes the machine doubtful"))
  }

  @Test func `a page says which counts may vary, and which vary for no known reason`() throws {
    let varying = [("refetch", 0), ("main-only", 1)].flatMap { name, extra in
      SampleSummaries.cells(name, 10).with { cell in
        cell.metrics["main_rows_read"] = Double(100 + cell.trial)
        cell.metrics["main_commits"] = Double(8 + extra * cell.trial)
      }
    }
    let text = try ParsedPage.of(ReportPage(SamplePages.side(varying)).html).text
    #expect(
      text.contains(
        "Trials may differ in refetch, because a fetch of the"))
    #expect(
      text.contains(
        "Trials disagree for no known reason in main-only (\(Metric.mainCommits.meaning) and "
          + "\(Metric.mainRowsRead.meaning))."))
    let steady = try ParsedPage.of(ReportPage(SamplePages.four).html).text
    #expect(steady.contains("All trials agree: the machine’s speed does not change these."))
    #expect(!text.contains("speed does not change these"))
  }

  @Test func `a range of counts on a page has whole ends`() throws {
    let cells = SampleSummaries.cells("refetch", 10).with { cell in
      cell.metrics["main_rows_read"] = Double(221_018) + Double(cell.trial) / 2
    }
    let page = try ParsedPage.of(ReportPage(SamplePages.side(cells)).html)
    let table = try #require(page.named("s1-counts-table"))
    #expect(table.numbers == [221_018, 221_022])
  }

  @Test func `a comparison says why counts vary, if a reason is known`() throws {
    func cells(_ run: String, _ statements: Double) -> [CellResult] {
      ["refetch", "main-only"].flatMap { name in
        SampleSummaries.cells(name, 10).with { cell in
          cell.runID = run
          cell.metrics["main_statements"] = statements + Double(cell.trial)
        }
      }
    }
    let comparison = SampleComparisons.comparison(cells("r1", 100), cells("r2", 102))
    let notes = ComparisonReport.notes([comparison])
    #expect(
      notes.contains {
        $0.hasPrefix(
          "Counts of refetch differ within the baseline: main_statements, because a fetch")
      }, "\(notes)")
    #expect(
      notes.contains(
        "Counts of main-only differ within the baseline: main_statements."), "\(notes)")
  }
}
