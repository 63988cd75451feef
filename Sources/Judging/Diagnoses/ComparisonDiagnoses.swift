import Measurement

/// What makes a comparison doubtful, the gravest first.
struct ComparisonDiagnoses {
  let matching: Matching
  let judged: JudgedMatches

  func all() -> [Diagnosis] {
    [otherMachine, otherSpeed].compactMap { $0 } + unequalWork
      + [otherSeeds, sharedRuns].compactMap { $0 } + sides.compactMap { repeatedRows($0, $1) }
      + [fewTrials].compactMap { $0 } + sides.compactMap { suspects($0, $1) }
  }

  private var sides: [(String, SideCells)] {
    [("baseline", matching.baseline), ("candidate", matching.candidate)]
  }

  private var otherMachine: Diagnosis? {
    switch matching.machines {
    case .same: nil
    case .different:
      Diagnosis(
        "the machines are different",
        evidence: "\(matching.baseline.hosts.names) and \(matching.candidate.hosts.names)",
        remedy: "measure both on one")
    case .unknown: Diagnosis("a side does not say which machine it was measured on")
    }
  }

  private var otherSpeed: Diagnosis? {
    guard let ratio = speed, abs(ratio - 1) > DiagnosisLimits.noticeableSpeed else { return nil }
    return Diagnosis(
      "the machine's speed changed",
      evidence: "SQLite alone took \(Figures.comparison(max(ratio, 1 / ratio))) on the "
        + "\(ratio > 1 ? "candidate" : "baseline")'s side for the same work",
      remedy: "measure both again, or in one session with `topobench duet`")
  }

  /// The median over the matches of what raw SQLite took on the candidate's side, as a multiple of
  /// the baseline's.
  private var speed: Double? {
    guard matching.baseline.keeps(.rawSQLite), matching.candidate.keeps(.rawSQLite) else {
      return nil
    }
    return Statistics.median(
      judged.matches.compactMap { match in
        guard let before = Statistics.median(match.baseline.values(.rawSQLite)), before > 0,
          let after = Statistics.median(match.candidate.values(.rawSQLite)), after > 0
        else { return nil }
        return after / before
      })
  }

  private var unequalWork: [Diagnosis] {
    judged.matches.filter(\.didUnequalWork).map { match in
      Diagnosis(
        "\(match.key.topology.brief) did not do the same work on both sides",
        evidence: "cells of one seed end with different rows")
    }
  }

  private var otherSeeds: Diagnosis? {
    guard matching.baseline.seeds != matching.candidate.seeds else { return nil }
    return Diagnosis(
      "the sides were drawn from different seeds, so their streams of changes differ",
      remedy: "give both one --seed")
  }

  private var sharedRuns: Diagnosis? {
    let runs = matching.sharedRuns.sorted()
    guard matching.pairing == .unpaired, !runs.isEmpty else { return nil }
    return Diagnosis(
      "both sides hold rows of the same run\(runs.count == 1 ? "" : "s")",
      evidence: runs.map(\.brief).cut(most: 3), remedy: "compare different runs")
  }

  private func repeatedRows(_ name: String, _ side: SideCells) -> Diagnosis? {
    let rows = side.repeatedRows
    guard rows > 0 else { return nil }
    return Diagnosis(
      "\(Figures.counted(rows, "row")) of the \(name) \(rows == 1 ? "was" : "were") there before"
        + " and \(rows == 1 ? "counts" : "count") once", remedy: "name each file once", grade: .good
    )
  }

  private var fewTrials: Diagnosis? {
    let fewest = judged.matches.map { min($0.baseline.okCells, $0.candidate.okCells) }.min()
    guard let fewest, fewest < judged.fewestTrials else { return nil }
    return Diagnosis(
      "with \(Figures.counted(fewest, "trial")) a side nothing can be told of times",
      evidence: "\(judged.fewestTrials) are the fewest for"
        + " \(Figures.counted(judged.family, "figure"))",
      remedy: "--trials \(judged.fewestTrials)")
  }

  private func suspects(_ name: String, _ side: SideCells) -> Diagnosis? {
    guard side.suspectShare > DiagnosisLimits.suspectShare else { return nil }
    return Diagnosis(
      "\(Figures.percent(side.suspectShare)) of the \(name)'s cells are suspect",
      remedy: "calm the machine down and measure again")
  }
}

extension SideCells {
  /// The share of cells whose two clocks disagreed.
  var suspectShare: Double {
    let suspects = groups.flatMap(\.failures).filter { $0.status == .suspect }
    return Double(suspects.reduce(0) { $0 + $1.cells }) / Double(max(1, cells))
  }
}
