import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct ComparisonPhrasesTests {
  private func comparison(
    blocked: Double = 20, gapBefore: Double = 5, gap: Double = 5, raw: Double = 10,
    statements: Double = 120
  ) -> Comparison {
    func report(_ run: String, _ blocked: Double, _ gap: Double, _ raw: Double, _ count: Double)
      -> [CellResult]
    {
      SampleComparisons.report(run, "main-only", blocked: blocked, statements: count).with {
        $0.metrics[.mainLongestGap] = gap
        $0.metrics[.rawSQLite] = raw
      }
    }
    return SampleComparisons.comparison(
      report("old", 20, gapBefore, 10, 120), report("new", blocked, gap, raw, statements),
      metrics: [.mainBlocked, .mainLongestGap, .mainStatements])
  }

  @Test func `a freeze is named before blocked time`() {
    let conclusion = comparison(blocked: 30, gap: 300, statements: 124).conclusion
    #expect(
      Phrases.short(conclusion)
        == "A hang begins with main-only (5.00 → 300 ms); main is blocked longer with main-only "
        + "(+50 %); 1 exact count is worse")
    #expect(
      Phrases.long(conclusion)
        == "A hang begins with main-only (5.00 → 300 ms). Main is blocked longer with main-only "
        + "(20.1 → 30.2 ms, +50 %). 1 exact count is worse: main_statements +4 with main-only. "
        + "0 of 3 figures are the same.")
  }

  @Test func `on a slower machine the first clause says so, and no time is worse`() {
    let slower = comparison(blocked: 38.2, gap: 9.5, raw: 18.1)
    let doubt = "Times are not judged, because the machine's speed changed: SQLite alone took 1.81"
    #expect(Phrases.short(slower.conclusion).hasPrefix(doubt))
    #expect(
      Phrases.short(slower.conclusion)
        .hasSuffix("; no median gap crosses a limit; exact counts are the same"))
    let text = ComparisonReportTests.text(slower, width: 80)
    for told in [text, Phrases.long(slower.conclusion)] {
      #expect(!told.contains("worse") && !told.contains("longer with"), "\(told)")
    }
    #expect(text.contains("+91 %  inconclusive"))
    // The note below would repeat the conclusion.
    #expect(text.ranges(of: "speed changed").count == 1, "\(text)")
  }

  @Test func `a longer gap on a slower machine begins no freeze, and is not in the headline`() {
    let slower = comparison(gap: 300, raw: 18.1).conclusion
    let headline = Phrases.short(slower)
    #expect(!headline.contains("gap") && !headline.contains("begins"), "\(headline)")
    #expect(
      Phrases.long(slower).contains(
        ". The median gap crosses a limit, but is not judged to differ, with main-only "
          + "(5.00 → 300 ms, inconclusive). "))
  }

  @Test func `a freeze begins or ends only if the gap is worse or better`() {
    let crossing =
      "he median gap crosses a limit, but is not judged to differ, with main-only "
      + "(16.6 → 16.8 ms, same)"
    let same = comparison(gapBefore: 16.6, gap: 16.8).conclusion
    #expect(Phrases.short(same) == "All 3 figures are the same; t\(crossing)")
    #expect(Phrases.long(same) == "All 3 figures are the same. T\(crossing).")
    let blocked = comparison(blocked: 30, gapBefore: 16.6, gap: 16.8).conclusion
    #expect(Phrases.short(blocked).hasPrefix("T\(crossing); main is blocked longer with main-only"))
    #expect(Phrases.long(blocked).hasSuffix(" 2 of 3 figures are the same."))
  }

  @Test func `a gap just beyond a limit has the digits that show it`() {
    let slower = comparison(gap: 16.72)
    #expect(
      Phrases.short(slower.conclusion).hasPrefix(
        "A freeze for more than a frame begins with main-only (5.00 → 16.72 ms)"))
    #expect(ComparisonReportTests.text(slower, width: 100).contains(" 16.72 "))
  }

  @Test func `a short form over several settings counts them`() {
    func sweep(_ run: String, _ last: Double) -> [CellResult] {
      (1...3).flatMap { value in
        SampleComparisons.report(run, "main-only", blocked: value == 1 ? 40 : last).with {
          $0.parameters = #"{"n":\#(value)}"#
        }
      }
    }
    let slower = SampleComparisons.comparison(
      sweep("old", 40), sweep("new", 60), metrics: [.mainBlocked])
    #expect(
      Phrases.short(slower.conclusion) == "Main is blocked longer with main-only in 2 settings")
    #expect(
      Phrases.long(slower.conclusion).contains(
        "main-only (40.2 → 60.3 ms, +50 %) in 5000-cities, pool store, n 2; main-only (40.2"))
  }

  @Test func `where no figure changed and some are undecided, the short form counts them`() {
    func report(_ run: String) -> [CellResult] {
      SampleComparisons.report(run, "main-only", blocked: 40).with {
        $0.metrics[.mainCommits] = Double($0.trial % (run == "new" ? 3 : 2))
      }
    }
    let counts = SampleComparisons.comparison(
      report("old"), report("new"), metrics: [.mainStatements, .mainCommits])
    #expect(Phrases.short(counts.conclusion) == "1 of 2 figures is the same, 1 is inconclusive")
  }

  @Test func `equal reports are one sentence`() {
    #expect(Phrases.long(comparison().conclusion) == "All 3 figures are the same.")
  }
}
