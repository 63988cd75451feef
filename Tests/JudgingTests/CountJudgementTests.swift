import Judging
import Measurement
import Testing

@Suite struct CountJudgementTests {
  private func judge(
    _ baseline: [Double], _ candidate: [Double],
    better: Metric.Direction = .lower, unsteady: Set<Side> = []
  ) -> CountJudgement {
    CountJudgement(
      name: "main_statements", baseline: baseline, candidate: candidate, better: better,
      unsteady: unsteady)
  }

  private let six = Array(repeating: 12.0, count: 6)

  @Test func `any increase is a regression, and needs no statistics`() {
    let judgement = judge(six, six.map { $0 + 1 })
    #expect(judgement.outcome == .increase && judgement.verdict == .fail)
    #expect(judgement.direction == .worse)
    #expect(judgement.baseline?.smallest == 12 && judgement.candidate?.largest == 13)
  }

  @Test func `one counted cell a side is enough, and instructions may differ by 1 %`() {
    func judge(_ baseline: [Double], _ candidate: [Double]) -> CountJudgement {
      CountJudgement(
        name: "main_instructions", baseline: baseline, candidate: candidate, fewest: 1,
        slack: Metric.mainInstructions.slack)
    }
    #expect(judge([40e6], [40.36e6]).verdict == .pass)
    #expect(judge([40e6], [40.8e6]).verdict == .fail)
    #expect(judge([40e6], [39.2e6]).outcome == .decrease)
    #expect(judge([40e6, 40.2e6], [40.8e6, 40.08e6]).verdict == .inconclusive)
    #expect(judge([40e6, 40.2e6], [40.8e6, 40.88e6]).verdict == .fail)
    #expect(judge([500_000, 690_000], [889_000]).verdict == .pass)
    #expect(judge([500_000], [701_000]).verdict == .fail)
  }

  @Test func `equal counts pass, and so does a decrease`() {
    #expect(judge(six, six).outcome == .same && judge(six, six).verdict == .pass)
    let fewer = judge(six, six.map { $0 - 1 })
    #expect(fewer.outcome == .decrease && fewer.verdict == .pass && fewer.direction == .better)
    #expect(judge(six, six.map { $0 - 1 }, better: .higher).verdict == .fail)
  }

  @Test func `a side whose trials differ is reported as unsteady`() {
    let torn = judge(six, [12, 12, 12, 12, 12, 13])
    #expect(torn.outcome == .disagreesWithItself && torn.verdict == .inconclusive)
    #expect(judge([1, 2, 1, 1, 1, 1], six).outcome == .disagreesWithItself)
    #expect(judge(six, six, unsteady: [.candidate]).outcome == .disagreesWithItself)
    #expect(torn.direction == .inconclusive)
  }

  @Test func `with fewer than six trials a side nothing is decided`() {
    let five = Array(six.dropLast())
    #expect(judge(five, six).doubtfulSide == .baseline)
    #expect(judge(six, []).doubtfulSide == .candidate)
    #expect(judge(six, []).verdict == .inconclusive)
    #expect(judge(six, []).candidate == nil)
  }
}
