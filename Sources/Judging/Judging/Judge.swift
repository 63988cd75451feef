package import Measurement

// A family of times is judged like this, for each metric on its scale, where up is worse. The dot
// is the estimate of the change; the line ends at its upper bound. The first true row decides:
//
//   no change      floor      allowed
//   ─────┼───────────┼───────────┼─────────▶
//        │             ├──●─────────┤         p small, estimate above the floor       fail
//      ├─●────────┤                           upper bound below what is allowed       pass
//      ├────────●───────────────────┤         neither                                 inconclusive
//
// p is the one-sided probability of such data without a change. It is corrected over all metrics of
// the family (Holm 1979), so the chance of any false alarm stays below α. Passes need no
// correction. If one metric is worse by the margin, all pass with no higher probability than that
// metric alone (intersection-union test: Berger 1982).

/// Judges metrics that vary by chance, all metrics of one decision together.
package struct Judge: Sendable, Equatable {
  package var pairing: Pairing
  /// The family-wise error rate.
  package var alpha = 0.05
  /// The one-sided level of a pass: the probability that a change of exactly the margin passes.
  package var tail = 0.05
  /// Whether a judgement says how many trials would settle it. `duet` names one number of pairs for
  /// all figures of a topology instead (`DuetSize`).
  var plansTrials = true

  /// One for each sample, in their order.
  ///
  /// - Precondition: values are finite. Paired sides have equal lengths.
  package func times(_ samples: [TimeSample]) -> [TimeJudgement] {
    var family = JudgedFamily(samples, by: self)
    return samples.map { family.next($0) }
  }

  /// The fewest pairs, or trials a side, for a verdict over so many metrics.
  package func fewestTrials(metrics: Int) -> Int {
    Trials.unanimous(pairing: pairing, metrics: metrics, alpha: alpha)
  }
}

/// The tests of samples that are judged together. Samples are not kept: a long report builds them
/// one at a time.
struct JudgedFamily {
  private let judge: Judge
  private var tests: ArraySlice<Worsening?>
  private var adjusted: ArraySlice<Double>
  private var adjustedTwoSided: ArraySlice<Double>
  /// Samples with values on both sides.
  let count: Int
  /// For any verdict of the family.
  let fewestTrials: Int

  init(_ samples: some Sequence<TimeSample>, by judge: Judge) {
    self.judge = judge
    let tests = samples.map { Worsening($0, by: judge) }
    self.tests = tests[...]
    adjusted = Self.holm(tests.map { $0?.p })[...]
    adjustedTwoSided = Self.holm(tests.map { $0?.pTwoSided })[...]
    count = tests.count { $0 != nil }
    fewestTrials = judge.fewestTrials(metrics: count)
  }

  /// - Precondition: samples come in the order of their tests.
  mutating func next(_ sample: TimeSample) -> TimeJudgement {
    JudgementBuilder(
      sample: sample, scale: JudgingScale(sample), worsening: tests.removeFirst(),
      adjustedP: adjusted.removeFirst(), adjustedPTwoSided: adjustedTwoSided.removeFirst(),
      judge: judge, family: count, fewest: fewestTrials
    ).judgement
  }

  /// Nil is not part of the family. Its adjusted p is 1.
  private static func holm(_ pValues: [Double?]) -> [Double] {
    var adjusted = Statistics.holm(pValues.compactMap { $0 })[...]
    return pValues.map { $0 == nil ? 1 : adjusted.removeFirst() }
  }
}

/// The parts of a sample's test that its judgement needs. The whole test holds every step, which
/// is too much for reports of many figures.
private struct Worsening {
  let estimate: Double
  let p: Double
  let pTwoSided: Double
  /// One-sided bounds, at the tail of a pass.
  let best: Double?
  let worst: Double?
  /// Ends of the 95 % interval.
  let lower: Double?
  let upper: Double?
  let isExact: Bool

  /// Nil if a side is empty.
  init?(_ sample: TimeSample, by judge: Judge) {
    precondition(
      judge.pairing == .unpaired || sample.baseline.count == sample.candidate.count,
      "the sides of `\(sample.name)` are paired, and of \(sample.baseline.count) and "
        + "\(sample.candidate.count) values")
    guard let shift = JudgingScale(sample).worsening(sample, judge.pairing) else { return nil }
    estimate = shift.estimate
    p = shift.pGreater
    pTwoSided = shift.pTwoSided
    best = shift.lowerBound(tail: judge.tail)
    worst = shift.upperBound(tail: judge.tail)
    lower = shift.lowerBound(tail: 0.025)
    upper = shift.upperBound(tail: 0.025)
    isExact = shift.isExact
  }
}

