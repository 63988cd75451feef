import Judging
import Measurement

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
    comparison.topologies.flatMap { topology in
      Side.allCases.compactMap { role in
        let names = topology.figures.filter { $0.disagreement == role }.map(\.metric.name)
        guard !names.isEmpty else { return nil }
        return "Counts of \(brief(topology.name)) that equal work makes equal differ within the "
          + "\(role.rawValue): \(names.cut(most: 8))."
      }
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
