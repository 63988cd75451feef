import Judging
import Measurement

/// Exact counts of main's work. The speed of the machine does not change them.
struct CountsFigure {
  let section: PageSection

  var block: Document.Block {
    let counts = Metrics.exactCounts.filter { !section.shown.measured($0).isEmpty }
    var table = Table(
      section.shown, [.topology] + counts.map(column), caption: "Exact counts on the main queue.")
    table.id = "\(section.id)-counts-table"
    let rows = Document.Link(target: "\(section.id)-rows", text: "The rows behind “Exact counts”")
    return .section(
      "Exact counts", .figure, id: "\(section.id)-counts-figure",
      [
        .paragraph(
          "Work on the main queue that does not depend on the machine’s speed. A range means that "
            + "trials of one topology disagree, which they should not.", .legend),
        counts.isEmpty ? .paragraph("Not counted.", .note) : .table(table),
        .section("", .behindFigure, [.links("", [rows])]),
      ])
  }

  private func column(_ count: Metric) -> ValueColumn<PageLine> {
    ValueColumn(Table.Column(heading: count.meaning)) { line in
      let values = line.values(count)
      let smallest = Table.Cell(values.min(), Figures.count)
      let largest = Table.Cell(values.max(), Figures.count)
      return values.min() == values.max() ? smallest : smallest + "–" + largest
    }
  }
}
