package import Measurement

/// A gate's decision and its reasons. Every format is made from it.
package struct GateResult: Codable, Sendable, Equatable {
  /// Cells of the candidate that were wrong, crashed or timed out.
  package struct BadCells: Codable, Sendable, Equatable {
    package let key: CellKey
    package let failure: TopologySummary.Failure
  }

  /// All outcomes that apply. The first one decides.
  package let outcomes: [GateOutcome]
  package let outcome: GateOutcome
  package let exitStatus: Int32
  package let pairing: Pairing
  package let times: Gate.Times
  /// Pairs, or trials a side, that would probably settle all inconclusive verdicts. Nil if none is
  /// inconclusive, or if more trials would not help.
  package let neededTrials: Int?
  /// Why the baseline cannot be used.
  package let problems: [Diagnosis]
  /// By match, in the order of the columns.
  package let figures: [GateFigure]
  package let limits: [LimitResult]
  package let expectations: [ExpectationResult]
  /// Names cells that are on both sides.
  package let sharedCells: Diagnosis?
  /// Parts of the baseline that the candidate lacks.
  package let missing: [Matching.Unmatched]
  /// The topologies that the gate was narrowed to. Empty for all.
  package let only: [String]
  package let badCells: [BadCells]
  /// Sides with too many suspect cells for a verdict.
  package let suspects: [Diagnosis]
  /// Waivers that still hold but accept no figure.
  package let unusedWaivers: [Waiver]
  package let expiredWaivers: [Waiver]
  /// Counts that the policy calls inexact, but did not differ within any side.
  package let needlessInexactCounts: [InexactCount]

  init(_ matching: Matching, by gate: Gate) {
    let (policy, side) = (gate.policy, matching.candidate)
    let diagnoses = MatchingDiagnoses(matching: matching, grade: .discard)
    pairing = matching.pairing
    times = gate.times
    problems = diagnoses.problems(
      allowsOtherMachine: gate.allowsOtherMachine || gate.times == .advise
        || matching.matches.allSatisfy(\.key.isCounted))
    figures = gate.figures(matching)
    limits = policy.limits.flatMap { $0.results(in: side) }
    expectations = ExpectationResult.judged(policy.expectations.flatMap { $0.results(in: side) })
    sharedCells = diagnoses.sharedCells
    missing = Self.missing(matching)
    only = policy.only
    badCells = Self.badCells(side)
    suspects = diagnoses.suspects
    let decision = GateDecision(
      figures, limits, expectations, times: times,
      // Counts of suspect cells are left out, and those of six other cells still decide.
      isUndecided: !missing.isEmpty || times == .gate && !suspects.isEmpty)
    outcomes = decision.outcomes(
      isBaselineUsable: problems.isEmpty, sharesCells: sharedCells != nil,
      hasBadCells: !badCells.isEmpty)
    outcome = outcomes[0]
    exitStatus = outcome.exitStatus.rawValue
    neededTrials = decision.neededTrials
    let used = figures.compactMap(\.waiver)
    expiredWaivers = policy.waivers.filter { $0.until < gate.today }
    unusedWaivers = policy.waivers.filter { $0.until >= gate.today && !used.contains($0) }
    needlessInexactCounts = policy.inexactCounts.filter { [figures] in $0.isNeedless(in: figures) }
  }

  private static func missing(_ matching: Matching) -> [Matching.Unmatched] {
    matching.baselineOnly.filter { unmatched in
      let isMeasured = matching.baseline.group(unmatched.key).map { $0.okCells > 0 } ?? false
      return isMeasured && !unmatched.isOtherDigest
    }
  }

  private static func badCells(_ side: SideCells) -> [BadCells] {
    side.groups.flatMap { group in
      group.failures.filter { $0.status != .suspect }.map { BadCells(key: group.key, failure: $0) }
    }
  }

  package var gated: [GateFigure] { figures.filter(\.isGated) }
  package var advising: [GateFigure] { figures.filter { !$0.isGated } }
}

extension InexactCount {
  /// Whether its counts did not differ within a side, so they could be judged exactly. False if the
  /// scenario was not measured.
  fileprivate func isNeedless(in figures: [GateFigure]) -> Bool {
    guard figures.contains(where: { $0.key.isOf(topology: nil, scenario: scenario) }) else {
      return false
    }
    return !figures.contains { $0.inexact?.declared == self && $0.inexact?.differs == true }
  }
}
