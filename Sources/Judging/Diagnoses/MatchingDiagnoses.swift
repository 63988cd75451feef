import Measurement

/// Reasons to doubt a comparison. A gate rejects a result that a comparison only calls doubtful.
struct MatchingDiagnoses {
  let matching: Matching
  /// `fair` for a comparison. `discard` for a gate.
  let grade: Diagnosis.Grade

  private var areMeasured: Bool { Side.allCases.allSatisfy { !matching[$0].groups.isEmpty } }

  func otherMachine(remedy: String) -> Diagnosis? {
    switch matching.machines {
    case .same: nil
    case _ where !areMeasured: nil
    case .unknown:
      Diagnosis(
        "a side does not say which machine it was measured on", remedy: remedy, grade: grade)
    case .different:
      Diagnosis(
        "the baseline is of another machine",
        evidence: matching.hosts.first { $0.baseline != $0.candidate }
          .map { "\($0.baseline.names), not \($0.candidate.names)" } ?? "",
        remedy: remedy, grade: grade)
    }
  }

  var otherSeeds: Diagnosis? {
    let sides = (matching.baseline.seeds, matching.candidate.seeds)
    let all = [sides] + matching.matches.map { ($0.baseline.seeds, $0.candidate.seeds) }
    guard areMeasured, let seeds = all.first(where: { $0.0 != $0.1 }) else { return nil }
    return Diagnosis(
      "the sides were drawn from different seeds",
      evidence: "the baseline from \(list(seeds.0)), the candidate from \(list(seeds.1))",
      remedy: "give both one --seed", grade: grade)
  }

  var unequalWork: [Diagnosis] {
    matching.matches.filter(\.didUnequalWork).map { match in
      Diagnosis(
        "\(match.key.topology.brief) did not end with the same rows on both sides",
        evidence: match.key.place, remedy: "find out which side is wrong", grade: grade)
    }
  }

  var otherDigests: [Diagnosis] {
    matching.otherDigests.map { other in
      Diagnosis(
        "the baseline is of another version of \(other.setting.scenario.brief)",
        remedy: "measure it again with the scenario and data of the candidate", grade: grade)
    }
  }

  var suspects: [Diagnosis] {
    Side.allCases.compactMap { side in
      let share = matching[side].suspectShare
      guard share > DiagnosisLimits.suspectShare else { return nil }
      return Diagnosis(
        "\(Figures.percent(share)) of the \(side)'s cells are suspect",
        evidence: "a verdict can bear \(Figures.percent(DiagnosisLimits.suspectShare))",
        remedy: "let nothing else run and measure again", grade: grade)
    }
  }

  /// Cells that both sides have. Compared with itself, a cell can only pass.
  var sharedCells: Diagnosis? {
    let cells = matching.candidate.cellsShared(with: matching.baseline)
    guard cells > 0 else { return nil }
    return Diagnosis(
      "\(Figures.counted(cells, "cell")) of the candidate \(cells == 1 ? "is" : "are") the"
        + " baseline's, which can only pass", remedy: "measure the candidate", grade: grade)
  }

  var sharedRuns: Diagnosis? {
    let runs = matching.sharedRuns.sorted()
    guard matching.pairing == .unpaired, !runs.isEmpty else { return nil }
    return Diagnosis(
      "both sides hold rows of the same run\(runs.count == 1 ? "" : "s")",
      evidence: runs.map(\.brief).cut(most: 3), remedy: "compare different runs")
  }

  var repeatedRows: [Diagnosis] {
    Side.allCases.filter { matching[$0].repeatedRows > 0 }.map { side in
      let rows = matching[side].repeatedRows
      return Diagnosis(
        "\(Figures.counted(rows, "row")) of the \(side) \(rows == 1 ? "was" : "were") there before"
          + " and \(rows == 1 ? "counts" : "count") once", remedy: "name each file once",
        grade: .good)
    }
  }

