import Judging
import Measurement
import Support

enum ComparisonSentences {
  static func reports(_ comparisons: [Comparison]) -> [String] {
    let names = comparisons.count == 1 ? ["Candidate"] : names(comparisons)
    let pairings = comparisons.map(pairing)
    let isOne = pairings.unique.count == 1
    return ["Baseline: \(report(comparisons[0].baseline))"]
      + zip(names, comparisons).map { "\($0): \(report($1.candidate))" }
      + (isOne ? [pairings[0]] : zip(names, pairings).map { "\($0): \($1)" })
  }

  /// A heading for each candidate.
  static func names(_ comparisons: [Comparison]) -> [String] {
    if comparisons.count == 1 { return ["candidate"] }
    let files = comparisons.map {
      $0.candidate.files.cut().split(separator: "/").last.map(String.init)
    }
    return files.enumerated().map { index, file in
      guard let file, file.count <= longestName, files.count(where: { $0 == file }) == 1 else {
        return "report \(index + 2)"
      }
      return file
    }
  }

  private static let longestName = 16

  /// - Parameter sections: of one key, one for each comparison that has it.
  static func title(_ sections: [Comparison.Section]) -> String {
    let trials = Figures.counted(sections.flatMap(\.topologies).map(\.trials), "trial")
    return "\(sections[0].key.place); \(trials) a side"
  }

  private static func report(_ report: Comparison.Report) -> String {
    let ok = report.cells == report.okCells ? "all ok" : "\(report.okCells) ok"
    var clauses = [
      report.files.map(\.brief).cut(), "\(Figures.counted(report.cells, "cell")), \(ok)",
    ]
    if !report.labels.isEmpty { clauses.append("labelled \(report.labels.map(\.brief).cut())") }
    if !report.revisions.isEmpty {
      clauses.append("commit \(report.revisions.map { String($0.prefix(12)) }.cut())")
    }
    return clauses.joined(separator: "; ") + "."
  }

  private static func pairing(_ comparison: Comparison) -> String {
    switch (comparison.pairing, comparison.machines) {
    case (.paired, _): "Paired: the two sides were measured in turn, in one session."
    case (.unpaired, .same):
      "Unpaired: one machine, at two times. A change of the machine looks like one of the program."
    case (.unpaired, .different):
      "Unpaired, from different machines: counts are comparable, times advise at most."
    case (.unpaired, .unknown): "Unpaired: the reports do not name their machine."
    }
  }
}

extension ComparisonSentences {
  /// Omissions and doubts, each with its remedy.
  ///
  /// - Parameters:
  ///   - saysDoubt: whether the caller does not say why times are not judged.
  ///   - namesMissing: whether the caller does not name what only the baseline has.
  static func notes(
    _ comparison: Comparison, saysDoubt: Bool = false, namesMissing: Bool = true
  ) -> [String] {
    let doubts = comparison.diagnoses.filter { saysDoubt || $0 != comparison.timesDoubt }
    return limited(otherDigests(comparison))
      + limited(unmatched(comparison, namesMissing: namesMissing))
      + limited(unmeasured(comparison)) + limited(failed(comparison))
      + limited(unsteady(comparison)) + limited(doubts.map(\.sentence))
      + [settling(comparison)].compactMap { $0 }
  }

  private static let mostNotes = 12

  private static func limited(_ notes: [String]) -> [String] {
    guard notes.count > mostNotes else { return notes }
    return notes.prefix(mostNotes) + [
      "… and \(notes.count - mostNotes) more; --format json has all."
    ]
  }

  private static func otherDigests(_ comparison: Comparison) -> [String] {
    comparison.otherDigests.map { other in
      let (before, after) = (digests(other.baseline), digests(other.candidate))
      let setting = SweptParameters.text(other.setting.parameters).brief
      let parameters = setting.isEmpty ? "" : " with \(setting)"
      return """
        Another scenario of the same name, not compared: \(other.setting.scenario.brief)\
        \(parameters) has the digest \(before) in the baseline and \(after) in the candidate. \
        Measure both with one version of its file and data.
        """
    }
  }

