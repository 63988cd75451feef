import Measurement

/// Reasons to doubt a setting. An answer states the readings of `Trust`, failed cells and missing
/// trials elsewhere.
struct RunDiagnoses {
  let cells: [CellResult]
  let ok: [CellResult]
  let topologies: [TopologySummary]
  let context: RunContext

  func all(isCounted: Bool) -> [Diagnosis] {
    if isCounted { return [unequalWork].compactMap { $0 } }
    return [unequalWork].compactMap { $0 } + unsteadyCounts + [incompleteRun].compactMap { $0 }
      + [beyondHorizon, orphans, assumedReads].compactMap { $0 }
      + [debugBuild, severalMachines, lateWakeUp].compactMap { $0 }
  }
}

extension RunDiagnoses {
  private var unequalWork: Diagnosis? {
    let bySeed = Dictionary(grouping: ok.filter { !$0.fingerprint.isEmpty }, by: \.seed)
    let fingerprints = bySeed.values.map { Set($0.map(\.fingerprint)).count }.max() ?? 0
    guard fingerprints > 1 else { return nil }
    return Diagnosis(
      "the ok cells did not do the same work",
      evidence: "they end with \(fingerprints) different sets of rows")
  }

  /// Without counts that may differ by design.
  private var unsteadyCounts: [Diagnosis] {
    let facts = WorkFacts(ok, context)
    let cells = Dictionary(grouping: ok, by: \.topology)
    return topologies.map(\.name)
      .grouped { name in
        cells[name, default: []].unsteadyCounts.filter { facts.reason($0, of: name) == nil }
      }
      .filter { !$0.key.isEmpty }
      .map { counts, names in
        Diagnosis(
          "counts of \(few(names)) differ between trials for no known reason",
          evidence: counts.map(\.name).listed)
      }
  }

  /// `all 4 topologies`, `a, b and c`, `a, b, c and 2 more`
  private func few(_ names: [String]) -> String {
    if names.count == topologies.count, names.count > 1 { return "all \(names.count) topologies" }
    return names.count > 3 ? names.cut(most: 3) : names.listed
  }
}

extension RunDiagnoses {
  private var incompleteRun: Diagnosis? {
    guard !context.plannedCells.isEmpty else { return nil }
    // Cells of two store modes may stand in one section.
    let planned = Set(cells.map { CellKey($0).section })
      .reduce(0) { $0 + context.plannedCells[$1, default: 0] }
    guard planned > cells.count else { return nil }
    return Diagnosis("the run ended after \(cells.count) of \(planned) cells")
  }

  /// Topologies of which most cells exceed the horizon.
  private var beyondHorizon: Diagnosis? {
    let cells = Dictionary(grouping: ok, by: \.topology)
    let names = topologies.map(\.name).filter { name in
      let own = cells[name, default: []]
      return own.count(where: \.exceedsHorizon) * 2 > own.count
    }
    guard !names.isEmpty else { return nil }
    let work = names.count == 1 ? "works" : "work"
    return Diagnosis(
      "\(few(names)) \(work) beyond the horizon, which taps leave out",
      remedy: "raise horizon_ms")
  }
}

extension RunDiagnoses {
  private var orphans: Diagnosis? {
    guard let rows = ok.values(.orphans).max(), rows > 0 else { return nil }
    return Diagnosis(
      "\(Figures.counted(Int(rows), "row")) \(rows == 1 ? "stays" : "stay")"
        + " that the delete rules would have deleted",
      remedy: "delete these rows too")
  }

  private var assumedReads: Diagnosis? {
    guard let setting = ok.first?.setting,
      context.defaults(for: setting).contains(where: { $0.contains(RunContext.assumed) })
    else { return nil }
    return Diagnosis("what a change reads of a list with a batch size is an assumption")
  }
}

extension RunDiagnoses {
  private var debugBuild: Diagnosis? {
    guard context.isDebugBuild else { return nil }
    return Diagnosis("this is a debug build", remedy: "measure with a release build")
  }

  private var severalMachines: Diagnosis? {
    let (hosts, runs) = (Set(ok.map(\.hostID)), Set(ok.map(\.runID)))
    let isUnknown = hosts == [""] && (runs.count > 1 || !context.spreadRuns.isDisjoint(with: runs))
    guard isUnknown || hosts.count > 1 else { return nil }
    return Diagnosis(
      isUnknown
        ? "cells are mixed that nothing ties to one machine"
        : "cells of \(hosts.count) machines are mixed",
      remedy: "compare each machine's by themselves")
  }

  /// Main's wait for a core while it had database or drawing work, as a share of that work.
  static func runqueueShare(_ ok: [CellResult]) -> Double? {
    Statistics.median(
      ok.compactMap { cell in
        guard let delay = cell.metrics[.mainGapRunqueue], let blocked = cell.metrics[.mainBlocked]
        else { return nil }
        let work = blocked + (cell.metrics[.mainUI] ?? 0)
        return work < DiagnosisLimits.gradedWork ? nil : delay / work
      })
  }

  private var lateWakeUp: Diagnosis? {
    let late = Statistics.median(ok.values(.heartbeatWakeP99))
    guard let late, late > DiagnosisLimits.lateWakeUp else { return nil }
    return Diagnosis(
      "this machine wakes a waiting thread late",
      evidence: "1 time in 100 by more than \(Figures.short(late)) ms")
  }
}
