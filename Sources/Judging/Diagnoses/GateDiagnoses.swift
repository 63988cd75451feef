/// Why no verdict of a gate can rest on two sides.
struct GateDiagnoses {
  let matching: Matching
  let allowsOtherMachine: Bool

  /// Why the baseline cannot be used for this candidate.
  var problems: [Diagnosis] {
    matching.otherDigests.map(otherDigest) + [noCommonScenario, otherSeeds].compactMap { $0 }
      + matching.matches.filter(\.didUnequalWork).map { unequalWork($0.key) }
      + [allowsOtherMachine ? nil : otherMachine].compactMap { $0 }
  }

  private func otherDigest(_ other: Matching.OtherDigest) -> Diagnosis {
    Diagnosis(
      "the baseline is of another version of \(other.setting.scenario.brief)",
      remedy: "measure it again with the scenario and data of the candidate", grade: .discard)
  }

  private var noCommonScenario: Diagnosis? {
    let names = [matching.baseline, matching.candidate].map { side in
      Set(side.groups.map(\.key.scenario))
    }
    guard names[0].isDisjoint(with: names[1]) else { return nil }
    let lists = names.map { $0.isEmpty ? "(none)" : $0.sorted().map(\.brief).cut() }
    return Diagnosis(
      "the sides have no scenario in common",
      evidence: "the baseline is of \(lists[0]), the candidate of \(lists[1])",
      remedy: "measure both with one --scenario", grade: .discard)
  }

  private var otherSeeds: Diagnosis? {
    let seeds = [matching.baseline.seeds, matching.candidate.seeds]
    guard seeds[0] != seeds[1] else { return nil }
    let lists = seeds.map { $0.isEmpty ? "(none)" : $0.sorted().map { "\($0)" }.cut() }
    return Diagnosis(
      "the sides were drawn from different seeds",
      evidence: "the baseline from \(lists[0]), the candidate from \(lists[1])",
      remedy: "give both one --seed", grade: .discard)
  }

  private func unequalWork(_ key: CellKey) -> Diagnosis {
    Diagnosis(
      "\(key.topology.brief) did not end with the same rows on both sides",
      evidence: key.place, remedy: "find out which side is wrong", grade: .discard)
  }

  private var otherMachine: Diagnosis? {
    let remedy = "let counts gate and times advise with --allow-other-machine"
    return switch matching.machines {
    case .same: nil
    case .unknown:
      Diagnosis(
        "a side does not say which machine it was measured on", remedy: remedy, grade: .discard)
    case .different:
      Diagnosis(
        "the baseline is of another machine",
        evidence: "\(matching.baseline.hosts.names), not \(matching.candidate.hosts.names)",
        remedy: "measure it on this one, or \(remedy)", grade: .discard)
    }
  }

  /// Sides with more suspect cells than a verdict can bear.
  var suspects: [Diagnosis] {
    [("baseline", matching.baseline), ("candidate", matching.candidate)]
      .filter { $0.1.suspectShare > DiagnosisLimits.suspectShare }
      .map { name, side in
        Diagnosis(
          "\(Figures.percent(side.suspectShare)) of the \(name)'s cells are suspect",
          evidence: "a verdict can bear \(Figures.percent(DiagnosisLimits.suspectShare))",
          remedy: "calm the machine down and measure again", grade: .discard)
      }
  }

  /// Cells that stand on both sides: compared with itself, a cell can only pass.
  var sharedCells: Diagnosis? {
    let cells = matching.candidate.cellsShared(with: matching.baseline)
    guard cells > 0 else { return nil }
    return Diagnosis(
      "\(Figures.counted(cells, "cell")) of the candidate \(cells == 1 ? "is" : "are") the"
        + " baseline's, which can only pass", remedy: "measure the candidate", grade: .discard)
  }
}
