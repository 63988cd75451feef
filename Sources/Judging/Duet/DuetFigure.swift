package import Measurement

package struct DuetFigure: Codable, Sendable, Equatable {
  package let target: CellKey
  package let metric: Metric
  /// The judgement at the last look (see ``SequentialTest``).
  package let judgement: Judgement
  /// `first` or `second`.
  package let look: DuetPhase
  /// The judgement of the fresh pairs. Nil if not flagged, or if they were not measured.
  package internal(set) var confirmation: Judgement? {
    didSet { verdict = Self.verdict(judgement, confirmation) }
  }
  /// The smallest worsening, as a share of the baseline, that this number of pairs with this spread
  /// shows nine times in ten. Nil for counts, and with too few pairs.
  package let detectable: Double?
  /// A flagged figure fails if fresh pairs fail too, and passes if both the fresh and the first
  /// pairs exclude a worsening by the margin.
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
  /// Whether the bound excludes a worsening by the margin, flagged or not. If higher is better, it
  /// must lie above `allowed`.
  fileprivate var excludesMargin: Bool {
    guard case .time(let judgement) = self, let bound = judgement.bound else { return false }
    let neutral = judgement.change?.scale == .ratio ? 1.0 : 0
    return judgement.allowed >= neutral ? bound < judgement.allowed : bound > judgement.allowed
  }
}
