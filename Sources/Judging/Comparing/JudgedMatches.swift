import Measurement

struct JudgedMatches {
  let matches: [Matching.Match]
  /// How many metrics statistics judged.
  let family: Int
  let fewestTrials: Int
  private let rows: [[Comparison.Figure]]

  /// Makes each sample twice, because all together may take more memory than both reports.
  init(_ matching: Matching, metrics: [Metric], alpha: Double) {
    matches = matching.matches
    let entries = { (index: Int) in
      metrics.compactMap { Entry($0, match: index, in: matching) }
    }
    let times = matching.matches.indices.lazy.flatMap(entries).filter { !$0.metric.isCount }
    var judged = JudgedFamily(
      times.map(\.sample), by: Judge(pairing: matching.pairing, alpha: alpha))
    family = judged.count
    fewestTrials = judged.fewestTrials
    rows = matching.matches.indices.map { index in
      let row = entries(index).compactMap { entry in
        entry.metric.isCount
          ? entry.row(entry.count(in: matching.matches[index]))
          : entry.row(judged.next(entry.sample))
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

private struct Entry {
  let metric: Metric
  let baseline: [Double]
  let candidate: [Double]
  private let topology: String
  /// For a time of two machines, where neither side can be called better.
  private let onlyAdvises: Bool

  init?(_ metric: Metric, match index: Int, in matching: Matching) {
    let match = matching.matches[index]
    self.metric = metric
    topology = match.key.topology
    onlyAdvises = matching.machines == .different && !metric.isCount
    switch matching.pairing {
    case .paired:
      let pairs = match.pairs(metric)
      (baseline, candidate) = (pairs.map(\.baseline), pairs.map(\.candidate))
    case .unpaired:
      // The order of rows must not matter.
      baseline = match.baseline.values(metric).sorted()
      candidate = match.candidate.values(metric).sorted()
    }
    if baseline.isEmpty || candidate.isEmpty { return nil }
  }

  private var name: String { "\(topology): \(metric.name)" }

  var sample: TimeSample {
    TimeSample(
      name: name, baseline: baseline, candidate: candidate, rule: JudgingRule(for: metric))
  }

  func count(in match: Matching.Match) -> CountJudgement {
    CountJudgement(
      name: name, baseline: baseline, candidate: candidate, better: metric.better,
      unsteady: match.unsteadySides(metric), fewest: match.key.trialsNeeded,
      slack: metric.slack)
  }

  func row(_ judgement: TimeJudgement) -> Comparison.Figure? {
    row(judgement.direction, .time(judgement))
  }

  /// Equal counts are the same, even with too few trials for another verdict.
  func row(_ judgement: CountJudgement) -> Comparison.Figure? {
    row(baseline == candidate ? .same : judgement.direction, .count(judgement))
  }

  private func row(
    _ verdict: Direction, _ judgement: Judgement
  ) -> Comparison.Figure? {
    guard let before = Estimate(baseline), let after = Estimate(candidate) else { return nil }
    let isNeutral = verdict.isChange && (metric.better == .neither || onlyAdvises)
    return Comparison.Figure(
      metric: metric, baseline: before, candidate: after,
      verdict: isNeutral ? .differs : verdict, judgement: judgement)
  }
}
