import Measurement

/// A metric of matched cells, with the values of both sides.
struct MatchedMetric {
  let match: Matching.Match
  let metric: Metric
  var baseline: [Double]
  var candidate: [Double]

  /// - Parameter areSorted: whether the values are in order, so that the order of rows does not
  ///   matter. Pairs stay pairs.
  init(_ metric: Metric, of match: Matching.Match, paired: Bool, areSorted: Bool = false) {
    self.match = match
    self.metric = metric
    if paired {
      let pairs = match.pairs(metric)
      (baseline, candidate) = (pairs.map(\.baseline), pairs.map(\.candidate))
    } else {
      baseline = match.baseline.values(metric, areSorted: areSorted)
      candidate = match.candidate.values(metric, areSorted: areSorted)
    }
  }

  var name: String { "\(match.key.topology): \(metric.name)" }

  func sample(_ rule: JudgingRule) -> TimeSample {
    TimeSample(
      name: name, baseline: baseline, candidate: candidate, rule: rule,
      areCounts: metric.isCount)
  }

  func count(named name: String) -> CountJudgement {
    CountJudgement(
      name: name, baseline: baseline, candidate: candidate, better: metric.better,
      unsteady: match.unsteadySides(metric), fewest: match.key.trialsNeeded, slack: metric.slack)
  }
}
