import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct ComparisonConclusionTests {
  private static let moods = [1.0, 1.02, 0.97, 1.01, 0.99, 1.015, 1.03, 0.98]

  private func report(
    _ run: String, _ topology: String = "a", blocked: Double = 20, gap: Double = 5,
    raw: Double = 10, statements: Double = 40, host: String = "h1"
  ) -> [CellResult] {
    Self.moods.enumerated().map { index, mood in
      CellResult.sample(
        topology, trial: index + 1, blocked: blocked * mood,
        metrics: [
          "main_longest_gap_ms": gap * mood, "raw_sqlite_ms": raw * mood,
          "main_statements": statements,
        ]
      ) { ($0.runID, $0.hostID) = (run, host) }
    }
  }

  private func compare(_ baseline: [CellResult], _ candidate: [CellResult]) -> Comparison {
    Comparison(
      Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)),
      baselineFiles: ["a.csv"], candidateFiles: ["b.csv"])
  }

  private func names(_ cases: [Comparison.Case]) -> [String] {
    cases.map { "\($0.key.topology) \($0.figure.metric.name)" }
  }

  @Test func `each figure is in one array`() {
    let conclusion = compare(
      report("r1") + report("r1", "b") + report("r1", "c"),
      report("r2", blocked: 30) + report("r2", "b", blocked: 10, gap: 300)
        + report("r2", "c", statements: 41)
    ).conclusion
    #expect(names(conclusion.freezes) == ["b main_longest_gap_ms"])
    #expect(names(conclusion.worse) == ["a main_blocked_ms", "c main_statements"])
    #expect(names(conclusion.better) == ["b main_blocked_ms"])
    #expect(conclusion.differs.isEmpty && conclusion.undecided.isEmpty)
    #expect(conclusion.same.count == 5 && conclusion.all.count == 9)
    #expect(conclusion.timesDoubt == nil)
  }

  @Test(arguments: [
    (5.0, 16.5, FreezeLimit?.none), (5, 17.5, .frame), (17.5, 5, .frame), (5, 130, .noticed),
    (130, 300, .hang), (300, 400, nil), (17.5, 90, nil),
  ])
  func `a freeze begins or ends where one side alone passes a limit`(
    baseline: Double, candidate: Double, limit: FreezeLimit?
  ) {
    let freezes = compare(report("r1", gap: baseline), report("r2", gap: candidate))
      .conclusion.freezes
    #expect(freezes.map(\.limit) == (limit.map { [$0] } ?? []))
    #expect(freezes.map(\.begins) == (limit == nil ? [] : [candidate > baseline]))
  }

  @Test func `gaps that are not judged to differ begin and end no freeze`() {
    for (baseline, candidate) in [(16.5, 16.7), (16.7, 16.5)] {
      let conclusion = compare(report("r1", gap: baseline), report("r2", gap: candidate)).conclusion
      #expect(conclusion.freezes.isEmpty && conclusion.same.count == 3)
      #expect(names(conclusion.crossings) == ["a main_longest_gap_ms"])
    }
    let slower = compare(report("r1", gap: 12), report("r2", gap: 21.6, raw: 18.1)).conclusion
    #expect(slower.freezes.isEmpty)
    #expect(names(slower.undecided) == ["a main_blocked_ms", "a main_longest_gap_ms"])
    #expect(names(slower.crossings) == ["a main_longest_gap_ms"])
  }

  @Test func `the worst limit comes first, and what begins before what ends`() {
    let conclusion = compare(
      report("r1") + report("r1", "b", gap: 300) + report("r1", "c"),
      report("r2", gap: 20) + report("r2", "b") + report("r2", "c", gap: 300)
    ).conclusion
    #expect(conclusion.freezes.map(\.key.topology) == ["c", "b", "a"])
  }

  @Test func `on a machine at another speed no time is judged, and exact counts are`() {
    let (baseline, slower) = (
      report("r1"), report("r2", blocked: 38.2, gap: 9.5, raw: 18.1, statements: 41)
    )
    for (left, right) in [(baseline, slower), (slower, baseline)] {
      let conclusion = compare(left, right).conclusion
      #expect(conclusion.timesDoubt?.what == "the machine's speed changed")
      #expect(conclusion.timesDoubt?.evidence.contains("1.81 times as long") == true)
      #expect(names(conclusion.undecided) == ["a main_blocked_ms", "a main_longest_gap_ms"])
      #expect(names(conclusion.worse + conclusion.better) == ["a main_statements"])
    }
  }

  @Test func `a speed within the gate's margin leaves times judged`() {
    let comparison = compare(report("r1"), report("r2", blocked: 30, raw: 10.9))
    #expect(comparison.timesDoubt == nil)
    #expect(names(comparison.conclusion.worse) == ["a main_blocked_ms"])
    #expect(comparison.diagnoses.map(\.what) == ["the machine's speed changed"])
  }

  @Test(arguments: ["h2", ""])
  func `times of another or an unknown machine are not judged`(host: String) {
    let comparison = compare(report("r1"), report("r2", blocked: 30, statements: 41, host: host))
    #expect(comparison.timesDoubt == comparison.diagnoses.first)
    #expect(names(comparison.conclusion.worse) == ["a main_statements"])
    #expect(comparison.conclusion.undecided.count == 2)
  }

  @Test func `a gap of the instrument is no freeze`() {
    let disturbed = report("r2", gap: 300).map { cell in
      var cell = cell
      cell.metrics[label: .longestGapCause] = "harness"
      return cell
    }
    let comparison = compare(report("r1"), disturbed)
    #expect(comparison.conclusion.freezes.isEmpty)
    #expect(comparison.unmeasured.map(\.metrics) == [[.mainLongestGap]])
  }
}
