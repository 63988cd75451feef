package import Measurement

/// Everything that a gate decided, and why. Every format is made from it.
package struct GateResult: Sendable, Equatable {
  /// Cells of the candidate that were wrong, crashed or ran out of time.
  package struct BadCells: Codable, Sendable, Equatable {
    package let key: CellKey
    package let failure: TopologySummary.Failure
  }

  package let pairing: Pairing
  /// Why the baseline cannot be used for this candidate.
  package let problems: [Diagnosis]
  /// Gated and advising, by match and in the order of the columns.
  package let findings: [GateFinding]
  package let promises: [PromiseFinding]
  package let expectations: [ExpectationFinding]
  /// Cells that stand on both sides; nil where there are none.
  package let sharedCells: Diagnosis?
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
    pairing: Pairing, problems: [Diagnosis], findings: [GateFinding], promises: [PromiseFinding],
    expectations: [ExpectationFinding], sharedCells: Diagnosis?, badCells: [BadCells],
    suspects: [Diagnosis], policy: Policy, today: CalendarDay
  ) {
    self.pairing = pairing
    self.problems = problems
    self.findings = findings
    self.promises = promises
    self.expectations = expectations
    self.sharedCells = sharedCells
    self.badCells = badCells
    self.suspects = suspects
    let used = findings.compactMap(\.waiver)
    expiredWaivers = policy.waivers.filter { $0.until < today }
    unusedWaivers = policy.waivers.filter { $0.until >= today && !used.contains($0) }
    needlessInexactCounts = policy.inexactCounts.filter { $0.isNeedless(in: findings) }
  }

  package var gated: [GateFinding] { findings.filter(\.isGated) }
  package var advising: [GateFinding] { findings.filter { !$0.isGated } }

  /// All that apply, the one that counts first.
  package var outcomes: [GateOutcome] {
    let verdicts =
      gated.map(\.verdict) + promises.map(\.verdict) + expectations.map(\.verdict)
      + suspects.map { _ in .inconclusive }
    let applying: [GateOutcome: Bool] = [
      .baseline: !problems.isEmpty,
      .nothingCompared: sharedCells != nil || !gated.contains(where: \.isCompared),
      .badCell: !badCells.isEmpty, .regression: verdicts.contains(.fail),
      .inconclusive: verdicts.contains(.inconclusive), .pass: true,
    ]
    return GateOutcome.precedence.filter { applying[$0] == true }
  }

  package var outcome: GateOutcome { outcomes[0] }

  /// How many pairs, or trials a side, would probably settle all that is inconclusive; nil where
  /// nothing is, or trials would not.
  package var neededTrials: Int? {
    let needed =
      gated.filter { $0.verdict == .inconclusive }.compactMap(\.neededTrials)
      + promises.compactMap(\.neededTrials) + expectations.compactMap(\.neededTrials)
    return needed.max()
  }
}