  /// - Parameters:
  ///   - ratio: SQLite's time alone on the candidate's side over the baseline's.
  ///   - limit: the share by which SQLite may take longer on one side.
  func otherSpeed(_ ratio: Double?, beyond limit: Double) -> Diagnosis? {
    // Pairs were measured in turn.
    guard matching.pairing == .unpaired, let ratio, max(ratio, 1 / ratio) - 1 > limit else {
      return nil
    }
    return Diagnosis(
      "the machine's speed changed",
      evidence: "SQLite alone took \(Figures.comparison(max(ratio, 1 / ratio))) on the "
        + "\(ratio > 1 ? "candidate" : "baseline")'s side for the same work",
      remedy: "measure both again, or in one session with `topobench duet`", grade: grade)
  }

  /// Why times of the two sides do not show what the program changed: the gate's rule.
  func timesDoubt(beyond limit: Double) -> Diagnosis? {
    if let machine = otherMachine(remedy: Self.oneMachine) { return machine }
    return otherSpeed(matching.rawSQLiteRatio, beyond: limit)
  }

  private static let oneMachine = "measure both on one"

  func fewTrials(_ judged: JudgedMatches) -> Diagnosis? {
    let timed = matching.matches.filter { !$0.key.isCounted }
    let short = timed.filter { $0.trials < judged.fewestTrials }
    let trials = short.map(\.trials)
    guard judged.family > 0, let fewest = trials.min(), let most = trials.max() else { return nil }
    let whose = short.count == timed.count ? "" : " of \(names(short))"
    return Diagnosis(
      "the trials\(whose) are too few to judge times",
      evidence: (fewest == most ? "\(most)" : "\(fewest) to \(most)")
        + " a side, and \(judged.fewestTrials) are the fewest for"
        + " \(Figures.counted(judged.family, "figure"))",
      remedy: "--trials \(judged.fewestTrials)")
  }

  /// `main-only, refetch`, with their settings if there are several.
  private func names(_ matches: [Matching.Match]) -> String {
    guard Set(matching.matches.map(\.key.place)).count > 1 else {
      return matches.map(\.key.topology.brief).cut()
    }
    return Figures.listed(
      matches.map { (text: $0.key.topology.brief, place: $0.key.place) })
  }

  private func list(_ seeds: Set<UInt64>) -> String { seeds.sorted().map { "\($0)" }.cut() }
}

extension MatchingDiagnoses {
  /// Why a gate cannot use this baseline.
  func problems(allowsOtherMachine: Bool) -> [Diagnosis] {
    let machine =
      allowsOtherMachine
      ? nil
      : otherMachine(
        remedy: "measure it on this one, or let counts gate and times advise with"
          + " --allow-other-machine")
    return otherDigests + [otherSeeds].compactMap { $0 } + unequalWork
      + [machine].compactMap { $0 }
  }

  /// Reasons to doubt a comparison, the gravest first.
  func doubts(_ judged: JudgedMatches) -> [Diagnosis] {
    let speed = otherSpeed(matching.rawSQLiteRatio, beyond: DiagnosisLimits.noticeableSpeed)
    let machine = [otherMachine(remedy: Self.oneMachine), speed].compactMap { $0 }
    return machine + unequalWork + [otherSeeds, sharedRuns].compactMap { $0 } + repeatedRows
      + [fewTrials(judged)].compactMap { $0 } + suspects
  }
}

extension Matching.Match {
  /// The `ok` cells of the side with fewer.
  fileprivate var trials: Int { min(baseline.okCells, candidate.okCells) }
}

extension Matching {
  /// SQLite's time alone on the candidate's side over the baseline's: the median over matches.
  var rawSQLiteRatio: Double? {
    guard baseline.keeps(.rawSQLite), candidate.keeps(.rawSQLite) else { return nil }
    return Statistics.median(
      matches.compactMap { match in
        guard let before = Statistics.median(match.baseline.values(.rawSQLite)), before > 0,
          let after = Statistics.median(match.candidate.values(.rawSQLite)), after > 0
        else { return nil }
        return after / before
      })
  }
}

extension SideCells {
  fileprivate var suspectShare: Double {
    let suspects = groups.flatMap(\.failures).filter { $0.status == .suspect }
    return Double(suspects.reduce(0) { $0 + $1.cells }) / Double(max(1, cells))
  }
}
