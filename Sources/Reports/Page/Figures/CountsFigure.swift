import Judging
import Measurement

struct CountsFigure {
  let section: PageSection

  var figure: Figure {
    let counts = Metrics.exactCounts.filter { !section.shown.measured($0).isEmpty }
    return Figure(
      id: "\(section.id)-counts", heading: "Why: exact counts of main’s work",
      caption: """
        The machine’s speed does not change these. A range means that trials disagree, which they \
        should not.
        """,
      drawing: nil, note: counts.isEmpty ? "Not counted." : nil,
      table: Table(
        counts.isEmpty ? [] : section.shown, [.topology] + counts.map(column),
        caption: "Exact counts on the main queue."),
      isTableOpen: true)
  }

  private func column(_ count: Metric) -> ValueColumn<PageLine> {
    ValueColumn(column: Table.Column(heading: count.meaning)) { line in
      let values = line.values(count)
      let smallest = Table.Cell(values.min(), Figures.count)
      let largest = Table.Cell(values.max(), Figures.count)
      return values.min() == values.max() ? smallest : smallest + "–" + largest
    }
  }
}
