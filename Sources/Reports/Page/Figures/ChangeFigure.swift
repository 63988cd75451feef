import Judging
import Measurement

/// The changes from the baseline to the candidate.
struct ChangeFigure {
  let section: PageSection
  let comparison: Comparison.Section

  private struct Change {
    let topology: String
    let row: Comparison.Figure
    /// In percent.
    let estimate: Double
    let lower: Double?
    let upper: Double?

    init?(_ topology: Comparison.Topology) {
      guard let row = topology.figures.first(where: { $0.metric == .mainBlocked }),
        case .time(let judgement) = row.judgement, let change = judgement.change,
        change.scale == .ratio
      else { return nil }
      self.topology = topology.name
      self.row = row
      estimate = (change.estimate - 1) * 100
      lower = change.lower.map { ($0 - 1) * 100 }
      upper = change.upper.map { ($0 - 1) * 100 }
    }
  }

  var figure: Figure {
    let changes = comparison.topologies.compactMap(Change.init)
    let axis = axis(changes)
    let drawing = RowChart(
      id: "\(section.id)-change", title: "Change of blocked time of each topology",
      summary: changes.map { "\($0.topology): \(value($0).text)" }.joined(separator: "; "),
      axis: axis,
      height: 16, rows: changes.map { row($0) })
    return Figure(
      id: "\(section.id)-change-figure", heading: "What changed",
      caption: """
        Blocked time of the candidate against the baseline’s: left of zero it blocks less. The line is \
        the 95 % interval of the change; where it crosses zero, chance could have made the change.
        """,
      drawing: changes.isEmpty ? nil : drawing.svg,
      note: changes.isEmpty ? "No topology’s blocked time can be compared as a ratio." : nil,
      table: table, rows: "\(section.id)-rows")
  }

  /// As far to the left of zero as to the right.
  private func axis(_ changes: [Change]) -> Axis {
    let farthest =
      changes.flatMap { [$0.estimate, $0.lower, $0.upper].compactMap { $0 } }
      .map(abs).max() ?? 0
    let half = Axis.linear(to: max(5, farthest), "")
    let steps = half.ticks.dropFirst()
    return Axis(
      title: "change of blocked time, %", scale: .linear, lower: -half.upper, upper: half.upper,
      ticks: steps.reversed().map { -$0 } + half.ticks)
  }

  private func row(_ change: Change) -> RowChart.Row {
    RowChart.Row(label: change.topology, value: value(change)) { marks, y in
      let interval = change.lower.flatMap { lower in
        change.upper.map { marks.span(from: lower, to: $0, y: y + 7, "whisker") }
      }
      return .joined([
        marks.stroke(0, from: y - 4, to: y + 16, "median"), interval ?? .nothing,
        marks.dot(
          change.estimate, y: y + 7, "dot \(change.row.verdict.rawValue == "worse" ? "bad" : "")",
          value(change).text),
      ])
    }
  }

  private func value(_ change: Change) -> RowChart.ValueText {
    let figures = ComparisonFigures(change.row)
    return RowChart.ValueText(
      "\(figures.change): \(change.row.verdict.rawValue)", after: ", interval \(figures.interval)")
  }

  private var table: DataTable {
    DataTable(
      id: "\(section.id)-change-table",
      caption:
        "Every figure that was compared: medians, the change with its 95 % interval, and the verdict.",
      columns: ["topology and figure", "baseline", "candidate", "change", "interval", "verdict"],
      rows: comparison.topologies.flatMap { topology in
        topology.figures.map { row in
          let figures = ComparisonFigures(row)
          return DataTable.Row(
            name: .joined([.name(topology.name), HTML(" \(row.metric.name)")]),
            cells: [
              .html(.number(row.baseline.median, figures.baseline)),
              .html(.number(row.candidate.median, figures.candidate)), .text(figures.change),
              .text(figures.interval), .text(row.verdict.rawValue),
            ])
        }
      })
  }
}
