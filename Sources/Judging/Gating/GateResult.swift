package import Measurement

/// A gate's decision and its reasons. Every format is made from it.
package struct GateResult: Codable, Sendable, Equatable {
  /// Cells of the candidate that were wrong, crashed or timed out.
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
  /// Pairs, or trials a side, that would probably settle all that is inconclusive. Nil if nothing
  /// is, or trials would not.
  package let neededTrials: Int?
  /// Why the baseline cannot be used.
  package let problems: [Diagnosis]
  /// By match, in the order of the columns.
  package let figures: [GateFigure]
  package let limits: [LimitResult]
  package let expectations: [ExpectationResult]
  /// Cells of both sides.
  package let sharedCells: Diagnosis?
  /// Parts of the baseline that the candidate lacks.
  package let missing: [Matching.Unmatched]
  /// The topologies that the gate was narrowed to. Empty for all.
  package let only: [String]
  package let badCells: [BadCells]
  /// Sides with too many suspect cells for a verdict.
  package let suspects: [Diagnosis]
  /// They accept nothing any more.
  package let unusedWaivers: [Waiver]
  package let expiredWaivers: [Waiver]
  /// Counts that the policy calls inexact, but did not differ within any side.
  package let needlessInexactCounts: [InexactCount]

  init(
    pairing: Pairing, problems: [Diagnosis], figures: [GateFigure], limits: [LimitResult],
    expectations: [ExpectationResult], sharedCells: Diagnosis?, missing: [Matching.Unmatched],
    badCells: [BadCells], suspects: [Diagnosis], times: Gate.Times, policy: Policy,
    today: CalendarDay
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
    let decision = GateDecision(
      figures: figures, limits: limits, expectations: expectations, missing: missing.count,
      suspects: suspects.count, times: times)
    outcomes = decision.outcomes(
      isBaselineUsable: problems.isEmpty, sharesCells: sharedCells != nil,
      hasBadCells: !badCells.isEmpty)
    outcome = outcomes[0]
    exitStatus = outcome.exitStatus
    neededTrials = decision.neededTrials
    expiredWaivers = policy.waivers.filter { $0.until < today }
    unusedWaivers = Self.unused(policy.waivers, in: figures, today)
    needlessInexactCounts = policy.inexactCounts.filter { $0.isNeedless(in: figures) }
  }

  /// Waivers that still hold, but no figure needs.
  private static func unused(
    _ waivers: [Waiver], in figures: [GateFigure], _ today: CalendarDay
  ) -> [Waiver] {
    let used = figures.compactMap(\.waiver)
    return waivers.filter { $0.until >= today && !used.contains($0) }
  }

  package var gated: [GateFigure] { figures.filter(\.isGated) }
  package var advising: [GateFigure] { figures.filter { !$0.isGated } }
}

extension InexactCount {
  /// Whether its counts did not differ within a side, so they could be judged exactly. False if the
  /// scenario was not measured.
  fileprivate func isNeedless(in figures: [GateFigure]) -> Bool {
    guard figures.contains(where: { isOf($0.key.scenario) }) else { return false }
    return !figures.contains { $0.inexact?.declared == self && $0.inexact?.differs == true }
  }
}
