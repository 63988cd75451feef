import Support
import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct ComparisonReportTests {
  static func text(
    _ comparison: Comparison, width: Int?, listing: ComparisonReport.Listing = .changes,
    utf8: Bool = true
  ) -> String {
    DocumentFormat.table.render(
      ComparisonReport.document([comparison], listing),
      TextStyle(width: width, isUTF8: utf8))
  }

  static func markdown(
    _ comparison: Comparison, listing: ComparisonReport.Listing = .changes
  ) -> String {
    DocumentFormat.markdown.render(
      ComparisonReport.document([comparison], listing),
      TextStyle())
  }

  @Test func `a comparison on a terminal of 80 columns`() {
    let expected = """
      Baseline: old.csv; 38 cells, all ok; commit 0a1b2c3d4e5f.
      Candidate: new.csv; 47 cells, 46 ok; commit f0e1d2c3b4a5.
      Unpaired: one machine, at two times. A change of the machine looks like one of
      the program.

      5000-cities, pool store; 8 trials a side

        metric           baseline  candidate  change  verdict        95 % interval
                                                                     of all trials
      ────────────────────────────────────────────────────────────────────────────
      root-main-private
        main_blocked_ms      12.1       15.3   +27 %  worse           +23 to +31 %
        total_ms             53.1       56.3  +6.1 %  worse         +5.3 to +6.9 %
        main_statements       120        124      +4  worse                  exact
      notification-merge
        main_blocked_ms      6.53       4.12   -37 %  better          -39 to -35 %
        total_ms             47.5       45.1  -5.1 %  better        -5.4 to -4.7 %
      parent-child
        main_blocked_ms      30.2       32.6  +8.0 %  inconclusive    -16 to +32 %
        frames_late             1          1     0 %  inconclusive     0 to +100 %
        total_ms             71.2       73.6  +3.4 %  inconclusive   -6.9 to +14 %

      Main is blocked longer with root-main-private (12.1 → 15.3 ms, +27 %). Main is
      blocked for a shorter time with notification-merge (6.53 → 4.12 ms, -37 %). The
      metric total_ms is worse with root-main-private (53.1 → 56.3 ms, +6.1 %). The
      metric total_ms is better with notification-merge (47.5 → 45.1 ms, -5.1 %).
      Blocked time is inconclusive with parent-child. 1 exact count is worse:
      main_statements +4 with root-main-private. 12 of 20 figures are the same, 3 are
      inconclusive.

      - Another scenario of the same name, not compared: import has the digest
        111111111111 in the baseline and 222222222222 in the candidate. Measure both
        with one version of its file and data.
      - Only in the candidate, not compared: mine of 5000-cities, pool store (8
        cells).
      - Left out of the candidate: 1 cell of main-only, 5000-cities, pool store:
        crashed (the first: ended by signal 11).
      - The governor is powersave (set it to performance).
      - About 291 trials a side would decide more of main_blocked_ms.
      """
    #expect(Self.text(SampleComparisons.sample(), width: 80) == expected + "\n")
  }

  @Test func `a table shows the estimate of requested metrics`() {
    let lines = Self.text(SampleComparisons.sample(), width: 120, listing: .everything)
      .split(separator: "\n")
    let row = """
        main_blocked_ms      12.1       15.3   +27 %  worse            +27 % (+23 to +31 %)      11.6–12.6      14.7–16.0
      """
    #expect(lines.contains { $0 == row })
    #expect(lines.count { $0.contains("total_ms  ") } == 4)
    #expect(lines.allSatisfy { $0.count <= 120 })
  }

  @Test func `a report compared with itself is the same, and lists nothing`() {
    let expected = """
      Baseline: old.csv; 38 cells, all ok; commit 0a1b2c3d4e5f.
      Candidate: new.csv; 38 cells, all ok; commit 0a1b2c3d4e5f.
      Unpaired: one machine, at two times. A change of the machine looks like one of the program.

      All 25 figures are the same.

      - Both sides hold rows of the same run: old (compare different runs).
      """
    #expect(Self.text(SampleComparisons.same(), width: 100) == expected + "\n")
  }

  @Test(arguments: Side.allCases)
  func `a counted side and a timed one are named as such`(side: Side) {
    let timed = SampleComparisons.report("old", "a", blocked: 10)
    func counted(_ topology: String) -> [CellResult] {
      SampleComparisons.report("new", topology, blocked: 10).with { $0.isCounted = true }
    }
    let other = counted("a")
    let isFirst = side == .baseline
    let mixed = SampleComparisons.comparison(isFirst ? other : timed, isFirst ? timed : other)
    #expect(
      Self.text(mixed, width: nil).hasSuffix(
        """

        Nothing was compared.

        - The \(side) is counted and the \(side.other) timed, so no cell was compared: measure both with
          --count, or both without it.

        """))
    let apart = SampleComparisons.comparison(counted("b"), timed)
    #expect(Self.text(apart, width: nil).contains("Only in the baseline, not compared: b of "))
    let common = SampleComparisons.comparison(timed + counted("b"), timed)
    #expect(Self.text(common, width: nil).contains("Only in the baseline, not compared: b of "))
  }

  @Test func `unchanged sections of a sweep are not listed`() {
    func sweep(_ run: String, _ last: Double) -> [CellResult] {
      (1...6).flatMap { value in
        SampleComparisons.report(run, "main-only", blocked: value == 6 ? last : 40).with {
          $0.parameters = #"{"n":\#(value)}"#
        }
      }
    }
    let shown = Self.text(
      SampleComparisons.comparison(sweep("old", 40), sweep("new", 60)), width: 120)
    #expect(shown.contains("\n5000-cities, pool store, n 6; 8 trials a side\n"), "\(shown)")
    #expect(!shown.contains("{\"n\":4}"))
    let flat = shown.replacing("\n", with: " ")
    #expect(
      flat.contains(
        "blocked longer with main-only (40.2 → 60.3 ms, +50 %) in 5000-cities, pool store, n 6."),
      "\(shown)")
    #expect(flat.contains("27 of 30 figures are the same."), "\(shown)")
  }

  @Test(arguments: [60, 72, 80, 100, 120])
  func `no line is wider than the page`(width: Int) {
    let lines = Self.text(SampleComparisons.sample(), width: width).split(separator: "\n")
    #expect(lines.filter { $0.count > width } == [])
  }

  @Test func `pairing is labelled`() {
    let (baseline, candidate) = SampleComparisons.sides()
    func line(_ host: String) -> String {
      let comparison = SampleComparisons.comparison(baseline, candidate.with { $0.hostID = host })
      return String(Self.text(comparison, width: 200).split(separator: "\n")[2])
    }
    #expect(line("h1").hasPrefix("Unpaired: one machine, at two times."))
    #expect(line("h2").hasPrefix("Unpaired, from different machines"))
    #expect(line("").hasPrefix("Unpaired: the reports do not name their machine."))
  }

  @Test func `with too few trials, blocked time stands for all metrics`() {
    let (baseline, candidate) = SampleComparisons.sides()
    func few(_ cells: [CellResult]) -> [CellResult] { cells.filter { $0.trial <= 3 } }
    let shown = Self.text(SampleComparisons.comparison(few(baseline), few(candidate)), width: 120)
    let rows = shown.split(separator: "\n").filter { $0.hasPrefix("  main_") }
    #expect(rows.count == 5, "\(shown)")
    #expect(rows.count { $0.hasPrefix("  main_statements") } == 1)
    #expect(shown.contains("The trials are too few to judge times: 3 a side, and 6 are the fewest"))
  }

  @Test func `where blocked time is decided, each undecided figure is listed`() {
    let baseline = SampleComparisons.report("old", "main-only", blocked: 20)
    let candidate = SampleComparisons.report("new", "main-only", blocked: 20)
      .filter { $0.trial <= 5 }
    func text(_ candidate: [CellResult]) -> String {
      Self.text(
        SampleComparisons.comparison(
          baseline, candidate, metrics: [.mainBlocked, .mainStatements]), width: 120)
    }
    #expect(text(candidate).contains("All 2 figures are the same"))
    let shown = text(candidate.with { $0.metrics[.mainStatements]! += Double($0.trial % 2) })
    #expect(shown.contains("Blocked time is the same. 1 of 2 figures is the same"), "\(shown)")
    let row = shown.split(separator: "\n").first { $0.hasPrefix("  main_statements") }
    #expect(row?.contains("inconclusive") == true, "\(shown)")
  }

  @Test func `each changed exact count is shown`() {
    func report(_ run: String, _ more: Double) -> [CellResult] {
      SampleComparisons.report(run, "main-only", blocked: 40).enumerated().map { index, cell in
        var cell = cell
        for count in Metrics.exactCounts { cell.metrics[count] = 100 + more }
        cell.metrics[.mainFaultsFired] = index == 7 ? 7 + more : 3
        return cell
      }
    }
    let comparison = SampleComparisons.comparison(
      report("old", 0), report("new", 4), metrics: Comparison.defaultMetrics)
    let shown = Self.text(comparison, width: 80).replacing("\n", with: " ")
    for count in Metrics.exactCounts where ![.mainFaultsFired, .mainStatements].contains(count) {
      #expect(shown.contains("\(count.name) 100 → 104 ("), "\(count.name): \(shown)")
    }
    #expect(shown.contains("main_faults_fired 3–7 → 3–11 (inconclusive)"), "\(shown)")
    #expect(shown.contains("  main_statements       100        104      +4  worse"), "\(shown)")
  }

  @Test func `counts that vary have no exact interval`() {
    func report(_ run: String) -> [CellResult] {
      SampleComparisons.report(run, "main-only", blocked: 40).with {
        $0.metrics[.mainStatements] = Double($0.trial % (run == "new" ? 3 : 2))
        $0.metrics[.mainCommits] = Double($0.trial % 2 + (run == "new" ? 1 : 0))
      }
    }
    let comparison = SampleComparisons.comparison(
      report("old"), report("new"), metrics: [.mainBlocked, .mainStatements, .mainCommits])
    let shown = Self.text(comparison, width: 100)
    let row = shown.split(separator: "\n").first { $0.hasPrefix("  main_statements") }
    #expect(row?.contains("inconclusive") == true && row?.hasSuffix("–") == true, "\(shown)")
    #expect(shown.contains("\nCounts of main-only: main_commits 0–1 → 1–2 (inconclusive)."))
  }

  @Test func `several candidates stand beside each other, with a line for each`() throws {
    let (baseline, worse) = SampleComparisons.sides()
    let same = baseline.with { $0.runID = "again" }
    let comparisons = [("b.csv", worse), ("c.csv", same)].map { file, cells in
      SampleComparisons.comparison(baseline, cells, files: ("a.csv", file))
    }
    let text = DocumentFormat.table.render(
      ComparisonReport.document(comparisons), TextStyle(width: 80))
    let heading = "  metric           baseline  b.csv  change  verdict       c.csv  change  verdict"
    #expect(text.contains("\n\(heading)\n"), "\(text)")
    let row = "  main_blocked_ms      12.1   15.3   +27 %  worse          12.1     0 %  same"
    #expect(text.contains("root-main-private\n\(row)\n"), "\(text)")
    #expect(
      text.contains("\nb.csv: Main is blocked longer with root-main-private (+27 %); main is"))
    #expect(text.contains("\nc.csv: All 25 figures are the same.\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    var csv = ""
    ComparisonReport.csv(comparisons) { csv += $0 }
    let rows = csv.split(separator: "\n").dropFirst()
    #expect(Set(rows.compactMap { $0.split(separator: ",").last }) == ["b.csv", "c.csv"])
    #expect(rows.count == comparisons.reduce(0) { $0 + $1.figures.count })
  }

  // MARK: - Files

  @Test(arguments: [0, 1, 2])
  func `JSON in pieces is the text of the whole document`(sections: Int) throws {
    var comparison = SampleComparisons.sample()
    comparison.sections = Array(repeating: comparison.sections[0], count: sections)
    let whole = try ComparisonReport.document(comparison).text()
    #expect(try ComparisonReport.json(comparison) == whole)
  }

  @Test func `CSV has a row for each figure, changed or not`() {
    let comparison = SampleComparisons.sample()
    let lines = ComparisonReport.csv(comparison).split(separator: "\n")
    #expect(lines.count == comparison.figures.count + 1)
    #expect(
      lines[0].hasPrefix(
        "schema,scenario,scenario_digest,parameters,store,topology,metric,unit,baseline_trials,"))
    #expect(
      Set(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [25])
    let row =
      "topobench-comparison/3,5000-cities,,,pool,root-main-private,main_statements,,8,120.0,"
    #expect(
      lines.contains { $0.hasPrefix(row) && $0.hasSuffix(",count,4.0,,,,,worse,unpaired,new.csv") })
  }
}
