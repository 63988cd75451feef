package import Measurement

package enum GateOutcome: String, Codable, Sendable, CaseIterable {
  case pass
  /// A gated figure is worse, a limit is broken, or an expectation does not hold.
  case regression
  /// A cell of the candidate was wrong, crashed or timed out.
  case badCell = "bad cell"
  /// The trials are too noisy or too few.
  case inconclusive
  /// The baseline cannot be used for this candidate.
  case baseline = "no baseline"
  case nothingCompared = "nothing compared"

  /// The first one that applies decides.
  package static let precedence = ExitStatus.precedence.compactMap { status in
    allCases.first { $0.exitStatus == status }
  }

  package var exitStatus: ExitStatus {
    switch self {
    case .pass: .done
    case .regression: .regression
    case .badCell: .badCell
    case .inconclusive: .inconclusive
    case .baseline: .baseline
    case .nothingCompared: .nothingCompared
    }
  }
}

/// The gated parts that decide a gate's outcome.
struct GateDecision {
  let figures: [GateFigure]
  let limits: [LimitResult]
  let expectations: [ExpectationResult]
  /// Whether the candidate lacks parts of the baseline, or a side has too many suspect cells.
  let isUndecided: Bool

  init(
    _ figures: [GateFigure], _ limits: [LimitResult], _ expectations: [ExpectationResult],
    times: Gate.Times, isUndecided: Bool
  ) {
    self.figures = figures.filter(\.isGated)
    self.limits = limits.filter { times.decide($0.limit.metric) }
    self.expectations = expectations.filter { times.decide($0.expectation.metric) }
    self.isUndecided = isUndecided
  }

  /// All outcomes that apply. The first one decides.
  func outcomes(isBaselineUsable: Bool, sharesCells: Bool, hasBadCells: Bool) -> [GateOutcome] {
    let verdicts = Set(figures.map(\.verdict) + limits.map(\.verdict) + expectations.map(\.verdict))
    let isCompared = figures.contains(where: \.judgement.isCompared)
    // Limits and expectations need no baseline.
    let isBroken = (limits.map(\.verdict) + expectations.map(\.verdict)).contains(.fail)
    let applying: [GateOutcome: Bool] = [
      .baseline: !isBaselineUsable,
      .nothingCompared: (sharesCells || !isCompared) && !isBroken,
      .badCell: hasBadCells, .regression: verdicts.contains(.fail),
      .inconclusive: isUndecided || verdicts.contains(.inconclusive), .pass: true,
    ]
    return GateOutcome.precedence.filter { applying[$0] == true }
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
  package func decide(_ metric: Metric) -> Bool { self == .gate || metric.isCount }
}
