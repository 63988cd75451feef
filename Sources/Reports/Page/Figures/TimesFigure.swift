import Judging
import Measurement

struct TimesFigure {
  let section: PageSection

  private static let times: [Metric] = [.saved, .durable, .visible, .total]

  var figure: Figure {
    let lines = section.shown.measured(.total)
    let latest = lines.flatMap { line in Self.times.compactMap { line.median($0) } }.max() ?? 0
    return Figure(
      "times", of: section, heading: "Total and visible times",
      caption: """
        The bar ends when all is durable and on screen; ◆ the last change is durable, ▼ the final \
        rows are visible.
        """,
      chart: RowChart(
        lines, title: "Total and visible times of each topology",
        axis: .linear(to: latest, "time since the first change, ms"), height: 14, value: value,
        marks: marks),
      table: Table(
        lines, Self.columns,
        caption: "Times, ms: medians over trials, and the 95 % interval of the total."))
  }

  private func marks(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    let total = line.median(.total) ?? 0
    let style = line.role == .baseline ? "total hollow" : "total"
    return .joined([
      marks.bar(
        from: 0, to: total, y: y, height: 12, style, "total \(PageText.milliseconds(total))"),
      marks.milestone(.durable, at: line.median(.durable), "durable after", y: y + 6),
      marks.milestone(.visible, at: line.median(.visible), "visible after", y: y + 6),
    ])
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    func text(_ metric: Metric) -> String {
      line.median(metric).map(PageText.milliseconds) ?? Table.missing
    }
    return RowChart.ValueText(
      before: "visible \(text(.visible)), ", figure: "total \(text(.total))")
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .median("last save returned", .saved), .median("durable", .durable),
    .median("visible", .visible), .median("total", .total),
    .number("from") { $0.interval(.total)?.lower }, .number("to") { $0.interval(.total)?.upper },
    .median("scroll afterwards", .mainDeferred),
    .number("÷ raw SQLite") { $0.summary.ratio(.total, to: .rawSQLite) },
  ]
}
