import Measurement

/// One metric of matched cells, with its verdict.
package struct GateFinding: Codable, Sendable, Equatable {
  package enum Evidence: Codable, Sendable, Equatable {
    case time(TimeJudgement)
    case count(CountJudgement)
  }

  package let key: CellKey
  /// The column's name.
  package let metric: String
  package let evidence: Evidence
  /// Whether the exit status depends on it; it advises otherwise.
  package let isGated: Bool
  /// Accepts the increase of a count.
  package let waiver: Waiver?
  /// The metric whose multiple was judged, cell by cell; nil if the value itself was judged.
  package let yardstick: String?
  /// Why a count was judged by statistics; nil for a time, and for an exact count.
  package let inexact: Inexact?

  init(
    key: CellKey, metric: String, evidence: Evidence, isGated: Bool, waiver: Waiver? = nil,
    yardstick: String? = nil, inexact: Inexact? = nil
  ) {
    self.key = key
    self.metric = metric
    self.evidence = evidence
    self.isGated = isGated
    self.waiver = waiver
    self.yardstick = yardstick
    self.inexact = inexact
  }

  package var verdict: Verdict {
    switch evidence {
    case .time(let judgement): judgement.verdict
    case .count(let judgement): waiver == nil ? judgement.verdict : .pass
    }
  }

  /// Pairs, or trials a side, that would probably settle what is inconclusive.
  package var neededTrials: Int? {
    switch evidence {
    case .time(let judgement): judgement.neededTrials
    case .count(let judgement): judgement.neededTrials
    }
  }

  /// Whether both sides have a value.
  package var isCompared: Bool {
    switch evidence {
    case .time(let judgement): judgement.baseline != nil && judgement.candidate != nil
    case .count(let judgement): judgement.baseline != nil && judgement.candidate != nil
    }
  }
}

/// A promise, held against what the candidate measured in one place.
package struct PromiseFinding: Codable, Sendable, Equatable {
  package let promise: Promise
  /// Nil where nothing of what was promised was measured.
  package let key: CellKey?
  package let measured: Estimate?
  /// The order statistics between which the median lies, each end wrong one time in twenty at most.
  package let lower: Double?
  package let upper: Double?
  package let verdict: Verdict
  package let neededTrials: Int?
}

/// An expectation, held against the candidate's rounds in one place.
package struct ExpectationFinding: Codable, Sendable, Equatable {
  package let expectation: Expectation
  /// Of the topology that is expected to be better; nil where they were not measured together.
  package let key: CellKey?
  package let rounds: Int
  /// Hodges–Lehmann estimate of worse / better, or of worse − better where values are not above
  /// zero.
  package let change: TimeJudgement.Change?
  /// One-sided, corrected by Holm over all expectations: small where it holds.
  package fileprivate(set) var p: Double
  package fileprivate(set) var verdict: Verdict
  /// Rounds with which the expectation could be told at all.
  package let neededTrials: Int?
}

extension ExpectationFinding {
  /// Corrects the p-values and says which hold.
  static func judged(_ candidates: [(finding: ExpectationFinding, test: RankShift?)])
    -> [ExpectationFinding]
  {
    let holds = Statistics.holm(candidates.map { $0.test?.pGreater ?? 1 })
    let fails = Statistics.holm(candidates.map { $0.test?.pLess ?? 1 })
    return candidates.indices.map { index in
      var finding = candidates[index].finding
      finding.p = holds[index]
      finding.verdict =
        holds[index] <= 0.05 ? .pass : fails[index] <= 0.05 ? .fail : .inconclusive
      return finding
    }
  }
}
