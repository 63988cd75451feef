package import Measurement

package enum Verdict: String, Codable, Sendable, CaseIterable {
  case pass
  case fail
  case inconclusive

  /// Fail before inconclusive before pass; nil for no verdicts.
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
  /// Changed, of a metric that is neither better nor worse when it changes, or of a time on two
  /// machines.
  case differs
  case inconclusive

  package var isChange: Bool { self == .better || self == .worse || self == .differs }
}

/// The verdict on one metric that varies by chance, with its evidence.
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

  /// A change from the baseline, on the scale that was judged.
  package struct Change: Codable, Sendable, Equatable {
    package let scale: Scale
    /// Hodges–Lehmann.
    package let estimate: Double
    /// Two-sided 95 % interval; an end is nil with too few trials.
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
    /// The bound is not below the allowed change.
    case tooNoisy = "too noisy"
    /// A side has no value.
    case noValues = "no values"
  }

  package let name: String
  package let verdict: Verdict
  package let reason: Reason
  package let direction: Direction
  package let pairing: Pairing
  /// Nil if the side has no value.
  package let baseline: Estimate?
  package let candidate: Estimate?
  package let change: Change?
  /// The probability, without a change, of a candidate this much worse or more.
  package let p: Double
  /// The same, corrected by Holm over the family.
  package let adjustedP: Double
  /// Two-sided, corrected by Holm over the family: what `direction` stands on.
  package let adjustedPTwoSided: Double
  /// The worst change that the data leave possible, on the change's scale; nil without a bound.
  package let bound: Double?
  /// A pass needs a bound better than this, on the change's scale.
  package let allowed: Double
  /// Pairs, or trials a side, that would settle an inconclusive verdict nine times in ten, if the
  /// change is as estimated and the spread remains. Nil if more trials would not.
  package let neededTrials: Int?
  /// The fewest pairs, or trials a side, with which any verdict is possible.
  package let fewestTrials: Int
  /// False if the normal approximation replaced the exact test.
  package let isExact: Bool
}

extension TimeJudgement {
  /// The change from one median to the other, on the scale that was judged; nil if a side is empty.
  package var medianChange: Double? {
    guard let change, let baseline, let candidate else { return nil }
    return change.scale.change(from: baseline.median, to: candidate.median)
  }

  /// Pairs, or trials of the side that has fewer.
  package var trials: Int { min(baseline?.trials ?? 0, candidate?.trials ?? 0) }
}
