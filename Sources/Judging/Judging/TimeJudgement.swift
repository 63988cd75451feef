package import Measurement

package enum Verdict: String, Codable, Sendable, CaseIterable {
  case pass
  case fail
  case inconclusive

  /// The gravest: fail, then inconclusive, then pass.
  package static func together(_ verdicts: some Sequence<Verdict>) -> Verdict? {
    let all = Set(verdicts)
    return [.fail, .inconclusive, .pass].first { all.contains($0) }
  }
}

/// The verdict of a comparison, which tests both directions.
package enum Direction: String, Codable, Sendable, CaseIterable {
  case better
  case worse
  case same
  /// A changed metric without a better direction.
  case differs
  case inconclusive

  package var isChange: Bool { self == .better || self == .worse || self == .differs }
}

package struct TimeJudgement: Codable, Sendable, Equatable {
  package enum Scale: String, Codable, Sendable {
    /// Candidate / baseline.
    case ratio
    /// Candidate − baseline, in the metric's unit.
    case difference

    package func change(from baseline: Double, to candidate: Double) -> Double {
      self == .ratio ? candidate / baseline : candidate - baseline
    }
  }

  package struct Change: Codable, Sendable, Equatable {
    package let scale: Scale
    /// Hodges–Lehmann.
    package let estimate: Double
    /// Of the two-sided 95 % interval. Nil with too few trials.
    package let lower: Double?
    package let upper: Double?
  }

  package enum Reason: String, Codable, Sendable {
    /// Worse by more than the floor, and not by chance.
    case regressed
    /// The bound excludes a worsening by the margin.
    case excluded
    /// Even unanimous trials would be too few.
    case tooFewTrials = "too few trials"
    case tooNoisy = "too noisy"
    /// A side has no value.
    case noValues = "no values"
  }

  package let name: String
  package let verdict: Verdict
  package let reason: Reason
  package let direction: Direction
  package let pairing: Pairing
  package let baseline: Estimate?
  package let candidate: Estimate?
  package let change: Change?
  /// The probability, without a change, of a candidate at least this much worse.
  package let p: Double
  /// Corrected by Holm over the family.
  package let adjustedP: Double
  /// Two-sided and corrected. `direction` depends on it.
  package let adjustedPTwoSided: Double
  /// The worst change that the data leave possible, on the change's scale. Nil without a bound.
  package let bound: Double?
  /// A pass needs a bound that is better than this, on the change's scale.
  package let allowed: Double
  /// Pairs, or trials a side, that would settle an inconclusive verdict nine times in ten, if
  /// change and spread are as estimated.
  package let neededTrials: Int?
  package let fewestTrials: Int
  /// False if a normal approximation replaced the exact test.
  package let isExact: Bool
}

extension TimeJudgement {
  /// Pairs, or trials of the side with fewer.
  package var trials: Int { min(baseline?.trials ?? 0, candidate?.trials ?? 0) }
}
