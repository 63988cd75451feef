import Judging
import Measurement

enum ComparisonSentences {
  static func reports(_ comparison: Comparison) -> [String] {
    [
      "Baseline: \(report(comparison.baseline))", "Candidate: \(report(comparison.candidate))",
      pairing(comparison),
    ]
  }

  static func title(_ section: Comparison.Section) -> String {
    let trials = Set(section.topologies.map(\.trials)).sorted()
    let counted =
      trials.count == 1
      ? Figures.counted(trials[0], "trial")
      : "\(trials.first ?? 0) to \(Figures.counted(trials.last ?? 0, "trial"))"
    return "\(place(section.key)); \(counted) a side"
  }

  static func quiet(_ sections: [Comparison.Section]) -> String? {
    guard !sections.isEmpty else { return nil }
    let figures = sections.flatMap(\.topologies).reduce(0) { $0 + $1.figures.count }
    let places = sections.prefix(3).map { place($0.key) }.joined(separator: "; ")
    let others = sections.count > 3 ? " and \(Figures.whole(sections.count - 3)) more" : ""
    return "Same: all \(Figures.whole(figures)) metrics of \(places)\(others)."
  }

  static func unlisted(_ section: Comparison.Section) -> [String] {
    [
      count("Same", in: section, where: \.isSame),
      count("Too few trials to decide", in: section, where: \.isUndecidable),
    ].compactMap { $0 }
  }

  private static func count(
    _ what: String, in section: Comparison.Section, where isCounted: (Comparison.Figure) -> Bool
  ) -> String? {
    let counts = section.topologies.map { topology in
      (
        name: brief(topology.name), some: topology.figures.count(where: isCounted),
        all: topology.figures.count
      )
    }
    let full = counts.filter { $0.some == $0.all && $0.all > 0 }
    let parts = counts.filter { $0.some < $0.all && $0.some > 0 }
    guard !full.isEmpty || !parts.isEmpty else { return nil }
    var texts: [String] = []
    if let number = full.first?.all, full.allSatisfy({ $0.all == number }) {
      let count = number == 1 ? "the one metric" : "all \(number) metrics"
      texts.append("\(count) of \(full.map(\.name).listed)")
    } else {
      texts += full.map { "all \($0.all) metrics of \($0.name)" }
    }
    texts += parts.map { "\($0.some) of \($0.all) metrics of \($0.name)" }
    return "\(what): \(texts.joined(separator: "; "))."
  }

  static func conclusion(_ comparison: Comparison) -> String { conclusion(comparison.sections) }

  static func conclusion(_ sections: [Comparison.Section]) -> String {
    let figures = sections.lazy.flatMap(\.topologies).flatMap(\.figures)
    let verdicts = figures.reduce(into: [Direction: Int]()) { $0[$1.verdict, default: 0] += 1 }
    let all = verdicts.values.reduce(0, +)
    guard all > 0 else { return "Nothing was compared." }
    let same = verdicts[.same, default: 0]
    if same == all {
      return all == 1
        ? "The one figure is the same." : "All \(Figures.whole(all)) figures are the same."
    }
    let changed: [(String, [String])] = ["worse", "better", "differs"].map { word in
      (word, named(word, in: sections))
    }
    var clauses = changed.filter { !$0.1.isEmpty }.map { word, names in
      "\(Figures.whole(names.count)) \(word) (\(names.cut()))"
    }
    let unsure = verdicts[.inconclusive, default: 0]
    if clauses.isEmpty { clauses.append("none better or worse") }
    if unsure > 0 { clauses.append("\(Figures.whole(unsure)) inconclusive") }
    if same > 0 { clauses.append("\(Figures.whole(same)) the same") }
    return "Of \(Figures.counted(all, "figure")): \(clauses.joined(separator: "; "))."
  }

  static func place(_ key: CellKey) -> String {
    let parameters = key.parameters.isEmpty ? "" : ", \(brief(key.parameters))"
    return "\(brief(key.scenario)), \(brief(key.store)) store\(parameters)"
  }

  static func brief(_ text: String) -> String { text.shortened(to: longestText, mark: "…") }

  private static let longestText = 60

  private static func named(_ word: String, in sections: [Comparison.Section]) -> [String] {
    sections.flatMap { section in
      section.topologies.flatMap { topology in
        topology.figures.filter { $0.verdict.rawValue == word }.map { row in
          let change = ComparisonFigures(row).change
          let place = sections.count > 1 ? " in \(section.store) \(brief(section.scenario))" : ""
          return "\(brief(topology.name)) \(row.metric.name) \(change)\(place)"
        }
      }
    }
  }

