package import Measurement

package struct DuetFigure: Codable, Sendable, Equatable {
  package let target: CellKey
  package let metric: Metric
  /// At its last look.
  package let judgement: Judgement
  /// `first` or `second`.
  package let look: DuetPhase
  /// Of the fresh pairs. Nil if nothing was flagged, or they were not measured.
  package let confirmation: Judgement?
  /// The smallest worsening that so many pairs of this spread show nine times in ten, as a share of
  /// the baseline. Nil for counts, and with too few pairs.
  package let detectable: Double?
  /// Fails if fresh pairs fail again. Passes if neither fresh nor first pairs leave a worsening by
  /// the margin possible.
  package let verdict: Verdict

  init(
    target: CellKey, metric: Metric, judgement: Judgement, look: DuetPhase,
    confirmation: Judgement? = nil, detectable: Double? = nil
  ) {
    self.target = target
    self.metric = metric
    self.judgement = judgement
    self.look = look
    self.confirmation = confirmation
    self.detectable = detectable
    verdict = Self.verdict(judgement, confirmation)
  }

  func confirmed(by confirmation: Judgement) -> DuetFigure {
    DuetFigure(
      target: target, metric: metric, judgement: judgement, look: look,
      confirmation: confirmation, detectable: detectable)
  }

  package var isFlagged: Bool { judgement.verdict == .fail }

  private static func verdict(_ judgement: Judgement, _ confirmation: Judgement?) -> Verdict {
    guard judgement.verdict == .fail else { return judgement.verdict }
    switch confirmation {
    case nil: return .inconclusive
    case .time(let fresh)?:
      if fresh.verdict == .fail { return .fail }
      return fresh.verdict == .pass && judgement.excludesMargin ? .pass : .inconclusive
    case .count(let fresh)?: return fresh.verdict == .fail ? .fail : .inconclusive
    }
  }
}

extension Judgement {
  /// Whether the bound excludes the margin, flagged or not.
  fileprivate var excludesMargin: Bool {
    guard case .time(let judgement) = self, let bound = judgement.bound else { return false }
    return judgement.isLess(bound, than: judgement.allowed)
  }
}

extension TimeJudgement {
  /// On the change's scale. The direction of better decides what less is.
  fileprivate func isLess(_ bound: Double, than allowed: Double) -> Bool {
    let neutral = change?.scale == .ratio ? 1.0 : 0
    return allowed >= neutral ? bound < allowed : bound > allowed
  }
}
