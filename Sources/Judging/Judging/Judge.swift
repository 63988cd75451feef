package import Measurement

// How a family of times is judged. For each metric, on its scale, up being worse:
//
//                  floor      allowed
//   ─────┼───────────┼───────────┼─────────▶
//        0      ├────●───────────────┤        p small, estimate above the floor       fail
//      ├─●────────┤                           the bound is below what is allowed      pass
//      ├────────●───────────────────┤         neither                                 inconclusive
//
// p is one-sided and corrected over all metrics that are judged together (Holm 1979), so that the
// chance of any false alarm stays below α. Passes need no correction: that all pass though one of
// them is worse by the margin is no more probable than that this one passes (an intersection-union
// test: Berger 1982).

/// Judges metrics that vary by chance, all of one decision together.
package struct Judge: Sendable, Equatable {
  package var pairing: Pairing
  /// How probable any false alarm in the family may be.
  package var alpha: Double
  /// The one-sided level of the bound that lets pass: how probable it may be that a change of just
  /// the margin passes.
  package var tail: Double

  /// How probable a settled verdict should be, when trials are planned.
  static let plannedPower = 0.9

  package init(pairing: Pairing, alpha: Double = 0.05, tail: Double = 0.05) {
    self.pairing = pairing
    self.alpha = alpha
    self.tail = tail
  }

  /// One judgement for each sample, in their order.
  ///
  /// - Precondition: values are finite; where they are paired, both sides are equally long.
  package func times(_ samples: [TimeSample]) -> [TimeJudgement] {
    let opinions = samples.map { RankTestResult($0, pairing: pairing) }
    let adjusted = holm(opinions.map(\.p))
    let adjustedTwoSided = holm(opinions.map(\.pTwoSided))
    let family = opinions.count { $0.worsening != nil }
    return zip(opinions, zip(adjusted, adjustedTwoSided)).map { opinion, p in
      JudgementBuilder(
        opinion: opinion, adjustedP: p.0, adjustedPTwoSided: p.1, judge: self, family: family
      )
      .judgement()
    }
  }

  /// How many pairs, or trials a side, any verdict over so many metrics needs at least.
  package func fewestTrials(metrics: Int) -> Int {
    Trials.unanimous(pairing: pairing, metrics: metrics, alpha: alpha)
  }

  /// Corrects what is there; nil stays out of the family and counts as 1.
  private func holm(_ pValues: [Double?]) -> [Double] {
    var adjusted = Statistics.holm(pValues.compactMap { $0 })[...]
    return pValues.map { $0 == nil ? 1 : adjusted.removeFirst() }
  }
}

/// One sample, tested.
struct RankTestResult {
  let sample: TimeSample
  let scale: JudgingScale
  /// Nil where a side is empty.
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
