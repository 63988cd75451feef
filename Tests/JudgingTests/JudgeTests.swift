@testable import Judging
import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct JudgeTests {
  /// Within ± 2 %, in no order.
  static let steady = [10.1, 9.9, 10.0, 10.2, 9.8, 10.05, 9.95, 10.15, 9.85, 10.1, 9.9, 10.0]

  static func sample(
    _ factor: Double, _ baseline: [Double] = steady, rule: JudgingRule = JudgingRule()
  ) -> TimeSample {
    let turned = baseline.dropFirst(3) + baseline.prefix(3)
    return TimeSample(
      name: "m", baseline: baseline, candidate: turned.map { $0 * factor }, rule: rule)
  }

  static func judge(
    _ sample: TimeSample, _ pairing: Pairing = .unpaired, alpha: Double = 0.05
  ) -> TimeJudgement {
    Judge(pairing: pairing, alpha: alpha).times([sample])[0]
  }

  @Test(arguments: [Pairing.paired, .unpaired])
  func `a tenth slower fails, the same passes, a tenth faster passes`(pairing: Pairing) {
    let slower = Self.judge(Self.sample(1.1), pairing)
    #expect(slower.verdict == .fail && slower.reason == .regressed)
    #expect(slower.direction == .worse)
    #expect(slower.neededTrials == nil)
    let same = Self.judge(Self.sample(1), pairing)
    #expect(same.verdict == .pass && same.reason == .excluded)
    #expect(same.direction == .same)
    let faster = Self.judge(Self.sample(1 / 1.1), pairing)
    #expect(faster.verdict == .pass)
    #expect(faster.direction == .better)
  }

  @Test func `a change is a ratio with its interval and its upper bound`() throws {
    let judgement = Self.judge(Self.sample(1.2))
    let change = try #require(judgement.change)
    let (lower, upper) = (try #require(change.lower), try #require(change.upper))
    #expect(change.scale == .ratio)
    #expect(abs(change.estimate - 1.2) < 0.02)
    #expect(lower > 1.17 && lower < change.estimate && upper < 1.23 && upper > change.estimate)
    #expect(try #require(judgement.bound) < upper)
    #expect(abs(judgement.allowed - 1.1) < 1e-12)
  }

  @Test func `a significant change below the floor is no regression`() {
    let judgement = Self.judge(Self.sample(1.02), .paired)
    let pairs = TimeSample(
      name: "m", baseline: Self.steady, candidate: Self.steady.map { $0 * 1.02 })
    let unanimous = Self.judge(pairs, .paired)
    #expect(unanimous.p < 0.001)
    #expect(unanimous.verdict == .pass && judgement.verdict == .pass)
  }

  @Test func `a change below the absolute floor is no regression, whatever its share`() {
    var sample = Self.sample(1.3)
    sample.rule.absoluteFloor = 5
    #expect(Self.judge(sample).verdict == .pass)
    sample.rule.absoluteFloor = 1
    #expect(Self.judge(sample).verdict == .fail)
  }

  @Test func `zeros and values below the absolute floor are judged by their difference`() throws {
    var sample = TimeSample(
      name: "m", baseline: [0, 0.01, 0, 0.02, 0.01, 0, 0.01, 0],
      candidate: [0.04, 0.03, 0.05, 0.04, 0.06, 0.04, 0.05, 0.04])
    sample.rule.absoluteFloor = 0.1
    let harmless = Self.judge(sample)
    #expect(harmless.change?.scale == .difference)
    #expect(harmless.verdict == .pass, "\(harmless)")
    #expect(harmless.allowed == 0.1)
    sample.candidate = sample.candidate.map { $0 + 0.2 }
    let worse = Self.judge(sample)
    #expect(worse.verdict == .fail)
    #expect(abs(try #require(worse.change?.estimate) - 0.24) < 0.011)
  }

  @Test func `nothing but zeros on both sides passes, even without an absolute floor`() {
    let zeros = Array(repeating: 0.0, count: 8)
    let sample = TimeSample(name: "m", baseline: zeros, candidate: zeros)
    #expect(Self.judge(sample).verdict == .pass)
    #expect(Self.judge(sample).direction == .same)
  }

  @Test func `where higher is better, a decrease fails and the change keeps its sign`() throws {
    var sample = Self.sample(1 / 1.15)
    sample.rule.better = .higher
    let judgement = Self.judge(sample)
    #expect(judgement.verdict == .fail && judgement.direction == .worse)
    let change = try #require(judgement.change)
    #expect(abs(change.estimate - 1 / 1.15) < 0.02)
    #expect(try #require(change.lower) < change.estimate)
    #expect(abs(judgement.allowed - 1 / 1.1) < 1e-12)
    sample = Self.sample(1.15)
    sample.rule.better = .higher
    #expect(Self.judge(sample).direction == .better)
  }

  @Test
  func `too few trials are inconclusive, with the number that is needed`() {
    let three = TimeSample(name: "m", baseline: [10, 10.1, 9.9], candidate: [10, 10.1, 9.9])
    let judgement = Self.judge(three)
    #expect(judgement.verdict == .inconclusive)
    #expect(judgement.reason == .tooFewTrials && judgement.fewestTrials == 4)
    #expect((judgement.neededTrials ?? 0) >= 4)
    let pairs = TimeSample(
      name: "m", baseline: [1, 1, 1, 1, 1], candidate: [9, 9, 9, 9, 9])
    #expect(Self.judge(pairs, .paired).reason == .tooFewTrials)
    #expect(Self.judge(pairs, .paired).direction == .inconclusive)
  }

  @Test func `identical values are the same, however few`() {
    let two = TimeSample(name: "m", baseline: [3, 9], candidate: [3, 9])
    #expect(Self.judge(two).direction == .same)
    #expect(Self.judge(two).verdict == .inconclusive)
  }

  @Test func `a side without values is inconclusive and does not weaken the others`() {
    let empty = TimeSample(name: "e", baseline: [1, 2], candidate: [])
    let slower = Self.sample(1.2)
    let judgements = Judge(pairing: .unpaired).times([empty, slower, empty])
    #expect(judgements[0].reason == .noValues && judgements[0].verdict == .inconclusive)
    #expect(judgements[1].adjustedP == judgements[1].p)
    #expect(judgements[1].verdict == .fail)
    #expect(Judge(pairing: .unpaired).times([]) == [])
  }

  @Test func `Holm's correction counts all metrics of the family`() {
    let family = [Self.sample(1.1)] + Array(repeating: Self.sample(1), count: 9)
    let judgements = Judge(pairing: .unpaired).times(family)
    #expect(abs(judgements[0].adjustedP - 10 * judgements[0].p) < 1e-12)
    #expect(Verdict.together(judgements.map(\.verdict)) == .fail)
    #expect(Verdict.together(judgements.dropFirst().map(\.verdict)) == .pass)
    #expect(Verdict.together([.pass, .inconclusive]) == .inconclusive)
    #expect(Verdict.together([]) == nil)
  }

  @Test func `the needed trials settle an inconclusive verdict nine times in ten`() {
    var random = Random(seed: 11)
    func noisy(_ count: Int) -> TimeSample {
      TimeSample(
        name: "m", baseline: random.times(count, spread: 0.15),
        candidate: random.times(count, spread: 0.15))
    }
    let judgement = Self.judge(noisy(8))
    #expect(judgement.verdict == .inconclusive && judgement.reason == .tooNoisy)
    let needed = judgement.neededTrials ?? 0
    // 2 · (1.645 + 1.282)² · 0.15² / log(1.1)², and a little more
    #expect(needed > 25 && needed < 160, "\(needed)")
    let settled = (0..<40).count { _ in Self.judge(noisy(60)).verdict == .pass }
    #expect(settled >= 34, "\(settled)")
  }
}
