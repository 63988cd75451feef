import Judging
import Measurement

extension Table {
  /// The change of blocked time of each topology; nil if none has a ratio.
  init?(changesOf comparison: Comparison.Section) {
    let changes = comparison.topologies.compactMap(BlockedChange.init)
    guard !changes.isEmpty else { return nil }
    let ends = changes.flatMap { [$0.estimate] + $0.ends }
    let axis = Axis.symmetric(to: max(5, ends.map(abs).max() ?? 0))
    self.init(
      changes,
      [
        .leading("topology", .heading) { $0.topology },
        .marks("← shorter · blocked time, % · longer →", axis, text: \.text, \.marks),
        ValueColumn("change", "", .figure) {
          ComparisonFigures.estimate($0.change, $0.figure.metric)
        },
        ValueColumn("95 % interval", "", .figure) { $0.shown.changeInterval }.forWidePages,
        ValueColumn("verdict", "", .words) { $0.figure.verdict.rawValue },
      ],
      caption: """
        A dot is the estimate over all trials, which can differ from the change of the medians. \
        Where the line, its 95 % interval, crosses zero, chance could have made the change.
        """)
  }

  /// The prices between which the order of topologies stays; nil if no price turns it.
  init?(_ sensitivity: Sensitivity) {
    let ranges = sensitivity.stableRanges
    guard !ranges.isEmpty else { return nil }
    let limits = Sensitivity.ratios
    self.init(
      ranges,
      [
        .leading("the price of", .heading) { Sentences.priced($0.event) },
        .marks(
          "price, in push-ups", .logarithmic(from: limits.lowerBound, to: limits.upperBound),
          text: { "the order stays at \(Sentences.bounds($0)) push-ups" },
          { range in
            let (lower, upper) = (
              range.lower ?? limits.lowerBound, range.upper ?? limits.upperBound
            )
            return [
              .bar(lower, upper, title: "the order stays"),
              .dot(range.here, title: "here: \(Figures.short(range.here))"),
            ] + sensitivity.turns.filter { $0.event == range.event }.map { .median($0.ratio) }
          }),
        .number("here") { $0.here },
        .number("stays above") { $0.lower }, .number("stays below") { $0.upper },
      ],
      caption: "Bar: the order stays. Dot: the core’s own price. Stroke: two topologies turn.")
  }

  /// Medians of each topology, a column of marks for each value. All share one axis.
  init(chartOf sweep: Sweep, id: String) {
    let axis = Axis.fitting(sweep.points.flatMap { $0.ranking.places.map(\.median) })
    let columns = sweep.points.flatMap { Self.columns($0, axis) }
    self.init(
      sweep.topologies,
      [.leading("topology", .heading) { PageText.label(sweep.label($0)) }] + columns,
      caption: Sentences.legend(sweep)
        + " All values share one axis"
        + (axis.isLogarithmic ? ", on which each step is ten times as much." : "."))
    self.id = id
  }

  private static func columns(_ point: SweepPoint, _ axis: Axis) -> [ValueColumn<String>] {
    let places = Dictionary(point.ranking.places.map { ($0.name, $0) }) { first, _ in first }
    let value = PageText.brief(point.value.label)
    return [
      .marks(
        "at \(value)", axis,
        text: { places[$0].map { Figures.milliseconds($0.median) } ?? Table.missing },
        { name in
          places[name].map {
            [.dot($0.median, title: "\(value): \(Figures.milliseconds($0.median))")]
          } ?? []
        }),
      ValueColumn(column: Column(heading: value, unit: "ms")) { Cell(places[$0]?.median) },
      ValueColumn("rank", "", .label) { name in
        places[name].map { AnswerColumns.letters($0.letters) } ?? ""
      },
    ]
  }
}

private struct BlockedChange {
  let topology: String
  let figure: Comparison.Figure
  let shown: ComparisonFigures
  let change: TimeJudgement.Change

  init?(_ topology: Comparison.Topology) {
    guard
      let figure = topology.figures.first(where: { $0.metric.isBlocked }),
      case .time(let judgement) = figure.judgement, let change = judgement.change,
      change.scale == .ratio
    else { return nil }
    self.topology = topology.name
    (self.figure, self.change, shown) = (figure, change, ComparisonFigures(figure))
  }

  /// In percent.
  var estimate: Double { (change.estimate - 1) * 100 }

  /// The ends of the interval, in percent.
  var ends: [Double] { [change.lower, change.upper].compactMap { $0.map { ($0 - 1) * 100 } } }

  var text: String { "\(shown.estimate): \(figure.verdict.rawValue)" }

  var marks: [Mark] {
    [.median(0)] + (ends.count == 2 ? [.span(ends[0], ends[1])] : [])
      + [.dot(estimate, figure.verdict == .worse ? .bad : .solid, title: text)]
  }
}
