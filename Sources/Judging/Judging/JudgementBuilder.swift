import Measurement

/// Builds the judgement of one metric in its family from its test.
struct JudgementBuilder {
  let test: RankTestResult
  let adjustedP: Double
  let adjustedPTwoSided: Double
  let judge: Judge
  /// The number of metrics that are judged together.
  let family: Int

  private var scale: JudgingScale { test.scale }
  private var fewest: Int { judge.fewestTrials(metrics: family) }

  func judgement() -> TimeJudgement {
    let worst = test.worsening?.upperBound(tail: judge.tail)
    let reason = reason(worst: worst)
    let verdict = Self.verdict(reason)
    return TimeJudgement(
      name: test.sample.name, verdict: verdict, reason: reason,
      direction: direction(worst: worst), pairing: judge.pairing,
      baseline: Estimate(test.sample.baseline), candidate: Estimate(test.sample.candidate),
      change: change, p: test.p ?? 1, adjustedP: adjustedP,
      adjustedPTwoSided: adjustedPTwoSided, bound: worst.map(scale.change),
      allowed: scale.change(scale.allowed),
      neededTrials: verdict == .inconclusive ? neededTrials(worst: worst) : nil,
      fewestTrials: fewest, isExact: test.worsening?.isExact ?? true)
  }

  private static func verdict(_ reason: TimeJudgement.Reason) -> Verdict {
    switch reason {
    case .regressed: .fail
    case .excluded: .pass
    case .tooFewTrials, .tooNoisy, .noValues: .inconclusive
    }
  }

  private func reason(worst: Double?) -> TimeJudgement.Reason {
    guard let worsening = test.worsening else { return .noValues }
    guard test.trials >= fewest else { return .tooFewTrials }
    if adjustedP <= judge.alpha, worsening.estimate > scale.floor { return .regressed }
    return isHarmless(worst) ? .excluded : .tooNoisy
  }

  /// A bound of no change is harmless even if the margin is zero.
  private func isHarmless(_ bound: Double?) -> Bool {
    guard let bound else { return false }
    return bound < scale.allowed || bound <= 0
  }

  private func direction(worst: Double?) -> Direction {
    guard let worsening = test.worsening else { return .cannotTell }
    if test.isIdentical { return .same }
    guard test.trials >= fewest else { return .cannotTell }
    if adjustedPTwoSided <= judge.alpha, abs(worsening.estimate) > scale.floor {
      return worsening.estimate > 0 ? .worse : .better
    }
    let best = worsening.lowerBound(tail: judge.tail)
    return isHarmless(worst) && isHarmless(best.map { -$0 }) ? .same : .cannotTell
  }

  private var change: TimeJudgement.Change? {
    guard let worsening = test.worsening else { return nil }
    let ends = [worsening.lowerBound(tail: 0.025), worsening.upperBound(tail: 0.025)]
      .map { $0.map(scale.change) }
    return TimeJudgement.Change(
      scale: scale.kind, estimate: scale.change(worsening.estimate),
      lower: scale.isUpright ? ends[0] : ends[1], upper: scale.isUpright ? ends[1] : ends[0])
  }

  // More trials bring the bound closer to the estimate, for a pass, or make the estimate
  // significant, for a failure. The plan does not count on an improvement.
  private func neededTrials(worst: Double?) -> Int? {
    guard let worsening = test.worsening, let spread = spread(worst: worst) else {
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
    return max(settled, fewest, test.trials + 1)
  }

  /// The spread from the width of the interval that must become narrow. With too few trials for a
  /// bound, the deviation.
  private func spread(worst: Double?) -> Double? {
    guard let worst, let estimate = test.worsening?.estimate, worst > estimate else {
      return scale.spread(test.sample, judge.pairing)
    }
    return Power.spread(
      halfWidth: worst - estimate, tail: judge.tail, pairing: judge.pairing,
      baseline: test.sample.baseline.count, candidate: test.sample.candidate.count)
  }
}
