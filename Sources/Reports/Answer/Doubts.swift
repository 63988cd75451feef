package import Judging
import Measurement

extension Sentences {
  /// What would make the answer doubtful, in one sentence, and how much the trials spread.
  package static func doubts(_ section: SummarySection) -> String {
    let topologies = section.topologies.count { $0.okCells > 0 }
    let clauses = section.doubts.map { clause($0, topologies: topologies) }
    let spread = section.spread.map { spread in
      "Between trials, blocked time spreads by \(Figures.percent(spread)) (half the interquartile "
        + "range, median of the topologies)."
    }
    let doubts =
      clauses.isEmpty
      ? "Nothing that was measured makes this doubtful."
      : "What makes this doubtful: \(clauses.joined(separator: "; "))."
    return [doubts, spread].compactMap { $0 }.joined(separator: " ")
  }

  /// One doubt with its remedy, without a full stop.
  package static func clause(_ doubt: Doubt, topologies: Int) -> String {
    switch doubt {
    case .debugBuild: "this is a debug build (measure with a release build)"
    case .fewTrials(let trials, let needed):
      fewTrials(trials, needed: needed, topologies: topologies)
    case .notOk(let topology, let status, let cells):
      "\(counted(cells, "cell")) of \(topology) \(ending(status, cells)), so left out"
    case .incomplete(let measured, let planned):
      "the run ended after \(measured) of \(planned) cells"
    case .unequalWork(let fingerprints):
      "the ok cells end with \(fingerprints) different sets of rows: they did not do the same work"
    case .unsteadyCounts(let topology, let names):
      "counts of \(topology) differ between trials although the work does not (\(names.listed))"
    case .severalMachines(let hosts):
      "cells of \(hosts) machines are mixed (compare each machine's by themselves)"
    case .beyondHorizon(let topology):
      "\(topology) works beyond the horizon, which taps and rates leave out (raise horizon_ms)"
    case .noisy(let spread):
      "trials spread by \(Figures.percent(spread)) (calm the machine down, or take more --trials)"
    case .busyMachine, .shortOfCores, .slowWakeUps, .fastSync: machine(doubt)
    case .remark(let text): text
    }
  }

  private static func machine(_ doubt: Doubt) -> String {
    switch doubt {
    case .busyMachine(let load, let cores):
      "the load was \(Figures.short(load)) on \(counted(cores, "core")) before the run "
        + "(let nothing else run)"
    case .shortOfCores(let share):
      "other threads had main's core for a time that is \(Figures.percent(share)) of its blocked "
        + "time (use a machine with more cores)"
    case .slowWakeUps(let milliseconds):
      "this machine wakes a waiting thread up to \(Figures.short(milliseconds)) ms late"
    case .fastSync(let milliseconds):
      "a sync takes \(Figures.short(milliseconds)) ms here, but milliseconds on a phone"
    default: ""
    }
  }

  private static func fewTrials(_ trials: Int, needed: Int, topologies: Int) -> String {
    let interval = trials < 6 ? "no 95 % interval can be had (6 are needed)" : nil
    let ranking =
      topologies > 1
      ? "no ranking of \(topologies) topologies is possible (\(needed) are needed)" : nil
    let consequences = [interval, ranking].compactMap { $0 }.joined(separator: " and ")
    return "with \(counted(trials, "trial")) \(consequences): --trials \(needed)"
  }

  private static func ending(_ status: CellStatus, _ cells: Int) -> String {
    let be = cells == 1 ? "was" : "were"
    return switch status {
    case .ok: "\(be) ok"
    case .wrong: "ended with wrong rows"
    case .crashed: "crashed"
    case .timeout: "timed out"
    case .suspect: "\(be) suspect: two clocks disagreed"
    }
  }
}
