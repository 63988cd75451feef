package import Measurement

/// One metric of matched cells, with its verdict.
package struct GateFigure: Codable, Sendable, Equatable {
  package struct Inexact: Codable, Sendable, Equatable {
    package let declared: InexactCount
    /// Whether trials of a side, or repeats of one, differ.
    package let differs: Bool
  }

  package let key: CellKey
  package let metric: Metric
  package let judgement: Judgement
  package let verdict: Verdict
  /// In the metric's unit, even if multiples were judged. Nil if the side has no value.
  package let baseline: Estimate?
  package let candidate: Estimate?
  /// Whether the exit status depends on it. Otherwise it advises.
  package let isGated: Bool
  /// Accepts a higher count.
  package let waiver: Waiver?
  /// The metric whose multiples were judged, cell by cell. Nil if plain values were judged.
  package let yardstick: Metric?
  /// Why statistics judged a count. Nil for times and exact counts.
  package let inexact: Inexact?
  /// Set if the machine's speed changed by more than the margin. The time is then inconclusive.
  package let otherSpeed: Diagnosis?
}

/// A limit, compared with what the candidate measured under one key.
package struct LimitResult: Codable, Sendable, Equatable {
  package let limit: Limit
  /// Nil if nothing that the limit covers was measured.
  package let key: CellKey?
  package let measured: Estimate?
  /// Order statistics that bound the median. Each bound is wrong one time in twenty at most.
  package let lower: Double?
  package let upper: Double?
  package let verdict: Verdict
  package let neededTrials: Int?
}

/// An expectation, compared with the candidate's rounds in one setting.
package struct ExpectationResult: Codable, Sendable, Equatable {
  package let expectation: Expectation
  /// The key of the topology that should be better. Nil if the two were not measured together.
  package let key: CellKey?
  package let rounds: Int
  /// Hodges–Lehmann estimate of worse / better, or of worse − better if values are not above zero.
  package let change: TimeJudgement.Change?
  /// One-sided, corrected by Holm over all expectations. Small if the expectation holds.
  package fileprivate(set) var p: Double
  package fileprivate(set) var verdict: Verdict
  /// The fewest rounds for a verdict. Nil if there are enough.
  package let neededTrials: Int?
}

extension ExpectationResult {
  /// Corrects the p-values and decides which hold.
  static func judged(_ candidates: [(result: ExpectationResult, test: RankShift?)])
    -> [ExpectationResult]
  {
    let holds = Statistics.holm(candidates.map { $0.test?.pGreater ?? 1 })
    let fails = Statistics.holm(candidates.map { $0.test?.pLess ?? 1 })
    return candidates.indices.map { index in
      var result = candidates[index].result
      result.p = holds[index]
      result.verdict = holds[index] <= 0.05 ? .pass : fails[index] <= 0.05 ? .fail : .inconclusive
      return result
    }
  }
}
