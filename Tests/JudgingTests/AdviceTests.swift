import Testing

@testable import Judging
@testable import Measurement
@testable import topobench_lab

struct AdviceTests {
  private static let advice = Advice(
    "Push up.", scenario: "5000-cities", recommends: "child", over: "merge")

  private static func verdict(
    child: Double, merge: Double, moods: [Double] = SweepTests.steady,
    others: [Double] = SweepTests.steady, advice: Advice = Self.advice,
    context: RunContext = RunContext()
  ) -> AdviceResult {
    AdviceResult(
      advice,
      judgedBy: sections(
        SweepTests.cells("child", "1", child, moods: moods)
          + SweepTests.cells("merge", "1", merge, moods: others), context))
  }

  private static func sections(
    _ cells: [CellResult], _ context: RunContext = RunContext()
  ) -> [SummarySection] {
    Summary(cells: cells, context: context).sections
  }

  @Test func `an advice is borne out or contradicted where the ranking separates the two`() {
    #expect(Self.verdict(child: 10, merge: 20).verdict == .bornOut)
    #expect(Self.verdict(child: 20, merge: 10).verdict == .contradicted)
    #expect(Self.verdict(child: 20, merge: 10).recommended == 20.1)
  }

  @Test(arguments: [Metric.mainBlocked, .mainLongestGap])
  func `a better topology that freezes the screen is not borne out`(metric: Metric) {
    let advice = Advice(
      "Push up.", scenario: "5000-cities", recommends: "child", over: "merge", by: metric)
    for (gap, verdict) in [(10.0, AdviceResult.Outcome.bornOut), (20, .freezes)] {
      let cells = [("child", gap), ("merge", 2 * gap)].flatMap { name, gap in
        SweepTests.cells(name, "1", gap).map { cell in
          var cell = cell
          cell.metrics[.mainLongestGap] = cell.metrics[.mainBlocked]
          return cell
        }
      }
      #expect(AdviceResult(advice, judgedBy: Self.sections(cells)).verdict == verdict)
    }
  }

  @Test func `advice that the trials do not separate is not separated, whatever the medians`() {
    let mixed = [1.3, 0.8, 1.3, 0.8, 1.3, 0.8, 1.3, 0.9]
    #expect(Self.verdict(child: 20, merge: 19, moods: mixed).verdict == .notSeparated)
  }

  @Test func `no advice is judged by a setting that is not ranked`() {
    let three = [1.0, 1.01, 0.99]
    let few = Self.verdict(child: 10, merge: 20, moods: three, others: three)
    #expect(few.verdict == .tooFewTrials)
    var busy = RunContext()
    (busy.load, busy.cores) = (9, 2)
    let discarded = Self.verdict(child: 20, merge: 10, context: busy)
    #expect(discarded.verdict == .discarded)
    #expect(discarded.recommended == 20.1)
  }

  @Test func `what this tool does not reproduce is not contradicted`() {
    let advice = Advice(
      "Push up.", scenario: "5000-cities", recommends: "child", over: "merge",
      unreproduced: ["a-claim"])
    #expect(Self.verdict(child: 20, merge: 10, advice: advice).verdict == .notReproduced)
    #expect(Self.verdict(child: 10, merge: 20, advice: advice).verdict == .bornOut)
  }

  @Test func `advice without parameters is not judged by a sweep`() {
    let cells = ["1", "2"].flatMap {
      SweepTests.cells("child", $0, 10) + SweepTests.cells("merge", $0, 20)
    }
    #expect(AdviceResult(Self.advice, judgedBy: Self.sections(cells)).verdict == .notMeasured)
    let one = Self.sections(Array(cells.prefix(16)))
    #expect(AdviceResult(Self.advice, judgedBy: one).verdict == .bornOut)
  }

  @Test func `advice is judged at its values, in its scenario and by its metric alone`() {
    func advice(_ scenario: String, _ value: String, _ metric: Metric) -> Advice {
      Advice(
        "Push up.", scenario: scenario, at: ["changes.per_save": value], recommends: "child",
        over: "merge", by: metric)
    }
    for (advice, verdict) in [
      (advice("5000-cities", "1", .mainBlocked), AdviceResult.Outcome.bornOut),
      (advice("5000-cities", "2", .mainBlocked), .notMeasured),
      (advice("other", "1", .mainBlocked), .notMeasured),
      (advice("5000-cities", "1", .mainLongestGap), .notMeasured),
    ] {
      #expect(Self.verdict(child: 10, merge: 20, advice: advice).verdict == verdict)
    }
  }
}
