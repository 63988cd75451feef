package import Measurement

/// The parts of a gate that decide its outcome.
struct GateDecision {
  private let figures: [GateFigure]
  private let limits: [LimitResult]
  private let expectations: [ExpectationResult]
  /// How many parts of the baseline are missing, and sides have too many suspects.
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
