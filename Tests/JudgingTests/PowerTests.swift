@testable import Judging
import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct PowerTests {
  @Test
  func `unanimity survives Holm over 1, 10, 40 metrics with 6, 9, 11 pairs or 4, 6, 7 a side`() {
    let metrics = [1, 10, 40]
    #expect(metrics.map { Trials.unanimous(pairing: .paired, metrics: $0) } == [6, 9, 11])
    #expect(metrics.map { Trials.unanimous(pairing: .unpaired, metrics: $0) } == [4, 6, 7])
  }

  @Test func `one outlier among 11 pairs, or 14 over four metrics, leaves a verdict`() throws {
    #expect([1, 4].map { Trials.toleratingOne(metrics: $0, alpha: 0.04) } == [11, 14])
    for (trials, alpha) in [(11, 0.04), (14, 0.01)] {
      let pairs = [-9.0] + (1..<trials).map { 0.1 + 0.001 * Double($0) }
      #expect(try #require(RankShift(paired: pairs)).pGreater <= alpha)
      #expect(try #require(RankShift(paired: pairs.dropLast())).pGreater > alpha)
    }
  }

  @Test func `no plan is shorter than unanimity needs`() {
    let sharp = Power(spread: 1e-6, pairing: .paired, alpha: 0.05)
    #expect(sharp.trials(toFind: 0.1) == 6)
    #expect(sharp.trials(toFind: 0) == nil)
    #expect(sharp.detectable(trials: 5) == nil)
  }

  @Test func `a plan's length and the shift that it finds are inverse functions`() throws {
    for pairing in [Pairing.paired, .unpaired] {
      let power = Power(spread: 0.08, pairing: pairing, alpha: 0.01, power: 0.95)
      let trials = try #require(power.trials(toFind: 0.06))
      #expect(try #require(power.detectable(trials: trials)) <= 0.06)
      #expect(try #require(power.detectable(trials: trials - 1)) > 0.06)
    }
  }

  /// 250 draws: ± 4 points at two standard errors.
  @Test(arguments: [Pairing.paired, .unpaired], [0.04, 0.08])
  func `the planned trials find the shift as often as planned`(
    pairing: Pairing, spread: Double
  ) throws {
    var random = Random(seed: 5)
    let alpha = 0.0125
    let power = Power(spread: spread, pairing: pairing, alpha: alpha, power: 0.9)
    let trials = try #require(power.trials(toFind: 0.0953))
    let found = try (0..<250).count { _ in
      if pairing == .paired {
        let pairs = (0..<trials).map { _ in 0.0953 + spread * random.normal() }
        return try #require(RankShift(paired: pairs)).pGreater <= alpha
      }
      let first = (0..<trials).map { _ in spread * random.normal() }
      let second = (0..<trials).map { _ in 0.0953 + spread * random.normal() }
      return try #require(RankShift(from: first, to: second)).pGreater <= alpha
    }
    let share = Double(found) / 250
    #expect(share > 0.85, "\(trials) trials: \(share)")
    #expect(share < 0.985 || trials <= 8, "\(trials) trials: \(share)")
  }

  @Test func `at 5 percent spread, 12 pairs find a slowdown of a tenth nearly always`() {
    var random = Random(seed: 9)
    let found = (0..<150).count { _ in
      let sample = TimeSample(
        name: "m", baseline: random.times(12, spread: 0.05),
        candidate: random.times(12, spread: 0.05, factor: 1.1))
      return Judge(pairing: .paired).times([sample])[0].verdict == .fail
    }
    #expect(found >= 142, "\(found) of 150")
  }

  @Test func `the spread is the standard deviation, and outliers do not move it`() throws {
    var random = Random(seed: 2)
    var values = (0..<400).map { _ in 0.07 * random.normal() }
    #expect(abs(try #require(Statistics.robustDeviation(values)) - 0.07) < 0.01)
    values[0] = 100
    #expect(abs(try #require(Statistics.robustDeviation(values)) - 0.07) < 0.01)
    #expect(Statistics.robustDeviation([1]) == nil)
    #expect(Statistics.robustDeviation([1, 1, 1, 1, 5]) == Statistics.deviation([1, 1, 1, 1, 5]))
  }

  @Test func `the spread of a few pairs follows from the width of their interval`() throws {
    var random = Random(seed: 6)
    let spreads = try (0..<400).map { _ in
      try #require(Power.spread(ofPairs: (0..<8).map { _ in 0.05 * random.normal() }))
    }
    #expect(abs(try #require(Statistics.median(spreads)) - 0.05) < 0.006)
    #expect(Power.spread(ofPairs: [0.1]) == nil)
  }

  @Test func `the tails that make an interval wide enter the spread of pairs`() throws {
    let pairs = [-0.3, -0.25, -0.015, -0.01, 0.01, 0.015, 0.25, 0.3]
    let spread = try #require(Power.spread(ofPairs: pairs))
    #expect(spread > 2 * (try #require(Statistics.robustDeviation(pairs))))
  }

  @Test func `the faster side does not enter the spread of pairs`() throws {
    var random = Random(seed: 12)
    let pairs = (0..<12).map { _ in random.normal() }
    let spread = try #require(Power.spread(ofPairs: pairs))
    #expect(abs(try #require(Power.spread(ofPairs: pairs.map { 0.4 - $0 })) - spread) < 1e-12)
  }

  @Test func `two looks fix their pairs from the spread alone`() throws {
    var random = Random(seed: 4)
    let quiet = (0..<4).map { _ in
      TimeSample(
        name: "m", baseline: random.times(8, spread: 0.02), candidate: random.times(8, spread: 0.02)
      )
    }
    let plan = try #require(TwoLooks(samples: quiet))
    // Four metrics at α = 0.01: 2 / 2ⁿ ≤ 0.0025.
    #expect(plan.pairs[0] == 10 && plan.pairs[1] < 16, "\(plan)")
    let slower = quiet.map { sample in
      var slower = sample
      slower.candidate = sample.candidate.map { $0 * 1.5 }
      return slower
    }
    #expect(TwoLooks(samples: slower) == plan)
    let noisy = quiet.map { sample in
      var noisy = sample
      noisy.candidate = random.times(8, spread: 0.2)
      return noisy
    }
    let long = try #require(TwoLooks(samples: noisy))
    #expect(long.pairs[1] > 40 && long.pairs[0] < long.pairs[1])
    #expect(try #require(TwoLooks(samples: noisy, limit: 20)).pairs == [12, 20])
    #expect(TwoLooks(samples: quiet, limit: 9) == nil)
    #expect(TwoLooks.levels.reduce(0, +) == 0.05)
  }
}
