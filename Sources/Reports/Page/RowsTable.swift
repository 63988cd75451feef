import Judging
import Measurement

/// The rows of the CSV files behind a section's figures.
struct RowsTable {
  let section: PageSection
  /// Whether the rows are lines of text, not a table.
  let isCompact: Bool

  /// Exact counts have a table of their own, and are here only where trials disagree.
  private static let metrics: [Metric] =
    [
      .mainBlocked, .mainExecuting, .mainWaiting, .mainWaitParent, .mainWaitCoordinator,
      .mainWaitSQLite, .mainWaitQueue, .mainWaitOther, .mainLongestGap, .longestGapCause,
      .framesDue, .framesLate, .hitchRate, .tapP50, .tapP95, .tapP99, .tapMax, .saved, .durable,
      .visible, .total, .mainDeferred,
    ] + Metric.instructions + Metric.instructionParts

  /// Above this number of rows a page writes lines of text.
  static let most = 3000

  var block: Document.Block {
    let table = table
    let files = section.files.map { PageText.brief($0) }.cut()
    let count = Figures.counted(table.rows.count, "row")
    return .section(
      "Rows", .rows, id: "\(section.id)-data",
      [
        .paragraph(
          "What the figures above were made from: rows of \(files), of which the columns stand here "
            + "that are not zero throughout.", .legend),
        .section("\(count) of \(PageText.title(section.title))", .folded, [.table(table)]),
      ])
  }

  private var table: Table {
    let metrics = shownMetrics
    let leading = isCompact ? ["topology", "trial", "status"] : ["trial"]
    let columns =
      leading.map { Table.Column(heading: $0, kind: .heading) }
      + metrics.map { Table.Column(heading: $0.name, kind: $0.kind == .label ? .words : .figure) }
    return Table(
      id: "\(section.id)-rows",
      caption: "One \(isCompact ? "line" : "row") a cell, as in the CSV files; times in ms.",
      isCompact: isCompact, columns: columns,
      rows: section.lines.flatMap { line in line.all.map { row($0, of: line, metrics) } })
  }

  private func row(_ cell: CellResult, of line: PageLine, _ metrics: [Metric]) -> Table.Row {
    let isOk = cell.status == .ok
    let (status, trial) = (cell.status.rawValue, "\(cell.trial)")
    let values = metrics.map { text($0, of: cell) }
    guard isCompact else {
      let error = "\(status): \(PageText.brief(cell.error, most: 200))"
      return Table.Row(
        group: line.name, cells: ([trial] + (isOk ? values : [error])).map { Table.Cell($0) })
    }
    let fields = [line.name, trial, status] + (isOk ? values : [PageText.brief(cell.error)])
    return Table.Row(cells: fields.map { Table.Cell($0) })
  }

  private var shownMetrics: [Metric] {
    let counts = Metrics.exactCounts.filter { metric in
      section.lines.contains { Set($0.values(metric)).count > 1 }
    }
    return (Self.metrics + counts).filter { metric in
      metric.kind == .label
        || section.lines.contains { $0.values(metric).contains { $0 != 0 } }
    }
  }

  private func text(_ metric: Metric, of cell: CellResult) -> String {
    if metric.kind == .label { return PageText.brief(cell.metrics[label: metric] ?? "") }
    return cell.metrics[metric].map(PageText.exact) ?? ""
  }
}
