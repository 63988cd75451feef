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

  /// The waivers that still hold, and that no figure needs.
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
  /// Whether no count that it covers differed within a side: then the counts could be judged
  /// exactly. False if the scenario was not measured.
  fileprivate func isNeedless(in figures: [GateFigure]) -> Bool {
    guard figures.contains(where: { isOf($0.key.scenario) }) else { return false }
    return !figures.contains { $0.inexact?.declared == self && $0.inexact?.differs == true }
  }
}
