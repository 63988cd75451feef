import Measurement

struct JudgedMatches {
  let matches: [Matching.Match]
  /// The number of figures that statistics judged.
  let family: Int
  let fewestTrials: Int
  private let rows: [[Comparison.Figure]]

  /// Builds each sample twice, because keeping all of them may take more memory than both reports.
  ///
  /// - Parameter metrics: nil for the default ones.
  init(_ matching: Matching, metrics: [Metric]?, alpha: Double, timesCount: Bool) {
    matches = matching.matches
    let asked = { (match: Matching.Match) in
      metrics ?? Comparison.defaultMetrics(match.question)
    }
    let entries = { (metrics: [Metric], match: Matching.Match) in
      metrics.compactMap { MatchedMetric(compared: $0, of: match, matching.pairing) }
    }
    let times = matches.lazy.flatMap { match in
      entries(asked(match).filter { !$0.isCount }, match)
    }
    var judged = JudgedFamily(
      times.map { $0.sample(JudgingRule(for: $0.metric)) },
      by: Judge(
        pairing: matching.pairing, alpha: alpha, plansTrials: matching.pairing == .unpaired))
    family = judged.count
    fewestTrials = judged.fewestTrials
    rows = matches.map { match in
      let row = entries(asked(match), match).compactMap { entry in
        entry.figure(
          entry.metric.isCount
            ? .count(entry.count(named: entry.name))
            : .time(judged.next(entry.sample(JudgingRule(for: entry.metric)))),
          timesCount: timesCount)
      }
      // A copy has no spare capacity.
      return row.map(\.self)
    }
  }

  func sections() -> [Comparison.Section] {
    zip(matches, rows).grouped { $0.0.key.with(topology: "") }.map { key, matches in
      Comparison.Section(
        scenario: key.scenario, scenarioDigest: key.digest, parameters: key.parameters,
        store: key.store, counted: key.isCounted ? true : nil,
        topologies: matches.map { match, rows in
          Comparison.Topology(
            name: match.key.topology,
            trials: min(match.baseline.okCells, match.candidate.okCells), figures: rows)
        })
    }
  }
}

extension MatchedMetric {
  /// Nil if a side has no value.
  fileprivate init?(compared metric: Metric, of match: Matching.Match, _ pairing: Pairing) {
    self.init(metric, of: match, paired: pairing == .paired, areSorted: true)
    if baseline.isEmpty || candidate.isEmpty { return nil }
  }

  fileprivate func figure(
    _ judgement: Judgement, timesCount: Bool
  ) -> Comparison.Figure? {
    // A cell counts for its own side, also if its pair lacks the value of the other side.
    guard let before = Estimate(match.baseline.values(metric), of: metric),
      let after = Estimate(match.candidate.values(metric), of: metric)
    else { return nil }
    let verdict: Direction =
      switch judgement {
      case .time where !timesCount && metric.better != .neither: .inconclusive
      case .time(let judgement): judgement.direction
      // Equal counts are the same, even with too few trials for another verdict.
      case .count(let judgement):
        baseline == candidate || Set(baseline + candidate).count == 1
          ? .same : judgement.direction
      }
    let isNeutral = verdict.isChange && metric.better == .neither
    return Comparison.Figure(
      metric: metric, baseline: before, candidate: after,
      verdict: isNeutral ? .differs : verdict, judgement: judgement)
  }
}
