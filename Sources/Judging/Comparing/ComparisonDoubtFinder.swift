import Measurement

/// Looks through a comparison for what makes it doubtful, the gravest first.
struct ComparisonDoubtFinder {
  let matching: Matching
  let judged: JudgedMatches

  /// A machine that was this much faster or slower makes every time doubtful.
  static let noticeableSpeed = 0.05
  static let suspectShare = 0.1

  func doubts() -> [ComparisonDoubt] {
    machine() + work() + trials()
  }

  private func machine() -> [ComparisonDoubt] {
    var doubts: [ComparisonDoubt] = []
    switch matching.machines {
    case .same: break
    case .different(let baseline, let candidate):
      doubts.append(.otherMachine(baseline: baseline, candidate: candidate))
    case .unknown: doubts.append(.unknownMachine)
    }
    if let ratio = speed, abs(ratio - 1) > Self.noticeableSpeed {
      doubts.append(.otherSpeed(ratio: ratio))
    }
    return doubts
  }

  private func work() -> [ComparisonDoubt] {
    let unequal = judged.matches.filter(\.didUnequalWork).map(\.key.topology)
    var doubts = unequal.map { ComparisonDoubt.unequalWork(topology: $0) }
    if matching.baseline.seeds != matching.candidate.seeds { doubts.append(.otherSeeds) }
    let shared = matching.sharedRuns
    if matching.pairing == .unpaired, !shared.isEmpty {
      doubts.append(.sharedRuns(shared.sorted()))
    }
    for (role, side) in sides where side.repeatedRows > 0 {
      doubts.append(.repeatedRows(role, rows: side.repeatedRows))
    }
    return doubts
  }

  private func trials() -> [ComparisonDoubt] {
    var doubts: [ComparisonDoubt] = []
    let fewest = judged.matches.map { min($0.baseline.okCells, $0.candidate.okCells) }.min()
    if let fewest, fewest < judged.fewestTrials {
      doubts.append(
        .fewTrials(trials: fewest, needed: judged.fewestTrials, metrics: judged.family))
    }
    for (role, side) in sides {
      let suspects = side.groups.flatMap(\.failures).filter { $0.status == .suspect }
        .reduce(0) { $0 + $1.cells }
      let share = Double(suspects) / Double(max(1, side.cells))
      if share > Self.suspectShare { doubts.append(.suspects(role, share: share)) }
    }
    return doubts
  }

  /// The middle of what the matches say of raw SQLite, which does the same work on both sides.
  private var speed: Double? {
    guard matching.baseline.keeps("raw_sqlite_ms"), matching.candidate.keeps("raw_sqlite_ms") else {
      return nil
    }
    return Statistics.median(
      judged.matches.compactMap { match in
        guard let before = Statistics.median(match.baseline.values("raw_sqlite_ms")), before > 0,
          let after = Statistics.median(match.candidate.values("raw_sqlite_ms")), after > 0
        else { return nil }
        return after / before
      })
  }

  private var sides: [(Comparison.Role, Side)] {
    [(.baseline, matching.baseline), (.candidate, matching.candidate)]
  }
}
