import Judging
import Measurement

/// The texts of one judged metric, for comparisons, gates and duets.
struct ComparisonFigures {
  let metric: Metric
  let judgement: Judgement
  /// In the metric's unit. Nil if nothing was measured, or if only a range of counts is known.
  private let sides: (baseline: Estimate?, candidate: Estimate?)

  init(
    _ metric: Metric, _ judgement: Judgement, baseline: Estimate?, candidate: Estimate?
  ) {
    (self.metric, self.judgement, sides) = (metric, judgement, (baseline, candidate))
  }

  init(_ figure: Comparison.Figure) {
    self.init(
      figure.metric, figure.judgement, baseline: figure.baseline, candidate: figure.candidate)
  }

  var baseline: String { median(sides.baseline) { $0.baseline } }

  var candidate: String { median(sides.candidate) { $0.candidate } }

  /// Of the two medians: `+21 %`, or `+3 ms` if there is no ratio. Counts that differ within a side
  /// have no single change.
  var change: String {
    switch judgement {
    case .count(let count):
      guard let medians else { return Self.change(count) }
      return Self.signed(medians.candidate - medians.baseline, Figures.count)
    case .time(let time):
      guard let scale = time.change?.scale, let baseline = sides.baseline?.median,
        let candidate = sides.candidate?.median
      else { return Table.missing }
      return Self.formatted(scale.change(from: baseline, to: candidate), scale, metric)
    }
  }

  /// Over all trials or pairs, with its interval.
  var estimate: String {
    guard case .time(let time) = judgement else { return countInterval }
    guard let change = time.change else { return Table.missing }
    let interval = Self.interval(change, metric)
    return Self.estimate(change, metric) + (interval == Table.missing ? "" : " (\(interval))")
  }

  var changeInterval: String {
    guard case .time(let time) = judgement else { return countInterval }
    return time.change.map { Self.interval($0, metric) } ?? Table.missing
  }

  var baselineInterval: String { interval(sides.baseline) { $0.baseline } }

  var candidateInterval: String { interval(sides.candidate) { $0.candidate } }

  // MARK: Parts

  /// None for counts that differ within a side.
  private var countInterval: String { change == Table.missing ? Table.missing : "exact" }

  /// Of a count that is not shown as a range: instructions of equal work differ a little.
  private var medians: (baseline: Double, candidate: Double)? {
    guard !metric.isIndependentOfScheduling, let baseline = sides.baseline,
      let candidate = sides.candidate
    else { return nil }
    return (baseline.median, candidate.median)
  }

  private func median(
    _ estimate: Estimate?, _ range: (CountJudgement) -> CountJudgement.Range?
  ) -> String {
    if case .count(let count) = judgement, medians == nil { return Figures.range(range(count)) }
    return Figures.median(estimate, metric)
  }

  private func interval(
    _ estimate: Estimate?, _ range: (CountJudgement) -> CountJudgement.Range?
  ) -> String {
    if case .count(let count) = judgement {
      guard let range = range(count) else { return Table.missing }
      return range.smallest == range.largest ? "exact" : Figures.range(range)
    }
    guard let interval = estimate?.interval else { return Table.missing }
    return [interval.lower, interval.upper].map { Figures.number($0, metric) }
      .joined(separator: "–")
  }

  static func change(_ judgement: CountJudgement) -> String {
    guard let baseline = judgement.baseline, let candidate = judgement.candidate,
      baseline.smallest == baseline.largest, candidate.smallest == candidate.largest
    else { return Table.missing }
    return signed(candidate.largest - baseline.largest, Figures.count)
  }

  private static func signed(_ value: Double, _ text: (Double) -> String) -> String {
    let text = text(value)
    // A value that rounds to zero has no sign.
    let isZero = !text.contains { "123456789".contains($0) }
    if isZero { return text.hasPrefix("-") ? String(text.dropFirst()) : text }
    return value > 0 ? "+\(text)" : text
  }
}

extension ComparisonFigures {
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
}
