import Judging
import Measurement

struct ChangeFigure {
  let section: PageSection
  let comparison: Comparison.Section

  private struct Change {
    let topology: String
    let figure: Comparison.Figure
    /// In percent.
    let estimate: Double
    let lower: Double?
    let upper: Double?

    init?(_ topology: Comparison.Topology) {
      guard let figure = topology.figures.first(where: { $0.metric == .mainBlocked }),
        case .time(let judgement) = figure.judgement, let change = judgement.change,
        change.scale == .ratio
      else { return nil }
      self.topology = topology.name
      self.figure = figure
      estimate = (change.estimate - 1) * 100
      lower = change.lower.map { ($0 - 1) * 100 }
      upper = change.upper.map { ($0 - 1) * 100 }
    }

    var value: RowChart.ValueText {
      let figures = ComparisonFigures(figure)
      return RowChart.ValueText(figure: "\(figures.estimate): \(figure.verdict.rawValue)")
    }
  }

  var figure: Figure {
    let changes = comparison.topologies.compactMap(Change.init)
    return Figure(
      "change", of: section, heading: "What changed",
      caption: """
        Left of zero the candidate blocks less. The dot is the estimate over all trials, which can \
        differ from the change of the medians. Where the line, its 95 % interval, crosses zero, chance \
        could have made the change.
        """,
      chart: RowChart(
        title: "Change of blocked time of each topology",
        description: changes.map { "\($0.topology): \($0.value.text)" }.joined(separator: "; "),
        axis: axis(changes), height: 16, rows: changes.map(row)),
      note: changes.isEmpty ? "No topology’s blocked time can be compared as a ratio." : nil,
      table: table)
  }

  private func axis(_ changes: [Change]) -> Axis {
    let ends = changes.flatMap { [$0.estimate, $0.lower, $0.upper].compactMap { $0 } }
    let half = Axis.linear(to: max(5, ends.map(abs).max() ?? 0), "")
    let steps = half.ticks.dropFirst()
    return Axis(
      title: "← shorter · change of blocked time, % · longer", lower: -half.upper,
      upper: half.upper,
      ticks: steps.reversed().map { -$0 } + half.ticks)
  }

  private func row(_ change: Change) -> RowChart.Row {
    RowChart.Row(label: change.topology, value: change.value) { marks, y in
      let interval = change.lower.flatMap { lower in
        change.upper.map { marks.span(from: lower, to: $0, y: y + 7, "whisker") }
      }
      let isWorse = change.figure.verdict == .worse
      return .joined([
        marks.stroke(0, from: y - 4, to: y + 16, "median"), interval ?? .nothing,
        marks.dot(change.estimate, y: y + 7, isWorse ? "dot bad" : "dot", change.value.text),
      ])
    }
  }

  var table: Table {
    let names = ["topology and figure", "baseline", "candidate", "change", "estimate", "verdict"]
    let kinds: [Table.Column.Kind] = [.heading, .number, .number, .figure, .figure, .words]
    return Table(
      caption:
        "Every figure that was compared: medians, their change, the estimated change with its 95 % interval, and the verdict.",
      columns: zip(names, kinds).map { Table.Column(heading: $0, kind: $1) },
      rows: comparison.topologies.flatMap { topology in
        topology.figures.map { figure in
          let figures = ComparisonFigures(figure)
          return Table.Row(cells: [
            "\(PageText.brief(topology.name)) \(figure.metric.name)",
            Table.Cell(figure.baseline.median) { _ in figures.baseline },
            Table.Cell(figure.candidate.median) { _ in figures.candidate },
            Table.Cell(figures.change), Table.Cell(figures.estimate),
            Table.Cell(figure.verdict.rawValue),
          ])
        }
      })
  }
}
