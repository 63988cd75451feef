import Testing

@testable import Judging
@testable import Measurement

struct AdviceTests {
  private static let advice = Advice(
    "Push up.", scenario: "5000-cities", recommends: "child", over: "merge")

  private static func verdict(
    child: Double, merge: Double, moods: [Double] = SweepTests.steady, advice: Advice = Self.advice
  ) -> AdviceResult {
    AdviceResult(
      advice,
      judgedBy: SweepTests.cells("child", "1", child, moods: moods)
        + SweepTests.cells("merge", "1", merge))
  }

  @Test func `an advice is borne out or contradicted where the ranking separates the two`() {
    #expect(Self.verdict(child: 10, merge: 20).verdict == .bornOut)
    #expect(Self.verdict(child: 20, merge: 10).verdict == .contradicted)
    #expect(Self.verdict(child: 20, merge: 10).recommended == 20.1)
  }

  @Test func `advice that the trials do not separate is not separated, whatever the medians`() {
    let mixed = [1.3, 0.8, 1.3, 0.8, 1.3, 0.8, 1.3, 0.9]
    #expect(Self.verdict(child: 20, merge: 19, moods: mixed).verdict == .notSeparated)
    let three = [1.0, 1.01, 0.99]
    #expect(Self.verdict(child: 10, merge: 20, moods: three).verdict == .notSeparated)
  }

  @Test func `advice without parameters is not judged by a sweep`() {
    let cells = ["1", "2"].flatMap {
      SweepTests.cells("child", $0, 10) + SweepTests.cells("merge", $0, 20)
    }
    #expect(AdviceResult(Self.advice, judgedBy: cells).verdict == .notMeasured)
    #expect(AdviceResult(Self.advice, judgedBy: Array(cells.prefix(16))).verdict == .bornOut)
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
      (advice("5000-cities", "1", .visible), .notMeasured),
    ] {
      #expect(Self.verdict(child: 10, merge: 20, advice: advice).verdict == verdict)
    }
  }
}