  private static func digests(_ digests: [String]) -> String {
    digests.isEmpty
      ? "of the other" : digests.map { $0.isEmpty ? "(none)" : String($0.prefix(12)) }.cut(most: 2)
  }

  private static func unmatched(_ comparison: Comparison, namesMissing: Bool) -> [String] {
    if let counted = comparison.countedSide {
      return [
        "The \(counted.rawValue) is counted and the \(counted.other.rawValue) timed, so no cell was"
          + " compared: measure both with --count, or both without it."
      ]
    }
    return [
      ("baseline", namesMissing ? comparison.baselineOnly : []),
      ("candidate", comparison.candidateOnly),
    ]
    .flatMap { side, all in
      all.filter { !$0.isOtherDigest }.grouped { $0.key.place }.map { place, unmatched in
        let topologies = unmatched.map { $0.key.topology.brief }.cut(most: 10)
        let cells = unmatched.reduce(0) { $0 + $1.cells }
        return "Only in the \(side), not compared: \(topologies) of \(place)"
          + " (\(Figures.counted(cells, "cell")))."
      }
    }
  }

  private static func unmeasured(_ comparison: Comparison) -> [String] {
    comparison.unmeasured.map { unmeasured in
      "Not measured in the \(unmeasured.side.rawValue), not compared: "
        + "\(unmeasured.metrics.map(\.name).cut(most: 8)) of \(unmeasured.key.topology.brief), "
        + "\(unmeasured.key.place)."
    }
  }

  private static func failed(_ comparison: Comparison) -> [String] {
    comparison.failed.map { failed in
      let failure = failed.failure
      let error = failure.error.isEmpty ? "" : " (the first: \(failure.error.brief))"
      return "Left out of the \(failed.side.rawValue): \(Figures.counted(failure.cells, "cell"))"
        + " of \(failed.key.topology.brief), \(failed.key.place): "
        + "\(failure.status.rawValue)\(error)."
    }
  }

  private static func unsteady(_ comparison: Comparison) -> [String] {
    comparison.sections.flatMap { section in
      section.topologies.flatMap { topology in
        Side.allCases.flatMap { unsteady(topology, of: section.parameters, in: $0) }
      }
    }
  }

  /// A sentence for each known reason, and one for counts without any.
  private static func unsteady(
    _ topology: Comparison.Topology, of parameters: String, in role: Side
  ) -> [String] {
    let facts = WorkFacts(parameters: parameters)
    return topology.figures.filter { $0.disagreement == role }.map(\.metric)
      .grouped { facts.reason($0, of: topology.name) }
      .map { reason, counts in
        "Counts of \(topology.name.brief) differ within the \(role.rawValue): "
          + "\(counts.map(\.name).cut(most: 8))" + (reason.map { ", because \($0)" } ?? "") + "."
      }
  }

  /// The trials that would decide the first undecided metric; nil if no number would.
  private static func settling(_ comparison: Comparison) -> String? {
    let needed = comparison.figures.reduce(into: [Metric: Int]()) { needed, figure in
      let counts = comparison.timesDoubt == nil || figure.metric.isCount
      guard counts, let trials = figure.neededTrials else { return }
      needed[figure.metric] = max(needed[figure.metric, default: 0], trials)
    }
    guard let metric = comparison.metrics.first(where: { needed[$0] != nil }),
      let trials = needed[metric]
    else { return nil }
    return "About \(comparison.pairing.counted(trials)) would decide more of \(metric.name)."
  }
}

extension Comparison.Figure {
  fileprivate var neededTrials: Int? {
    guard verdict == .inconclusive else { return nil }
    switch judgement {
    case .time(let judgement): return judgement.neededTrials
    case .count(let judgement):
      return judgement.outcome == .tooFewTrials ? CountJudgement.trialsNeeded : nil
    }
  }

  /// The side whose trials disagree about an exact count.
  fileprivate var disagreement: Side? {
    guard case .count(let judgement) = judgement, verdict == .inconclusive,
      judgement.outcome == .disagreesWithItself
    else { return nil }
    return judgement.doubtfulSide
  }
}
