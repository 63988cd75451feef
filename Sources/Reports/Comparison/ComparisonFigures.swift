import Judging
import Measurement

struct ComparisonFigures {
  let baseline: String
  let candidate: String
  let change: String
  let estimate: String
  let changeInterval: String
  let baselineInterval: String
  let candidateInterval: String

  init(_ row: Comparison.Figure) {
    let medians = [row.baseline, row.candidate].map { Figures.median($0, row.metric) }
    switch row.judgement {
    case .time(let judgement):
      (baseline, candidate) = (medians[0], medians[1])
      change = Self.medianChange(judgement, row.metric)
      estimate = Self.estimate(judgement, row.metric)
      changeInterval = judgement.change.map { Self.interval($0, row.metric) } ?? Table.missing
      baselineInterval = Self.interval(row.baseline, row.metric)
      candidateInterval = Self.interval(row.candidate, row.metric)
    case .count(let judgement):
      let ranges = [judgement.baseline, judgement.candidate].map { Figures.range($0) }
      // Instructions of equal work differ a little.
      let isExact = row.metric.isIndependentOfScheduling
      (baseline, candidate) = isExact ? (ranges[0], ranges[1]) : (medians[0], medians[1])
      change =
        isExact
        ? Self.change(judgement) : Self.signedCount(row.candidate.median - row.baseline.median)
      (estimate, changeInterval) = ("exact", "exact")
      baselineInterval = Self.range(judgement.baseline)
      candidateInterval = Self.range(judgement.candidate)
    }
  }

  /// `+21 %`, or `+3 ms` if there is no ratio.
  static func medianChange(_ judgement: TimeJudgement, _ metric: Metric) -> String {
    guard let scale = judgement.change?.scale, let change = judgement.medianChange else {
      return Table.missing
    }
    return formatted(change, scale, metric)
  }

  static func estimate(_ judgement: TimeJudgement, _ metric: Metric) -> String {
    guard let change = judgement.change else { return Table.missing }
    let interval = interval(change, metric)
    return estimate(change, metric) + (interval == Table.missing ? "" : " (\(interval))")
  }

  static func estimate(_ change: TimeJudgement.Change, _ metric: Metric) -> String {
    formatted(change.estimate, change.scale, metric)
  }

  static func interval(_ change: TimeJudgement.Change, _ metric: Metric) -> String {
    guard let lower = change.lower, let upper = change.upper else { return Table.missing }
    let ends = [lower, upper].map { formatted($0, change.scale, metric) }
    let words = ends.map { $0.split(separator: " ") }
    guard words[0].count == 2, words[0].last == words[1].last else {
      return "\(ends[0]) to \(ends[1])"
    }
    return "\(words[0][0]) to \(ends[1])"
  }

  static func formatted(_ value: Double, _ scale: TimeJudgement.Scale, _ metric: Metric) -> String {
    switch scale {
    // Above this, a factor is easier to read than a percentage.
    case .ratio where value >= 3: "×\(Figures.short(value))"
    case .ratio: signed(value - 1, Figures.percent)
    case .difference:
      signed(value) { Figures.number($0, metric) }
        + (metric.unit.isEmpty ? "" : " \(metric.unit)")
    }
  }

  /// Counts that differ within a side have no single change.
  static func change(_ judgement: CountJudgement) -> String {
    guard let baseline = judgement.baseline, let candidate = judgement.candidate,
      baseline.smallest == baseline.largest, candidate.smallest == candidate.largest
    else { return Table.missing }
    return signedCount(candidate.largest - baseline.largest)
  }

  private static func signedCount(_ value: Double) -> String { signed(value, Figures.count) }

  private static func signed(_ value: Double, _ text: (Double) -> String) -> String {
    let text = text(value)
    // A value that rounds to zero has no sign.
    let isZero = !text.contains { "123456789".contains($0) }
    if isZero { return text.hasPrefix("-") ? String(text.dropFirst()) : text }
    return value > 0 ? "+\(text)" : text
  }

  private static func interval(_ estimate: Estimate, _ metric: Metric) -> String {
    guard let interval = estimate.interval else { return Table.missing }
    return [interval.lower, interval.upper].map { Figures.number($0, metric) }
      .joined(separator: "–")
  }

  private static func range(_ range: CountJudgement.Range?) -> String {
    guard let range else { return Table.missing }
    let (smallest, largest) = (Figures.count(range.smallest), Figures.count(range.largest))
    return smallest == largest ? "exact" : "\(smallest)–\(largest)"
  }
}
