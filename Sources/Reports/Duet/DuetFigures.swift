import Judging
import Measurement

/// The figures of a duet's row, formatted for people.
struct DuetFigures {
  let baseline: String
  let candidate: String
  let change: String
  let interval: String
  /// The change in fresh pairs.
  let fresh: String

  init(_ figure: DuetFigure) {
    let metric = Metric(named: figure.metric)
    change = Self.change(figure.judgement, metric)
    fresh = figure.confirmation.map { Self.change($0, metric) } ?? Table.missing
    switch figure.judgement {
    case .time(let judgement):
      baseline = judgement.baseline.map { Figures.short($0.median) } ?? Table.missing
      candidate = judgement.candidate.map { Figures.short($0.median) } ?? Table.missing
      interval =
        judgement.change.map { ComparisonFigures.interval($0, metric) } ?? Table.missing
    case .count(let judgement):
      baseline = judgement.baseline.map(Figures.range) ?? Table.missing
      candidate = judgement.candidate.map(Figures.range) ?? Table.missing
      interval = Table.missing
    }
  }

  private static func change(_ judgement: Judgement, _ metric: Metric) -> String {
    switch judgement {
    case .time(let judgement):
      return judgement.change.map { ComparisonFigures.change($0, metric) } ?? Table.missing
    case .count(let judgement):
      guard let baseline = judgement.baseline, let candidate = judgement.candidate else {
        return Table.missing
      }
      let more = candidate.largest - baseline.largest
      return more > 0 ? "+\(Figures.count(more))" : Figures.count(more)
    }
  }
}
