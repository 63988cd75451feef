import Judging
import Measurement

enum DuetSentences {
  static func builds(_ report: DuetReport) -> [String] {
    let lines = [("Baseline", report.baseline), ("Candidate", report.candidate)].map {
      name, build in
      let revision = build.commit.isEmpty ? "" : ", commit \(build.commit)"
      return "\(name): \(build.path) (topobench \(build.topobench)\(revision), \(build.build))"
    }
    guard report.areIdentical else { return lines }
    return lines + ["Both are the same program, byte for byte: what differs is noise."]
  }

  static func conclusion(_ report: DuetReport) -> String {
    guard report.isComplete else { return "Interrupted: nothing was decided." }
    guard let verdict = report.verdict else {
      return "Nothing was compared: no pair of cells was sound on both sides."
    }
    let failed = report.figures.filter { $0.verdict == .fail }.map(failure)
    let open = report.figures.filter { $0.verdict == .inconclusive }.map {
      "\(place($0)) (\(why($0, report)))"
    }
    let clauses = [
      failed.isEmpty ? nil : "The candidate is worse: \(failed.joined(separator: "; ")).",
      open.isEmpty ? nil : "Not decided: \(open.joined(separator: "; ")).",
    ].compactMap { $0 }
    return verdict == .pass ? passed(report) : clauses.joined(separator: " ")
  }

  private static func passed(_ report: DuetReport) -> String {
    let margins = Set(report.rule.metrics.map { report.rule.rule(for: $0).margin })
    let margin = margins.max().map { Figures.percent($0) } ?? ""
    let names = report.rule.metrics.map(\.name).listed
    return "No regression: in no topology is \(names) of the candidate worse by \(margin) (or its"
      + " absolute floor), and no exact count rose."
  }

  private static func failure(_ figure: DuetFigure) -> String {
    var (change, known) = (figure.shown.change, [String]())
    if case .time(let time) = figure.judgement {
      change = time.change.map { ComparisonFigures.estimate($0, figure.metric) } ?? change
      known = ["95 % interval within pairs \(figure.shown.changeInterval)"]
    }
    let fresh = figure.confirmation == nil ? [] : ["in fresh pairs \(figure.fresh)"]
    return "\(place(figure)) \(change) (\((known + fresh).joined(separator: "; ")))"
  }

  private static func place(_ figure: DuetFigure) -> String {
    "\(figure.target.topology) \(figure.metric.name)"
  }

  private static func why(_ figure: DuetFigure, _ report: DuetReport) -> String {
    if figure.isFlagged { return "it looked worse, but fresh pairs did not confirm it" }
    switch figure.judgement {
    case .count(let judgement): return why(judgement, figure.metric)
    case .time(let judgement):
      switch judgement.reason {
      case .noValues: return "no sound pair has a value"
      case .tooFewTrials: return "too few pairs: at least \(judgement.fewestTrials)"
      case .regressed, .excluded, .tooNoisy:
        let size = report.targets.first { $0.key == figure.target }?.size
        guard let size, size.isLimited else { return "too close to call" }
        return "too noisy; \(size.wanted) pairs are needed: --most-pairs \(size.wanted)"
      }
    }
  }

  private static func why(_ judgement: CountJudgement, _ metric: Metric) -> String {
    switch judgement.outcome {
    case .disagreesWithItself:
      "the \(judgement.doubtfulSide?.rawValue ?? "")'s count differs between its own cells: find out what it depends on, or"
        + " judge it by statistics with --inexact \(metric.name)"
    case .tooFewTrials:
      "the \(judgement.doubtfulSide?.rawValue ?? "") has fewer than \(CountJudgement.trialsNeeded) sound cells"
    case .same, .increase, .decrease: "it changed"
    }
  }

  static func notes(_ report: DuetReport) -> [String] {
    [failures(report), same(report), method(report), sight(report), diagnoses(report)]
      .compactMap { $0 }
  }

  private static func failures(_ report: DuetReport) -> String? {
    let clauses = report.targets.flatMap { target in
      target.failures.map { failed in
        "\(target.key.topology), \(failed.side.rawValue): \(failed.failure.clause)"
      }
    }
    return clauses.isEmpty ? nil : clauses.joined(separator: "; ") + "."
  }

  private static func same(_ report: DuetReport) -> String? {
    let counts = report.figures.filter {
      if case .count(let judgement) = $0.judgement { judgement.outcome == .same } else { false }
    }
    guard !counts.isEmpty else { return nil }
    let topologies = Set(counts.map(\.target)).count
    return "The same in every pair: \(Figures.counted(counts.count, "exact count")) of"
      + " \(topologies == 1 ? "one topology" : "\(topologies) topologies")."
  }

  /// The reason for the number of pairs.
  private static func method(_ report: DuetReport) -> String? {
    let sizes = report.targets.compactMap { target in
      target.size.map { "\(target.key.topology) \(size($0))" }
    }
    guard !sizes.isEmpty else { return nil }
    return "Pairs of fresh processes, the builds in turn, order balanced and shuffled from seed"
      + " \(report.seed). The scatter of the first \(report.rule.firstPairs) pairs, whoever was"
      + " ahead, set the number of pairs at the two looks: \(sizes.joined(separator: "; ")). The"
      + " looks spend \(TwoLooks.levels[0]) and \(TwoLooks.levels[1]) of the chance of a false"
      + " alarm; what is flagged must show again in fresh pairs."
      + (report.keepsAwake ? " Processors were kept awake." : "")
  }

  private static func size(_ size: DuetSize) -> String {
    let spread = size.spread.map { " at a scatter of \(Figures.percent($0))" } ?? ""
    return "\(size.first) and \(size.last)\(spread)"
  }

  /// The smallest regression that these pairs would have found.
  private static func sight(_ report: DuetReport) -> String? {
    let times = report.figures.filter { if case .time = $0.judgement { true } else { false } }
    guard times.allSatisfy({ $0.detectable != nil }) else { return nil }
    return times.compactMap(\.detectable).max().map {
      "These pairs would have flagged a worsening of \(Figures.percent($0)) or more nine times in"
        + " ten, in every topology."
    }
  }

  private static func diagnoses(_ report: DuetReport) -> String? {
    report.diagnoses.isEmpty
      ? nil : "Read it with: \(report.diagnoses.map(\.clause).joined(separator: "; "))."
  }
}

extension DuetFigure {
  var shown: ComparisonFigures {
    switch judgement {
    case .time(let time):
      ComparisonFigures(
        metric, judgement, baseline: time.baseline, candidate: time.candidate)
    case .count: ComparisonFigures(metric, judgement, baseline: nil, candidate: nil)
    }
  }

  /// The change in fresh pairs.
  var fresh: String {
    switch confirmation {
    case nil: Table.missing
    case .time(let time)?:
      time.change.map { ComparisonFigures.estimate($0, metric) } ?? Table.missing
    case .count(let count)?: ComparisonFigures.change(count)
    }
  }
}
