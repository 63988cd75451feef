package import Measurement

// A family of times is judged like this, for each metric on its scale, where up is worse:
//
//                  floor      allowed
//   ─────┼───────────┼───────────┼─────────▶
//        0      ├────●───────────────┤        p small, estimate above the floor       fail
//      ├─●────────┤                           the bound is below what is allowed      pass
//      ├────────●───────────────────┤         neither                                 inconclusive
//
// p is one-sided and corrected over all metrics of the family (Holm 1979), so the chance of any
// false alarm stays below α. Passes need no correction. If one metric is worse by the margin, all
// pass with no higher probability than that metric alone (intersection-union test: Berger 1982).

/// Judges metrics that vary by chance, all metrics of one decision together.
package struct Judge: Sendable, Equatable {
  package var pairing: Pairing
  /// The family-wise error rate.
  package var alpha: Double
  /// The one-sided level of the bound of a pass: the probability that a change of exactly the
  /// margin passes.
  package var tail: Double

  /// The planned probability of a settled verdict.
  static let plannedPower = 0.9

  package init(pairing: Pairing, alpha: Double = 0.05, tail: Double = 0.05) {
    self.pairing = pairing
    self.alpha = alpha
    self.tail = tail
  }

  /// One judgement for each sample, in their order.
  ///
  /// - Precondition: values are finite; paired sides have equal lengths.
  package func times(_ samples: [TimeSample]) -> [TimeJudgement] {
    let tests = samples.map { RankTestResult($0, pairing: pairing) }
    let adjusted = holm(tests.map(\.p))
    let adjustedTwoSided = holm(tests.map(\.pTwoSided))
    let family = tests.count { $0.worsening != nil }
    return zip(tests, zip(adjusted, adjustedTwoSided)).map { test, p in
      JudgementBuilder(
        test: test, adjustedP: p.0, adjustedPTwoSided: p.1, judge: self, family: family
      )
      .judgement()
    }
  }

  /// The fewest pairs, or trials a side, with which a verdict over so many metrics is possible.
  package func fewestTrials(metrics: Int) -> Int {
    Trials.unanimous(pairing: pairing, metrics: metrics, alpha: alpha)
  }

  /// Nil is not part of the family, and becomes 1.
  private func holm(_ pValues: [Double?]) -> [Double] {
    var adjusted = Statistics.holm(pValues.compactMap { $0 })[...]
    return pValues.map { $0 == nil ? 1 : adjusted.removeFirst() }
  }
}

/// The rank test of one sample.
struct RankTestResult {
  let sample: TimeSample
  let scale: JudgingScale
  /// Nil if a side is empty.
  let worsening: RankShift?
  let isIdentical: Bool

  init(_ sample: TimeSample, pairing: Pairing) {
    precondition(
      pairing == .unpaired || sample.baseline.count == sample.candidate.count,
      "the sides of `\(sample.name)` are paired, and of \(sample.baseline.count) and "
        + "\(sample.candidate.count) values")
    self.sample = sample
    scale = JudgingScale(sample)
    worsening = scale.worsening(sample, pairing)
    isIdentical = !sample.baseline.isEmpty && sample.baseline == sample.candidate
  }

  var p: Double? { worsening?.pGreater }
  var pTwoSided: Double? { worsening.map { min(1, 2 * min($0.pLess, $0.pGreater)) } }
  var trials: Int { min(sample.baseline.count, sample.candidate.count) }
}
