import Measurement

// Two looks at pairs that are still being measured.
//
//   first pairs ──▶ spread ──▶ n₁, n₂ fixed
//   n₁ pairs    ──▶ judged at α = 0.01, bounds of 99 %      fail or pass ends it
//   n₂ pairs    ──▶ judged at α = 0.04, bounds of 96 %      fail, pass or inconclusive
//
// By Bonferroni, the probability of a false alarm at either look is at most 0.01 + 0.04, and so is
// that of a false pass. Fresh pairs confirm a flagged figure at α = 0.05.

package struct TwoLooks: Codable, Sendable, Equatable {
  /// The α of the first and of the second look. Each is also the tail of the look's bounds.
  package static let levels = [0.01, 0.04]

  /// The total number of pairs at each look.
  package let pairs: [Int]
  /// Required by the spread, before any limit.
  package let wanted: Int

  /// - Parameters:
  ///   - samples: the first pairs. Only their spread counts.
  ///   - family: the number of metrics that are judged together.
  ///   - power: the probability that a change by the margin is found, and that equal sides pass.
  /// Nil if even unanimity at the first look needs more pairs than the limit.
  package init?(
    samples: [TimeSample], family: Int? = nil, power: Double = 0.95, limit: Int = .max
  ) {
    let family = family ?? samples.count
    let fewest = Self.judge(look: 0).fewestTrials(metrics: family)
    guard fewest <= limit else { return nil }
    let wanted = samples.compactMap { Self.wanted($0, family: family, power: power) }
    self.wanted = max(Self.fewest(family: family), wanted.max() ?? fewest)
    let last = min(self.wanted, limit)
    pairs = [max(fewest, min(last, (last * 3 + 4) / 5)), last]
  }

  /// The fewest pairs of a second look: enough for the first one, and for a verdict although one
  /// pair contradicts the others.
  package static func fewest(family: Int) -> Int {
    max(
      judge(look: 0).fewestTrials(metrics: family),
      Trials.toleratingOne(metrics: family, alpha: levels[1]))
  }

  /// - Parameter look: 0 or 1.
  package static func judge(look: Int) -> Judge {
    Judge(pairing: .paired, alpha: levels[look], tail: levels[look], plansTrials: false)
  }

  /// For fresh pairs.
  package static let confirmation = Judge(
    pairing: .paired, alpha: 0.05, tail: 0.05, plansTrials: false)

  /// The pairs with which the second look fails a worsening by the allowed change, and passes equal
  /// sides. All metrics must pass, so they share the probability of an error.
  private static func wanted(_ sample: TimeSample, family: Int, power: Double) -> Int? {
    let scale = JudgingScale(sample)
    guard let spread = scale.spread(sample, .paired), scale.allowed > 0 else { return nil }
    let failing = Power(
      spread: spread, pairing: .paired, alpha: levels[1] / Double(family), power: power)
    let passing = Power(
      spread: spread, pairing: .paired, alpha: levels[1], power: 1 - (1 - power) / Double(family))
    let needed = [failing, passing].compactMap { $0.trials(toFind: scale.allowed) }
    return needed.max()
  }
}
