/// A duet's verdict on one metric of one target, with its evidence.
package struct DuetFigure: Codable, Sendable, Equatable {
  /// A judgement by the rules of its kind of metric.
  package enum Judged: Codable, Sendable, Equatable {
    case time(TimeJudgement)
    case count(CountJudgement)

    package var verdict: Verdict {
      switch self {
      case .time(let judgement): judgement.verdict
      case .count(let judgement): judgement.verdict
      }
    }
  }

  package let target: CellKey
  package let metric: String
  /// At the last look that it was judged at.
  package internal(set) var judged: Judged
  /// The look after whose pairs it was judged: `first` or `second`.
  package internal(set) var look: DuetPhase
  /// Of the fresh pairs; nil where nothing was flagged, or they were not measured.
  package internal(set) var confirmation: Judged?
  /// The smallest worsening that so many pairs of this spread show nine times in ten, as a share of
  /// the baseline; nil of counts, which show any, and where there are too few pairs.
  package internal(set) var detectable: Double?

  /// Whether it was judged worse, but not yet by fresh pairs.
  package var isFlagged: Bool { judged.verdict == .fail }

  /// It fails where fresh pairs say so again, and passes where neither they nor the first ones
  /// leave a worsening by the margin possible.
  package var verdict: Verdict {
    guard isFlagged else { return judged.verdict }
    switch confirmation {
    case nil: return .inconclusive
    case .time(let fresh)?:
      if fresh.verdict == .fail { return .fail }
      return fresh.verdict == .pass && judged.excludesMargin ? .pass : .inconclusive
    case .count(let fresh)?: return fresh.verdict == .fail ? .fail : .inconclusive
    }
  }
}

extension DuetFigure.Judged {
  /// Whether what a pass must exclude was excluded, flagged or not.
  fileprivate var excludesMargin: Bool {
    guard case .time(let judgement) = self, let bound = judgement.bound else { return false }
    return judgement.isLess(bound, than: judgement.allowed)
  }
}

extension TimeJudgement {
  /// On the change's scale, where the direction of better decides what less is.
  fileprivate func isLess(_ bound: Double, than allowed: Double) -> Bool {
    let neutral = change?.scale == .ratio ? 1.0 : 0
    return allowed >= neutral ? bound < allowed : bound > allowed
  }
}
