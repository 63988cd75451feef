package import Measurement

/// What a judge says: of one metric, or of all together.
package enum Verdict: String, Codable, Sendable, CaseIterable {
  case pass
  case fail
  case inconclusive

  /// A failure outweighs doubt, and doubt a pass; nil of nothing.
  package static func together(_ verdicts: some Sequence<Verdict>) -> Verdict? {
    let all = Set(verdicts)
    return [.fail, .inconclusive, .pass].first { all.contains($0) }
  }
}

/// What a comparison says, which asks about both directions.
package enum Direction: String, Codable, Sendable, CaseIterable {
  case better
  case worse
  case same
  case cannotTell = "cannot tell"
}

/// The verdict about one metric that varies by chance, with everything it rests on.
package struct TimeJudgement: Codable, Sendable, Equatable {
  package enum Scale: String, Codable, Sendable {
    /// Candidate / baseline.
    case ratio
    /// Candidate − baseline, in the metric's unit.
    case difference
  }

  /// A change from the baseline, on the scale that was judged.
  package struct Change: Codable, Sendable, Equatable {
    package let scale: Scale
    /// Hodges–Lehmann.
    package let estimate: Double
    /// Of 95 %, both sides; an end is nil where there are too few trials for one.
    package let lower: Double?
    package let upper: Double?
  }

  package enum Reason: Codable, Sendable, Equatable {
    /// Worse by more than the floor, and not by chance.
    case regressed
    /// What a pass must exclude is excluded.
    case excluded
    /// Even unanimity would not be enough.
    case tooFewTrials(needed: Int)
    /// Neither: the bound is not below what is allowed.
    case tooNoisy
    /// A side has no value.
    case noValues
  }

  package let name: String
  package let verdict: Verdict
  package let reason: Reason
  package let comparison: Direction
  package let pairing: Pairing
  /// Nil where the side has no value.
  package let baseline: Estimate?
  package let candidate: Estimate?
  package let change: Change?
  /// The probability, without a change, of a candidate this much worse or more.
  package let p: Double
  /// The same, corrected by Holm over the family.
  package let adjustedP: Double
  /// Two-sided, corrected by Holm over the family: what `comparison` stands on.
  package let adjustedPTwoSided: Double
  /// The worst change that the data leave possible, on the change's scale; nil where they leave any.
  package let bound: Double?
  /// What the bound must be better than for a pass, on the change's scale.
  package let allowed: Double
  /// Where it is inconclusive: how many pairs, or trials a side, would probably settle it (nine times
  /// in ten, if the change is as it was estimated and the spread remains). Nil where none would.
  package let neededTrials: Int?
  /// False where the normal approximation stood in for the exact test.
  package let isExact: Bool
}

extension TimeJudgement {
  /// The change as a share of the baseline's median: 0.05 is 5 % more; nil where that is zero.
  package var relativeChange: Double? {
    guard let change else { return nil }
    if change.scale == .ratio { return change.estimate - 1 }
    guard let base = baseline?.median, base != 0 else { return nil }
    return change.estimate / abs(base)
  }

  /// Pairs, or trials of the side that has fewer.
  package var trials: Int { min(baseline?.trials ?? 0, candidate?.trials ?? 0) }
}
