import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct ComparisonTests {
  /// Eight trials whose spread is a machine's mood.
  private static let moods = [1.0, 1.02, 0.97, 1.01, 0.99, 1.015, 1.03, 0.98]

  private func report(
    _ run: String, _ topology: String = "a", factor: Double = 1, statements: Double = 40,
    metric: String = "total_ms", trials: Int = 8
  ) -> [CellResult] {
    (0..<trials).map { trial in
      CellResult.sample(
        topology, trial: trial + 1, blocked: 20 * Self.moods[trial],
        metrics: [metric: 50 * factor * Self.moods[trial], "main_statements": statements]
      ) { $0.runID = run }
    }
  }

  private func compare(
    _ baseline: [CellResult], _ candidate: [CellResult],
    _ metrics: [Metric] = Comparison.answerMetrics
  ) -> Comparison {
    Comparison(
      Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)),
      baselineFiles: ["a.csv"],
      candidateFiles: ["b.csv"], metrics: metrics)
  }

  private func verdict(_ comparison: Comparison, _ metric: String) -> String? {
    comparison.figures.first { $0.metric.name == metric }?.verdict.rawValue
  }

  @Test(arguments: [1, 2, 5, 8])
  func `a report compared with itself is the same everywhere, however few its trials`(trials: Int) {
    var unsteady = report("r", "b", trials: trials)
    unsteady[trials - 1].metrics["main_statements"] = 41
    unsteady[0].metrics[label: .unsteadyCounts] = "main_statements"
    let cells = report("r", trials: trials) + unsteady
    let comparison = compare(cells, cells.reversed(), Comparison.allMetrics)
    #expect(comparison.figures.count == 6)
    let words = Set(comparison.figures.map(\.verdict.rawValue))
    #expect(words == ["same"])
    #expect(comparison.pairing == .unpaired)
  }

  @Test func `a change beyond chance is worse or better, by its direction`() {
    let slower = compare(report("r1"), report("r2", factor: 1.3))
    #expect(verdict(slower, "total_ms") == "worse")
    #expect(verdict(slower, "main_blocked_ms") == "same")
    let quicker = compare(report("r1"), report("r2", factor: 0.7))
    #expect(verdict(quicker, "total_ms") == "better")
    let rate: [Metric] = [.changesPerSecond]
    let more = compare(
      report("r1", metric: "changes_per_s"), report("r2", factor: 1.3, metric: "changes_per_s"),
      rate)
    #expect(verdict(more, "changes_per_s") == "better")
  }

  @Test func `a changed metric without a better direction differs`() {
    let metrics: [Metric] = [.rawSQLite]
    let comparison = compare(
      report("r1", metric: "raw_sqlite_ms"), report("r2", factor: 1.3, metric: "raw_sqlite_ms"),
      metrics)
    #expect(verdict(comparison, "raw_sqlite_ms") == "differs")
    #expect(comparison.diagnoses.map(\.what) == ["the machine's speed changed"])
  }

  @Test func `an exact count needs no statistics, but trials that agree`() {
    #expect(
      verdict(compare(report("r1"), report("r2", statements: 41)), "main_statements") == "worse")
    #expect(
      verdict(compare(report("r1"), report("r2", statements: 39)), "main_statements") == "better")
    var torn = report("r2")
    torn[3].metrics["main_statements"] = 44
    #expect(verdict(compare(report("r1"), torn), "main_statements") == "inconclusive")
  }

  @Test func `with too few trials times are inconclusive, with the number that is needed`() {
    let comparison = compare(report("r1", trials: 3), report("r2", factor: 3, trials: 3))
    #expect(verdict(comparison, "total_ms") == "inconclusive")
    #expect(
      comparison.diagnoses.map(\.clause) == [
        "the trials are too few to judge times: 3 a side, and 5 are the fewest for 2 figures "
          + "(--trials 5)"
      ])
    // The other topology has enough.
    let mixed = compare(
      report("r1") + report("r1", "b", trials: 3), report("r2") + report("r2", "b", trials: 2))
    #expect(
      mixed.diagnoses.map(\.clause) == [
        "the trials of b are too few to judge times: 2 a side, and 5 are the fewest for 4 figures "
          + "(--trials 5)"
      ])
  }

  @Test func `cells that are not ok are in no figure, and are counted`() throws {
    var candidate = report("r2")
    for index in 0..<2 {
      candidate[index].status = .crashed
      candidate[index].metrics["total_ms"] = 9999
    }
    let comparison = compare(report("r1"), candidate)
    let row = try #require(comparison.figures.first { $0.metric.name == "total_ms" })
    #expect(row.candidate.trials == 6 && row.candidate.median < 60)
    #expect(comparison.failed.map(\.failure.cells) == [2])
    #expect(comparison.failed.map(\.side) == [.candidate])
    #expect(comparison.candidate.cells == 8 && comparison.candidate.okCells == 6)
  }

  @Test func `a metric that one side lacks is named`() {
    let comparison = compare(report("r1"), report("r2", metric: "visible_ms"))
    #expect(comparison.unmeasured.map(\.side) == [.baseline, .candidate])
    #expect(comparison.unmeasured.map(\.metrics) == [[.visible], [.total]])
    #expect(verdict(comparison, "total_ms") == nil)
  }

  @Test func `sections are scenario, parameters and store; topologies stand in them`() {
    var serial = report("r1")
    for index in serial.indices { serial[index].store = "serial" }
    let cells = report("r1") + report("r1", "b") + serial
    let comparison = compare(cells, cells)
    #expect(comparison.sections.map(\.store) == ["pool", "serial"])
    #expect(comparison.sections.map { $0.topologies.map(\.name) } == [["a", "b"], ["a"]])
    #expect(comparison.topologies.map(\.trials) == [8, 8, 8])
  }

  @Test func `every reason to doubt a comparison is found`() {
    var candidate = report("r1")
    for index in candidate.indices {
      candidate[index].hostID = "h2"
      candidate[index].fingerprint = "beef"
    }
    candidate[7].status = .suspect
    candidate.append(candidate[0])
    #expect(
      compare(report("r1"), candidate).diagnoses.map(\.clause) == [
        "the baseline is of another machine: h1, not h2 (measure both on one)",
        "a did not end with the same rows on both sides: 5000-cities, pool store (find out which side"
          + " is wrong)",
        "both sides hold rows of the same run: r1 (compare different runs)",
        "1 row of the candidate was there before and counts once (name each file once)",
        "13 % of the candidate's cells are suspect: a verdict can bear 10 % (let nothing else run and"
          + " measure again)",
      ])
    for index in candidate.indices { candidate[index].seed = 2 }
    let seeds = compare(report("r1"), candidate).diagnoses
    #expect(seeds.contains { $0.remedy == "give both one --seed" })
    #expect(compare(report("r1"), report("r2")).diagnoses == [])
  }

  @Test func `a duet's pairs cancel what moves both sides`() {
    func duet(_ side: Side, _ factor: Double) -> [CellResult] {
      let weather = [1.0, 2.1, 0.6, 3.2, 1.4, 0.8, 2.7, 1.9]
      return report("r", factor: factor).enumerated().map { index, cell in
        var cell = cell
        cell.metrics["raw_sqlite_ms"] = side == .candidate && index > 2 ? 20 : 10
        cell.metrics["total_ms"] = 50 * factor * weather[index] * (1 + 0.002 * Double(index))
        cell.order = 2 * index + (side == .baseline ? 0 : 1)
        cell.duet = DuetMark(pair: index + 1, side: side, phase: .first)
        return cell
      }
    }
    let comparison = compare(duet(.baseline, 1), duet(.candidate, 1.2))
    #expect(comparison.pairing == .paired)
    #expect(verdict(comparison, "total_ms") == "worse")
    // They were measured in turn, so a change of the machine's speed is no doubt.
    #expect(comparison.timesDoubt == nil && comparison.diagnoses == [])
  }

  @Test func `a duet shows the medians of each side, also of pairs that lack the other's value`() {
    func duet(_ side: Side) -> [CellResult] {
      (1...8).map { pair in
        CellResult.sample("a", trial: pair, metrics: ["main_longest_gap_ms": Double(pair)]) {
          let isInstrument = side == .baseline && pair == 8
          $0.metrics[label: .longestGapCause] = isInstrument ? "harness" : "save"
          $0.order = 2 * pair + (side == .baseline ? 0 : 1)
          $0.duet = DuetMark(pair: pair, side: side, phase: .first)
        }
      }
    }
    let gap = compare(duet(.baseline), duet(.candidate)).figures.first {
      $0.metric == .mainLongestGap
    }
    #expect(gap?.baseline.median == 4 && gap?.candidate.median == 4.5)
    var policy = Policy()
    policy.gated = [.mainLongestGap]
    let gated = Gate.judging(duet(.baseline), duet(.candidate), policy: policy).figures.first {
      $0.metric == .mainLongestGap
    }
    #expect(gated?.baseline == gap?.baseline && gated?.candidate == gap?.candidate)
    let answer = Summary(cells: duet(.candidate)).sections.first?.topologies.first
    #expect(answer?.longestGap == gap?.candidate)
    guard case .time(let judgement)? = gap?.judgement else {
      Issue.record("a gap is a time")
      return
    }
    #expect(judgement.trials == 7)
  }

  @Test func `the metrics that are compared by default, and all`() {
    let names = Comparison.defaultMetrics.prefix(3).map(\.name)
    #expect(names == ["main_blocked_ms", "main_longest_gap_ms", "visible_ms"])
    #expect(Set(Metrics.exactCounts).isSubset(of: Comparison.defaultMetrics))
    #expect(Comparison.allMetrics.allSatisfy { $0.kind != .label })
    let descriptions = Comparison.allMetrics.filter { $0.better == .neither }
    #expect(descriptions == [])
  }
}
