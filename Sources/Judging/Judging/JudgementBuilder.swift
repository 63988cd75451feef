import Measurement

/// Builds the judgement of one metric in its family from its test.
struct JudgementBuilder {
  let opinion: RankTestResult
  let adjustedP: Double
  let adjustedPTwoSided: Double
  let judge: Judge
  /// The number of metrics that are judged together.
  let family: Int

  private var scale: JudgingScale { opinion.scale }
  private var fewest: Int { judge.fewestTrials(metrics: family) }

  func judgement() -> TimeJudgement {
    let worst = opinion.worsening?.upperBound(tail: judge.tail)
    let reason = reason(worst: worst)
    let verdict = Self.verdict(reason)
    return TimeJudgement(
      name: opinion.sample.name, verdict: verdict, reason: reason,
      comparison: comparison(worst: worst), pairing: judge.pairing,
      baseline: Estimate(opinion.sample.baseline), candidate: Estimate(opinion.sample.candidate),
      change: change, p: opinion.p ?? 1, adjustedP: adjustedP,
      adjustedPTwoSided: adjustedPTwoSided, bound: worst.map(scale.told),
      allowed: scale.told(scale.allowed),
      neededTrials: verdict == .inconclusive ? neededTrials(worst: worst) : nil,
      isExact: opinion.worsening?.isExact ?? true)
  }

  private static func verdict(_ reason: TimeJudgement.Reason) -> Verdict {
    switch reason {
    case .regressed: .fail
    case .excluded: .pass
    case .tooFewTrials, .tooNoisy, .noValues: .inconclusive
    }
  }

  private func reason(worst: Double?) -> TimeJudgement.Reason {
    guard let worsening = opinion.worsening else { return .noValues }
    guard opinion.trials >= fewest else { return .tooFewTrials(needed: fewest) }
    if adjustedP <= judge.alpha, worsening.estimate > scale.floor { return .regressed }
    return isHarmless(worst) ? .excluded : .tooNoisy
  }

  /// A bound of no change is harmless even if the margin is zero.
  private func isHarmless(_ bound: Double?) -> Bool {
    guard let bound else { return false }
    return bound < scale.allowed || bound <= 0
  }

  private func comparison(worst: Double?) -> Direction {
    guard let worsening = opinion.worsening else { return .cannotTell }
    if opinion.isIdentical { return .same }
    guard opinion.trials >= fewest else { return .cannotTell }
    if adjustedPTwoSided <= judge.alpha, abs(worsening.estimate) > scale.floor {
      return worsening.estimate > 0 ? .worse : .better
    }
    let best = worsening.lowerBound(tail: judge.tail)
    return isHarmless(worst) && isHarmless(best.map { -$0 }) ? .same : .cannotTell
  }

  private var change: TimeJudgement.Change? {
    guard let worsening = opinion.worsening else { return nil }
    let ends = [worsening.lowerBound(tail: 0.025), worsening.upperBound(tail: 0.025)]
      .map { $0.map(scale.told) }
    return TimeJudgement.Change(
      scale: scale.kind, estimate: scale.told(worsening.estimate),
      lower: scale.isUpright ? ends[0] : ends[1], upper: scale.isUpright ? ends[1] : ends[0])
  }

  // More trials bring the bound closer to the estimate, for a pass, or make the estimate
  // significant, for a failure. The plan does not count on an improvement.
  private func neededTrials(worst: Double?) -> Int? {
    guard let worsening = opinion.worsening, let spread = spread(worst: worst) else {
      return fewest
    }
    let alpha = judge.alpha / Double(max(1, family))
    var plan = Power(
      spread: spread, pairing: judge.pairing, alpha: judge.tail, power: Judge.plannedPower)
    let toPass = plan.trials(toFind: scale.allowed - max(0, worsening.estimate))
    plan.alpha = alpha
    let isRegression = worsening.estimate > scale.floor
    let toFail = isRegression ? plan.trials(toFind: worsening.estimate) : nil
    guard let settled = [toPass, toFail].compactMap({ $0 }).min() else { return nil }
    return max(settled, fewest, opinion.trials + 1)
  }

  /// The spread from the width of the interval that must become narrow. With too few trials for a
  /// bound, the deviation.
  private func spread(worst: Double?) -> Double? {
    guard let worst, let estimate = opinion.worsening?.estimate, worst > estimate else {
      return scale.spread(opinion.sample, judge.pairing)
    }
    return Power.spread(
      halfWidth: worst - estimate, tail: judge.tail, pairing: judge.pairing,
      baseline: opinion.sample.baseline.count, candidate: opinion.sample.candidate.count)
  }
}
