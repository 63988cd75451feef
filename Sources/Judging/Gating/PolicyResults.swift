import Measurement

// A limit is about the candidate alone:
//
//   lower          upper                 the median lies between them
//     ├──────●──────┤    ┆ limit         kept
//     ├──────●────────┤┆ ─ ┤             open: more trials would tell
//   ┆   ├──────●──────┤                  broken

extension Limit {
  /// One for each cell key that the limit covers. A topology without the metric, such as a peer
  /// without objects, is left out if another topology has the metric.
  func results(in side: SideCells) -> [LimitResult] {
    let groups = side.groups.filter { $0.key.isOf(topology: topology, scenario: scenario) }
    let measuring = groups.filter { !$0.values(metric).isEmpty }
    let judged = measuring.isEmpty ? groups : measuring
    if !judged.isEmpty { return judged.map { result($0.key, $0.values(metric)) } }
    // A limit of another scenario does not concern this candidate.
    if let scenario, !side.groups.contains(where: { $0.key.scenario == scenario }) { return [] }
    return [result(nil, [])]
  }

  private func result(_ key: CellKey?, _ values: [Double]) -> LimitResult {
    let interval =
      values.count >= CountJudgement.trialsNeeded
      ? Statistics.medianInterval(values, confidence: 0.9) : nil
    let verdict = interval.map(verdict) ?? .inconclusive
    return LimitResult(
      limit: self, key: key, measured: Estimate(values, of: metric), lower: interval?.lower,
      upper: interval?.upper, verdict: verdict,
      neededTrials: verdict == .inconclusive ? neededTrials(values, interval) : nil)
  }

  private func verdict(_ interval: MedianInterval) -> Verdict {
    let (near, far) =
      relation == .atMost
      ? (interval.lower - bound, interval.upper - bound)
      : (bound - interval.upper, bound - interval.lower)
    return far <= 0 ? .pass : near > 0 ? .fail : .inconclusive
  }

  /// The interval narrows as 1/√n. Nil if the median is the limit itself.
  private func neededTrials(_ values: [Double], _ interval: MedianInterval?) -> Int? {
    guard let interval, let median = Statistics.median(values) else {
      return CountJudgement.trialsNeeded
    }
    let gap = abs(median - bound)
    let half = median < bound ? interval.upper - median : median - interval.lower
    guard gap > 0, half < 1e4 * gap else { return nil }
    return max(
      values.count + 1, Int((Double(values.count) * (half / gap) * (half / gap)).rounded(.up)))
  }
}

extension Expectation {
  /// One for each setting in which both topologies were measured. Counted cells measure no times.
  func results(in side: SideCells) -> [(result: ExpectationResult, test: RankShift?)] {
    let places = side.groups.filter {
      $0.key.isOf(topology: better, scenario: scenario)
        && !($0.key.isCounted && $0.values(metric).isEmpty)
    }
    let measured = places.compactMap { group in
      side.group(group.key.with(topology: worse)).map { result(group, $0) }
    }
    if !measured.isEmpty { return measured }
    if let scenario, !side.groups.contains(where: { $0.key.scenario == scenario }) { return [] }
    let missing = ExpectationResult(
      expectation: self, key: nil, rounds: 0, change: nil, p: 1, verdict: .inconclusive,
      neededTrials: nil)
    return [(missing, nil)]
  }

  private func result(
    _ group: CellGroup, _ other: CellGroup
  ) -> (result: ExpectationResult, test: RankShift?) {
    let (left, right) = (group.valuesByRound(metric), other.valuesByRound(metric))
    let pairs = left.keys.compactMap { round in right[round].map { (left[round] ?? 0, $0) } }
    let sample = TimeSample(
      name: metric.name, baseline: pairs.map(\.0), candidate: pairs.map(\.1),
      rule: JudgingRule(better: metric.better))
    let judgement = Judge(pairing: .paired).times([sample])[0]
    let result = ExpectationResult(
      expectation: self, key: group.key, rounds: pairs.count, change: judgement.change, p: 1,
      verdict: .inconclusive,
      neededTrials: pairs.count < judgement.fewestTrials ? judgement.fewestTrials : nil)
    return (result, JudgingScale(sample).worsening(sample, .paired))
  }
}
