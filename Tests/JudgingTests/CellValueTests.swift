@testable import Judging
import Measurement
import MeasurementSamples
import Testing

/// Counts stay whole, and a gap of the instrument is nobody's, wherever an answer is made.
@Suite struct CellValueTests {
  private func trials(
    _ rows: [Double], run: String = "r1", _ change: (inout CellResult, Int) -> Void = { _, _ in }
  ) -> [CellResult] {
    rows.enumerated().map { index, rows in
      CellResult.sample(trial: index + 1, blocked: 10) { cell in
        cell.runID = run
        cell.metrics[.mainRowsRead] = rows
        cell.metrics[.mainLongestGap] = 4
        cell.metrics[label: .longestGapCause] = "merge"
        change(&cell, index)
      }
    }
  }

  /// The middle trials are 40,053 and 41,000. The first of them has half a row in its own row.
  private let halves = [40_050, 40_053.5, 41_000, 42_000]

  private func figure(
    _ metric: Metric, _ baseline: [CellResult], _ candidate: [CellResult]
  ) throws -> Comparison.Figure {
    let matching = Matching(baseline: SideCells(baseline), candidate: SideCells(candidate))
    let comparison = Comparison(
      matching, baselineFiles: [], candidateFiles: [], metrics: [metric])
    return try #require(comparison.figures.first)
  }

  @Test func `a median of counts is the lower of two, and a time's is their mean`() throws {
    let section = try #require(Summary(cells: trials(halves)).sections.first)
    #expect(section.topologies[0].median(.mainRowsRead) == 40_053)
    #expect(Estimate([1, 2], of: .mainBlocked)?.median == 1.5)
    #expect(Estimate([1, 2], of: .mainStatements)?.median == 1)
  }

  @Test func `comparison, gate, limits and history show the same whole count`() throws {
    let (before, after) = (trials(halves), trials(halves, run: "r2"))
    #expect(try figure(.mainRowsRead, before, after).candidate.median == 40_053)
    let key = RunMedians.Key(
      measure: try #require(Measure.all.first { $0.name == "main_rows_read" }),
      series: before[0].topology)
    #expect(RunMedians.all(of: before).first?.estimates[key]?.median == 40_053)
    let limit = Limit(
      topology: before[0].topology, scenario: nil, metric: .mainRowsRead, relation: .atMost,
      bound: 50_000)
    #expect(limit.results(in: SideCells(before)).first?.measured?.median == 40_053)
    let sample = TimeSample(
      name: "rows", baseline: [40_053, 41_000], candidate: [40_053, 41_000], areCounts: true)
    #expect(Judge(pairing: .unpaired).times([sample])[0].baseline?.median == 40_053)
  }

  @Test func `an interval of counts contains its whole median`() throws {
    let estimate = try #require(
      Summary(cells: trials(Array(repeating: 3644.5, count: 6))).sections[0].topologies[0]
        .estimate(.mainRowsRead))
    #expect(estimate.median == 3644 && estimate.interval?.lower == 3644)
  }

  @Test func `gaps of the instrument are left out of a comparison and a history`() throws {
    func harness(_ cell: inout CellResult, _ index: Int) {
      cell.metrics[.rawSQLite] = 2
      guard index < 4 else { return }
      cell.metrics[.mainLongestGap] = 50
      cell.metrics[label: .longestGapCause] = index < 2 ? "harness" : "heartbeat"
    }
    let rows = Array(repeating: 5.0, count: 6)
    let (before, after) = (trials(rows, harness), trials(rows, run: "r2", harness))
    let figure = try figure(.mainLongestGap, before, after)
    #expect(figure.baseline.median == 4 && figure.baseline.trials == 2)
    let measure = try #require(
      Measure.all.first { $0.name == "main_longest_gap_per_raw_sqlite" })
    let run = try #require(RunMedians.all(of: before).first)
    #expect(run.median(measure, of: before[0].topology) == 2)
  }
}
