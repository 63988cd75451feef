import Judging
import Measurement

/// When the work was durable, visible and over.
struct TimesFigure {
  let section: PageSection

  private static let columns: [Metric] = [.saved, .durable, .visible, .total]

  var figure: Figure {
    let lines = section.shown.measured(.total)
    let axis = Axis.linear(
      to: lines.compactMap { line in Self.columns.compactMap { line.summary.median($0) }.max() }
        .max() ?? 0,
      "time since the first change, ms")
    let drawing = RowChart(
      id: "\(section.id)-times", title: "Total and visible times of each topology",
      summary: lines.map { "\($0.name): \(value($0).text)" }.joined(separator: "; "), axis: axis,
      height: 14, rows: lines.map(row))
    return Figure(
      id: "\(section.id)-times-figure", heading: "Total and visible times",
      caption: """
        How long the whole work took, blocking or not: the bar ends when all is durable and on \
        screen; ◆ the last change is durable, ▼ the final rows are visible. A topology that blocks \
        less may take longer.
        """,
      drawing: lines.isEmpty ? nil : drawing.svg, note: lines.isEmpty ? "Not measured." : nil,
      table: table(lines), rows: "\(section.id)-rows")
  }

  private func row(_ line: PageLine) -> RowChart.Row {
    RowChart.Row(label: line.label, value: value(line), isSecond: line.isSecond) {
      marks, y in
      let total = line.summary.median(.total) ?? 0
      let style = line.role == .baseline ? "total hollow" : "total"
      return .joined([
        marks.bar(
          from: 0, to: total, y: y, height: 12, style, "total \(PageText.milliseconds(total))"),
        glyph(line, .durable, Glyph.diamond, "durable", marks, y + 6),
        glyph(line, .visible, Glyph.triangle, "visible", marks, y + 6),
      ])
    }
  }

  private func glyph(
    _ line: PageLine, _ metric: Metric, _ shape: StaticString, _ word: String, _ marks: Marks,
    _ y: Double
  ) -> HTML {
    guard let value = line.summary.median(metric) else { return .nothing }
    return marks.glyph(
      shape, at: value, y: y, "milestone", "\(word) after \(PageText.milliseconds(value))")
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    func text(_ word: String, _ metric: Metric) -> String {
      line.summary.median(metric).map { "\(word) \(PageText.milliseconds($0))" } ?? "\(word) –"
    }
    return RowChart.ValueText(
      text("total", .total), before: text("visible", .visible) + ", ")
  }

  private func table(_ lines: [PageLine]) -> DataTable {
    DataTable(
      id: "\(section.id)-times-table",
      caption: "Times, ms: medians over trials, and the 95 % interval of the total.",
      columns: [
        "topology", "last save returned", "durable", "visible", "total", "from", "to",
        "scroll afterwards", "÷ raw SQLite",
      ],
      rows: lines.map { line in
        let interval = line.summary.estimates[.total]?.interval
        return DataTable.Row(
          name: .name(line.name),
          cells: Self.columns.map { .number(line.summary.median($0)) } + [
            .number(interval?.lower), .number(interval?.upper),
            .number(line.summary.median(.mainDeferred)),
            .number(line.summary.ratioToRawSQLite?.median),
          ])
      })
  }
}
