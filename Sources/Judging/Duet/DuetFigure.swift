package import Measurement

package struct DuetFigure: Codable, Sendable, Equatable {
  package let target: CellKey
  package let metric: Metric
  /// At its last look.
  package let judgement: Judgement
  /// `first` or `second`.
  package let look: DuetPhase
  /// Of the fresh pairs. Nil if nothing was flagged, or they were not measured.
  package internal(set) var confirmation: Judgement? {
    didSet { verdict = Self.verdict(judgement, confirmation) }
  }
  /// The smallest worsening that so many pairs of this spread show nine times in ten, as a share of
  /// the baseline. Nil for counts, and with too few pairs.
  package let detectable: Double?
  /// Fails if fresh pairs fail again. Passes if neither fresh nor first pairs leave a worsening by
  /// the margin possible.
  package private(set) var verdict: Verdict

  init(
    target: CellKey, metric: Metric, judgement: Judgement, look: DuetPhase,
    detectable: Double? = nil
  ) {
    self.target = target
    self.metric = metric
    self.judgement = judgement
    self.look = look
    self.detectable = detectable
    verdict = Self.verdict(judgement, nil)
  }

  package var isFlagged: Bool { judgement.verdict == .fail }

  private static func verdict(_ judgement: Judgement, _ confirmation: Judgement?) -> Verdict {
    guard judgement.verdict == .fail else { return judgement.verdict }
    return switch confirmation?.verdict {
    case .fail: .fail
    case .pass where judgement.excludesMargin: .pass
    default: .inconclusive
    }
  }
}

extension Judgement {
  /// Whether the bound excludes the margin, flagged or not. The direction of better decides which
  /// side of the margin is better.
  fileprivate var excludesMargin: Bool {
    guard case .time(let judgement) = self, let bound = judgement.bound else { return false }
    let neutral = judgement.change?.scale == .ratio ? 1.0 : 0
    return judgement.allowed >= neutral ? bound < judgement.allowed : bound > judgement.allowed
  }
}
