package import Measurement

/// Everything that a gate decided, and why. Every format is made from it.
package struct GateResult: Codable, Sendable, Equatable {
  /// Cells of the candidate that were wrong, crashed or ran out of time.
  package struct BadCells: Codable, Sendable, Equatable {
    package let key: CellKey
    package let failure: TopologySummary.Failure
  }

  /// All that apply, the one that counts first.
  package let outcomes: [GateOutcome]
  package let outcome: GateOutcome
  package let exitStatus: Int32
  package let pairing: Pairing
  package let times: Gate.Times
  /// How many pairs, or trials a side, would probably settle all that is inconclusive; nil where
  /// nothing is, or trials would not.
  package let neededTrials: Int?
  /// Why the baseline cannot be used for this candidate.
  package let problems: [Diagnosis]
  /// Gated and advising, by match and in the order of the columns.
  package let figures: [GateFigure]
  package let limits: [LimitResult]
  package let expectations: [ExpectationResult]
  /// Cells that stand on both sides; nil where there are none.
  package let sharedCells: Diagnosis?
  /// Parts of the baseline that the candidate lacks.
  package let missing: [Matching.Unmatched]
  /// The topologies that the gate was narrowed to; empty for all.
  package let only: [String]
  package let badCells: [BadCells]
  /// Sides with too many suspect cells for a verdict.
  package let suspects: [Diagnosis]
  /// Waivers that accept nothing any more: remove them.
  package let unusedWaivers: [Waiver]
  /// Waivers whose last day is over.
  package let expiredWaivers: [Waiver]
  /// Counts that the policy calls inexact and that did not differ within any side.
  package let needlessInexactCounts: [InexactCount]

  init(
    pairing: Pairing, problems: [Diagnosis], figures: [GateFigure], limits: [LimitResult],
    expectations: [ExpectationResult], sharedCells: Diagnosis?, missing: [Matching.Unmatched],
    badCells: [BadCells],
    suspects: [Diagnosis], times: Gate.Times, policy: Policy, today: CalendarDay
  ) {
    self.pairing = pairing
    self.times = times
    self.problems = problems
    self.figures = figures
    self.limits = limits
    self.expectations = expectations
    self.sharedCells = sharedCells
    self.missing = missing
    only = policy.only
    self.badCells = badCells
    self.suspects = suspects
    let gated = figures.filter(\.isGated)
    let deciding = (
      limits: limits.filter { times.decide($0.limit.metric) },
      expectations: expectations.filter { times.decide($0.expectation.metric) }
    )
    let verdicts =
      gated.map(\.verdict) + deciding.limits.map(\.verdict)
      + deciding.expectations.map(\.verdict)
      // A count of a suspect cell is left out, and six others still decide.
      + (times == .gate ? suspects : []).map { _ in .inconclusive }
      + missing.map { _ in .inconclusive }
    let applying: [GateOutcome: Bool] = [
      .baseline: !problems.isEmpty,
      .nothingCompared: sharedCells != nil || !gated.contains(where: \.judgement.isCompared),
      .badCell: !badCells.isEmpty, .regression: verdicts.contains(.fail),
      .inconclusive: verdicts.contains(.inconclusive), .pass: true,
    ]
    outcomes = GateOutcome.precedence.filter { applying[$0] == true }
    outcome = outcomes[0]
    exitStatus = outcome.exitStatus
    let undecided = gated.filter { $0.verdict == .inconclusive && $0.otherSpeed == nil }
    neededTrials =
      (undecided.compactMap(\.judgement.neededTrials)
      + deciding.limits.compactMap(\.neededTrials)
      + deciding.expectations.compactMap(\.neededTrials)).max()
    let used = figures.compactMap(\.waiver)
    expiredWaivers = policy.waivers.filter { $0.until < today }
    unusedWaivers = policy.waivers.filter { $0.until >= today && !used.contains($0) }
    needlessInexactCounts = policy.inexactCounts.filter { $0.isNeedless(in: figures) }
  }

  package var gated: [GateFigure] { figures.filter(\.isGated) }
  package var advising: [GateFigure] { figures.filter { !$0.isGated } }
}

extension Gate.Times {
  /// Whether a limit or an expectation of the metric decides.
  package func decide(_ metric: Metric) -> Bool {
    self == .gate || metric.isIndependentOfScheduling
  }
}

extension InexactCount {
  /// Whether no count that it covers differed within a side: then the counts could be judged
  /// exactly. False if the scenario was not measured.
  fileprivate func isNeedless(in figures: [GateFigure]) -> Bool {
    guard figures.contains(where: { isOf($0.key.scenario) }) else { return false }
    return !figures.contains { $0.inexact?.declared == self && $0.inexact?.differs == true }
  }
}
