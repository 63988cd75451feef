import Judging
import Measurement

/// The change of a row in files. Numbers are not rounded.
struct ComparisonChange: Encodable, Equatable {
  /// `ratio` (candidate / baseline), `difference` (candidate − baseline), or `count`, which is a
  /// difference without chance.
  let scale: String
  let estimate: Double?
  let lower: Double?
  let upper: Double?

  init(_ row: Comparison.Figure) {
    switch row.judgement {
    case .time(let judgement):
      scale = (judgement.change?.scale ?? .difference).rawValue
      estimate = judgement.change?.estimate
      lower = judgement.change?.lower
      upper = judgement.change?.upper
    case .count:
      scale = "count"
      estimate = row.candidate.median - row.baseline.median
      lower = nil
      upper = nil
    }
  }
}

extension Comparison.Figure {
  /// Two-sided, corrected over all figures of the comparison. Nil for exact counts.
  var adjustedP: Double? {
    guard case .time(let judgement) = judgement else { return nil }
    return judgement.adjustedPTwoSided
  }

  /// The trials that would decide an undecided row. Nil for decided rows, and if no number would.
  var neededTrials: Int? {
    guard verdict == .cannotTell else { return nil }
    switch judgement {
    case .time(let judgement): return judgement.neededTrials
    case .count: return disagreement == nil ? CountJudgement.trialsNeeded : nil
    }
  }

  /// The side whose trials of an exact count differ from each other.
  var disagreement: Side? {
    guard case .count(let judgement) = judgement, verdict == .cannotTell,
      judgement.outcome == .disagreesWithItself
    else { return nil }
    return judgement.doubtfulSide
  }
}
