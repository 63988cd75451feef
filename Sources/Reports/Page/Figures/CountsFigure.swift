import Judging
import Measurement

/// Exact counts of main's work. The speed of the machine does not change them.
struct CountsFigure {
  let section: PageSection

  var figure: Figure {
    let counts = Metrics.exactCounts.filter { !section.shown.measured($0).isEmpty }
    return Figure(
      id: "\(section.id)-counts-figure", heading: "Exact counts",
      caption: """
        Work on the main queue that does not depend on the machine’s speed. A range means that trials \
        of one topology disagree, which they should not.
        """,
      drawing: counts.isEmpty ? nil : table(counts).html,
      note: counts.isEmpty ? "Not counted." : nil, table: nil, rows: "\(section.id)-rows")
  }

  private func table(_ counts: [Metric]) -> DataTable {
    DataTable(
      id: "\(section.id)-counts-table", caption: "Exact counts on the main queue.",
      columns: ["topology"] + counts.map(\.meaning),
      rows: section.shown.map { line in
        DataTable.Row(name: .name(line.name), cells: counts.map { cell(line.values($0)) })
      })
  }

  private func cell(_ values: [Double]) -> DataTable.Cell {
    guard let smallest = values.min(), let largest = values.max() else { return .count(nil) }
    guard smallest < largest else { return .count(smallest) }
    return .html(
      .joined([
        .number(smallest, Figures.count(smallest)), HTML("–"),
        .number(largest, Figures.count(largest)),
      ]))
  }
}