  private static func report(_ report: Comparison.Report) -> String {
    let ok = report.cells == report.okCells ? "all ok" : "\(report.okCells) ok"
    var clauses = [
      report.files.map(brief).cut(), "\(Figures.counted(report.cells, "cell")), \(ok)",
    ]
    if !report.labels.isEmpty { clauses.append("labelled \(report.labels.map(brief).cut())") }
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

extension Comparison.Section {
  var key: CellKey {
    CellKey(
      scenario: scenario, digest: scenarioDigest, parameters: parameters, topology: "",
      store: store, isCounted: counted ?? false)
  }
}

extension ComparisonSentences {
  /// Omissions and doubts, each with its remedy.
  ///
  /// - Parameter judgesCounts: whether the caller reports each differing count itself.
  static func notes(_ comparison: Comparison, judgesCounts: Bool = false) -> [String] {
    limited(otherDigests(comparison)) + limited(unmatched(comparison))
      + limited(unmeasured(comparison)) + limited(failed(comparison))
      + limited(judgesCounts ? [] : unsteady(comparison))
      + limited(comparison.diagnoses.map(\.sentence))
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
      let parameters = other.setting.parameters.isEmpty ? "" : " \(brief(other.setting.parameters))"
      return """
        Another scenario of the same name, not compared: \(brief(other.setting.scenario))\
        \(parameters) has the digest \(before) in the baseline and \(after) in the candidate. \
        Measure both with one version of its file and data.
        """
    }
  }

  private static func digests(_ digests: [String]) -> String {
    digests.isEmpty
      ? "of the other" : digests.map { $0.isEmpty ? "(none)" : String($0.prefix(12)) }.cut(most: 2)
  }

  private static func unmatched(_ comparison: Comparison) -> [String] {
    [("baseline", comparison.baselineOnly), ("candidate", comparison.candidateOnly)]
      .flatMap { side, all in
        all.filter { !$0.isOtherDigest }.grouped { place($0.key) }.map { place, unmatched in
          let topologies = unmatched.map { brief($0.key.topology) }.cut(most: 10)
          let cells = unmatched.reduce(0) { $0 + $1.cells }
          return "Only in the \(side), not compared: \(topologies) of \(place)"
            + " (\(Figures.counted(cells, "cell")))."
        }
      }
  }

  private static func unmeasured(_ comparison: Comparison) -> [String] {
    comparison.unmeasured.map { unmeasured in
      "Not measured in the \(unmeasured.side.rawValue), not compared: "
        + "\(unmeasured.metrics.map(\.name).cut(most: 8)) of \(brief(unmeasured.key.topology)), "
        + "\(place(unmeasured.key))."
    }
  }

  private static func failed(_ comparison: Comparison) -> [String] {
    comparison.failed.map { failed in
      let failure = failed.failure
      let error = failure.error.isEmpty ? "" : " (the first: \(brief(failure.error)))"
      return "Left out of the \(failed.side.rawValue): \(Figures.counted(failure.cells, "cell"))"
        + " of \(brief(failed.key.topology)), \(place(failed.key)): "
        + "\(failure.status.rawValue)\(error)."
    }
  }

  private static func unsteady(_ comparison: Comparison) -> [String] {
    comparison.sections.flatMap { section in
      section.topologies.flatMap { topology in
        Side.allCases.flatMap { unsteady(topology, of: section.scenario, in: $0) }
      }
    }
  }

  /// A sentence for counts that may differ by design, and one for those that should not.
  private static func unsteady(
    _ topology: Comparison.Topology, of scenario: String, in role: Side
  ) -> [String] {
    topology.figures.filter { $0.disagreement == role }.map(\.metric)
      .grouped { VaryingCounts.reason($0, of: topology.name, in: scenario) }
      .map { reason, counts in
        let equal = reason == nil ? " that equal work makes equal" : ""
        return "Counts of \(brief(topology.name))\(equal) differ within the \(role.rawValue): "
          + "\(counts.map(\.name).cut(most: 8))" + (reason.map { ", because \($0)" } ?? "") + "."
      }
  }

  /// The trials that would decide the first undecided metric; nil if no number would.
  private static func settling(_ comparison: Comparison) -> String? {
    let needed = comparison.figures.reduce(into: [Metric: Int]()) { needed, figure in
      guard let trials = figure.neededTrials else { return }
      needed[figure.metric] = max(needed[figure.metric, default: 0], trials)
    }
    guard let metric = comparison.metrics.first(where: { needed[$0] != nil }),
      let trials = needed[metric]
    else { return nil }
    let noun = comparison.pairing == .paired ? "pairs" : "trials a side"
    return "About \(Figures.whole(trials)) \(noun) would decide more of \(metric.name)."
  }
}

extension Comparison.Figure {
  fileprivate var neededTrials: Int? {
    guard verdict == .inconclusive else { return nil }
    switch judgement {
    case .time(let judgement): return judgement.neededTrials
    case .count: return disagreement == nil ? CountJudgement.trialsNeeded : nil
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

extension ComparisonSentences {
  static func short(_ comparison: Comparison) -> String {
    let all = comparison.sections.flatMap(\.topologies).flatMap { topology in
      topology.figures.map { (name: topology.name, figure: $0) }
    }
    guard !all.isEmpty else { return "Nothing was compared" }
    let isTimed = all.contains { $0.figure.metric == .mainBlocked }
    let first = isTimed ? Metric.mainBlocked : .mainInstructions
    func changes(_ verdict: Direction, _ words: String) -> String? {
      let names = all.filter { $0.figure.metric == first && $0.figure.verdict == verdict }
        .map { "\(brief($0.name)) \(ComparisonFigures($0.figure).change)" }
      return names.isEmpty ? nil : "\(words): \(names.cut(most: 3))"
    }
    var clauses = [
      changes(.worse, isTimed ? "main is blocked longer" : "main executes more instructions"),
      changes(
        .better, isTimed ? "main is blocked for a shorter time" : "main executes fewer instructions"
      ),
    ].compactMap { $0 }
    if clauses.isEmpty {
      clauses = ["no change of \(isTimed ? "blocked time" : "main's instructions") is shown"]
    }
    let others = all.count {
      $0.figure.metric != first && [.worse, .differs].contains($0.figure.verdict)
    }
    if others > 0 {
      clauses.append("\(Figures.counted(others, "other figure")) worse or different")
    }
    let text = clauses.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}
