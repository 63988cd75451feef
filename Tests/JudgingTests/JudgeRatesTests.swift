import Support
import Foundation
@testable import Judging
import Measurement
import MeasurementSamples
import Testing

/// How often the judge is wrong about drawn times: log-normal, and from a machine with two speeds.
/// Families of four topologies, as in a gate.
@Suite struct JudgeRatesTests {
  enum Machine: CaseIterable {
    case steady
    /// Spells of some twenty trials at 8 % less speed.
    case twoSpeeds
  }

  struct Rates {
    var counts: [Verdict: Int] = [:]
    var all = 0
    subscript(verdict: Verdict) -> Int { counts[verdict] ?? 0 }
  }

  /// Both sides, measured in turn. The last topology's candidate is slower by `factor`.
  private static func families(
    _ count: Int, trials: Int, pairing: Pairing, machine: Machine, factor: Double, seed: UInt64
  ) -> Rates {
    var random = Random(seed: seed)
    var rates = Rates(all: count)
    let judge = Judge(pairing: pairing, alpha: pairing == .paired ? 0.05 : 0.01)
    for _ in 0..<count {
      var samples = (0..<4).map { TimeSample(name: "\($0)", baseline: [], candidate: []) }
      var isSlow = false
      for _ in 0..<trials {
        for index in samples.indices {
          if machine == .twoSpeeds, random.uniform() < 0.05 { isSlow.toggle() }
          let speed = isSlow ? 1.08 : 1
          let slowdown = index == 3 ? factor : 1
          let values = random.times(2, spread: 0.03)
          samples[index].baseline.append(values[0] * speed)
          samples[index].candidate.append(values[1] * speed * slowdown)
        }
      }
      let verdict = Verdict.together(judge.times(samples).map(\.verdict)) ?? .inconclusive
      rates.counts[verdict, default: 0] += 1
    }
    return rates
  }

  @Test(arguments: Machine.allCases, [Pairing.paired, .unpaired])
  func `identical builds rarely fail and mostly pass`(
    machine: Machine, pairing: Pairing
  ) {
    let rates = Self.families(
      50, trials: 16, pairing: pairing, machine: machine, factor: 1, seed: 21)
    // A false alarm must also exceed the floor: far below α.
    #expect(rates[.fail] <= 1, "\(rates)")
    #expect(rates[.pass] >= (machine == .steady ? 47 : 44), "\(rates)")
  }

  @Test(arguments: Machine.allCases, [Pairing.paired, .unpaired])
  func `a slowdown of 10 percent is found, and one of 20 always`(
    machine: Machine, pairing: Pairing
  ) {
    let ten = Self.families(
      30, trials: 16, pairing: pairing, machine: machine, factor: 1.1, seed: 22)
    #expect(ten[.fail] >= 28 && ten[.pass] == 0, "\(ten)")
    let twenty = Self.families(
      15, trials: 16, pairing: pairing, machine: machine, factor: 1.2, seed: 23)
    #expect(twenty[.fail] == 15, "\(twenty)")
  }

  /// The floor keeps false alarms rare. Without it the level itself must hold.
  @Test func `without a floor the family's false alarms stay within the level`() {
    var random = Random(seed: 31)
    let judge = Judge(pairing: .unpaired, alpha: 0.05)
    let rule = JudgingRule(relativeFloor: 0)
    let alarms = (0..<150).count { _ in
      let samples = (0..<3).map { index in
        TimeSample(
          name: "\(index)", baseline: random.times(9, spread: 0.1),
          candidate: random.times(9, spread: 0.1), rule: rule)
      }
      return judge.times(samples).contains { $0.verdict == .fail }
    }
    // Of 150 at 5 %: 7.5, with a deviation of 2.7.
    #expect(alarms <= 15 && alarms >= 1, "\(alarms) of 150")
  }
}
