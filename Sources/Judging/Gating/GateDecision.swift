package import Measurement

/// The parts of a gate that decide its outcome.
struct GateDecision {
  /// The gated ones.
  private let figures: [GateFigure]
  private let limits: [LimitResult]
  private let expectations: [ExpectationResult]
  /// The number of missing parts of the baseline and of sides with too many suspect cells.
  private let undecided: Int

  init(
    figures: [GateFigure], limits: [LimitResult], expectations: [ExpectationResult],
    missing: Int, suspects: Int, times: Gate.Times
  ) {
    self.figures = figures.filter(\.isGated)
    self.limits = limits.filter { times.decide($0.limit.metric) }
    self.expectations = expectations.filter { times.decide($0.expectation.metric) }
    // A count of a suspect cell is left out, and six others still decide.
    undecided = missing + (times == .gate ? suspects : 0)
  }

  /// All that apply, the one that counts first.
  func outcomes(
    isBaselineUsable: Bool, sharesCells: Bool, hasBadCells: Bool
  ) -> [GateOutcome] {
    let verdicts = Set(verdicts)
    let isCompared = figures.contains(where: \.judgement.isCompared)
    let applying: [GateOutcome: Bool] = [
      .baseline: !isBaselineUsable, .nothingCompared: sharesCells || !isCompared,
      .badCell: hasBadCells, .regression: verdicts.contains(.fail),
      .inconclusive: verdicts.contains(.inconclusive), .pass: true,
    ]
    return GateOutcome.precedence.filter { applying[$0] == true }
  }

  private var verdicts: [Verdict] {
    figures.map(\.verdict) + limits.map(\.verdict) + expectations.map(\.verdict)
      + Array(repeating: .inconclusive, count: undecided)
  }

  /// How many pairs, or trials a side, would probably settle all that is inconclusive; nil where
  /// nothing is, or trials would not.
  var neededTrials: Int? {
    let noisy = figures.filter { $0.verdict == .inconclusive && $0.otherSpeed == nil }
    let needed =
      noisy.compactMap(\.judgement.neededTrials) + limits.compactMap(\.neededTrials)
      + expectations.compactMap(\.neededTrials)
    return needed.max()
  }
}

extension Gate.Times {
  /// Whether a limit or an expectation of the metric decides.
  package func decide(_ metric: Metric) -> Bool {
    self == .gate || metric.isCount
  }
}