private struct JudgementBuilder {
  let sample: TimeSample
  let scale: JudgingScale
  let worsening: Worsening?
  let adjustedP: Double
  let adjustedPTwoSided: Double
  let judge: Judge
  let family: Int
  /// For any verdict of the family.
  let fewest: Int

  private var trials: Int { min(sample.baseline.count, sample.candidate.count) }

  var judgement: TimeJudgement {
    let reason = reason
    let verdict: Verdict =
      switch reason {
      case .regressed: .fail
      case .excluded: .pass
      case .tooFewTrials, .tooNoisy, .noValues: .inconclusive
      }
    return TimeJudgement(
      name: sample.name, verdict: verdict, reason: reason, direction: direction,
      pairing: judge.pairing, baseline: Estimate(sample.baseline, areCounts: sample.areCounts),
      candidate: Estimate(sample.candidate, areCounts: sample.areCounts), change: change,
      p: worsening?.p ?? 1,
      adjustedP: adjustedP, adjustedPTwoSided: adjustedPTwoSided,
      bound: worsening?.worst.map(scale.change), allowed: scale.change(scale.allowed),
      neededTrials: verdict == .inconclusive && judge.plansTrials ? neededTrials : nil,
      fewestTrials: fewest,
      isExact: worsening?.isExact ?? true)
  }

  private var reason: TimeJudgement.Reason {
    guard let worsening else { return .noValues }
    guard trials >= fewest else { return .tooFewTrials }
    if adjustedP <= judge.alpha, worsening.estimate > scale.floor { return .regressed }
    return isHarmless(worsening.worst) ? .excluded : .tooNoisy
  }

  /// A bound at or below no change is harmless, even if the margin is zero.
  private func isHarmless(_ bound: Double?) -> Bool {
    guard let bound else { return false }
    return bound < scale.allowed || bound <= 0
  }

  private var direction: Direction {
    guard let worsening else { return .inconclusive }
    if sample.baseline == sample.candidate { return .same }
    guard trials >= fewest else { return .inconclusive }
    if adjustedPTwoSided <= judge.alpha, abs(worsening.estimate) > scale.floor {
      return worsening.estimate > 0 ? .worse : .better
    }
    return isHarmless(worsening.worst) && isHarmless(worsening.best.map { -$0 })
      ? .same : .inconclusive
  }

  private var change: TimeJudgement.Change? {
    guard let worsening else { return nil }
    let ends = [worsening.lower, worsening.upper].map { $0.map(scale.change) }
    return TimeJudgement.Change(
      scale: scale.kind, estimate: scale.change(worsening.estimate),
      lower: scale.isUpright ? ends[0] : ends[1], upper: scale.isUpright ? ends[1] : ends[0])
  }

  // With more trials, the bound moves towards the estimate until the sample passes, or the estimate
  // becomes significant and the sample fails. The plan treats an improvement as no change.
  private var neededTrials: Int? {
    guard let worsening, let spread else { return fewest }
    var plan = Power(spread: spread, pairing: judge.pairing, alpha: judge.tail)
    let toPass = plan.trials(toFind: scale.allowed - max(0, worsening.estimate))
    plan.alpha = judge.alpha / Double(max(1, family))
    let isRegression = worsening.estimate > scale.floor
    let toFail = isRegression ? plan.trials(toFind: worsening.estimate) : nil
    guard let settled = [toPass, toFail].compactMap({ $0 }).min() else { return nil }
    return max(settled, fewest, trials + 1)
  }

  /// Follows from the width of the interval that must become narrow or, with too few trials for a
  /// bound, from the deviation.
  private var spread: Double? {
    guard let worsening, let worst = worsening.worst, worst > worsening.estimate else {
      return scale.spread(sample, judge.pairing)
    }
    return Power.spread(
      halfWidth: worst - worsening.estimate, tail: judge.tail, pairing: judge.pairing,
      baseline: sample.baseline.count, candidate: sample.candidate.count)
  }
}
