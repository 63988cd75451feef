import Judging
import Measurement

struct DuetFigures {
  let baseline: String
  let candidate: String
  let change: String
  let estimate: String
  let interval: String
  /// The change in fresh pairs.
  let fresh: String

  init(_ figure: DuetFigure) {
    let metric = figure.metric
    fresh = figure.confirmation.map { Self.estimate($0, metric) } ?? Table.missing
    switch figure.judgement {
    case .time(let judgement):
      let format = metric.isCount ? Figures.count : Figures.short
      baseline = judgement.baseline.map { format($0.median) } ?? Table.missing
      candidate = judgement.candidate.map { format($0.median) } ?? Table.missing
      change = ComparisonFigures.medianChange(judgement, metric)
      estimate = ComparisonFigures.estimate(judgement, metric)
      interval =
        judgement.change.map { ComparisonFigures.interval($0, metric) } ?? Table.missing
    case .count(let judgement):
      baseline = judgement.baseline.map(Figures.range) ?? Table.missing
      candidate = judgement.candidate.map(Figures.range) ?? Table.missing
      change = ComparisonFigures.change(judgement)
      estimate = Table.missing
      interval = Table.missing
    }
  }

  private static func estimate(_ judgement: Judgement, _ metric: Metric) -> String {
    switch judgement {
    case .time(let judgement):
      judgement.change.map { ComparisonFigures.estimate($0, metric) } ?? Table.missing
    case .count(let judgement): ComparisonFigures.change(judgement)
    }
  }
}
