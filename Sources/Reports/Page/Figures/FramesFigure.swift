import Judging
import Measurement

/// Late frames.
struct FramesFigure {
  let section: PageSection

  private static let metric = Metric.framesLate

  var figure: Figure {
    let lines = section.shown.measured(Self.metric)
    let largest = lines.compactMap { $0.summary.median(Self.metric) }.max() ?? 0
    let axis = Axis.linear(to: max(1, largest), "late frames", isWhole: true)
    let drawing = RowChart(
      id: "\(section.id)-frames", title: "Late frames of each topology",
      summary: lines.map { "\($0.name): \(value($0).text)" }.joined(separator: "; "), axis: axis,
      height: 12, rows: lines.map(row))
    let isQuiet = largest == 0 && !lines.isEmpty
    return Figure(
      id: "\(section.id)-frames-figure", heading: "Late frames",
      caption: """
        Frames that were presented after the next was due, of those that were due; and the time they \
        came late by, for each second of the horizon: below 5 ms is good, above 10 ms critical.
        """,
      drawing: lines.isEmpty || isQuiet ? nil : drawing.svg,
      note: lines.isEmpty
        ? "Not measured." : isQuiet ? "No topology’s median trial had a late frame." : nil,
      table: table(lines), rows: "\(section.id)-rows")
  }

  private func row(_ line: PageLine) -> RowChart.Row {
    RowChart.Row(label: line.label, value: value(line), isSecond: line.isSecond) {
      marks, y in
      guard let late = line.summary.median(Self.metric) else { return .nothing }
      return marks.bar(
        from: 0, to: late, y: y, height: 10, line.role == .baseline ? "late hollow" : "late",
        value(line).text)
    }
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    let late = line.summary.median(Self.metric).map(Figures.count) ?? "–"
    let due = line.summary.median(.framesDue).map { " of \(Figures.count($0))" } ?? ""
    let hitch = line.summary.median(.hitchRate).map { hitch in
      ", \(Figures.short(hitch)) ms/s: \(hitch < 5 ? "good" : hitch <= 10 ? "warning" : "critical")"
    }
    return RowChart.ValueText(late + due, after: hitch ?? "")
  }

  private func table(_ lines: [PageLine]) -> DataTable {
    DataTable(
      id: "\(section.id)-frames-table", caption: "Frames: medians over trials.",
      columns: ["topology", "due", "late", "lateness, ms", "lateness, ms per s"],
      rows: lines.map { line in
        DataTable.Row(
          name: .name(line.name),
          cells: [
            .count(line.summary.median(.framesDue)), .count(line.summary.median(Self.metric)),
            .number(line.summary.median(.hitch)),
            .number(line.summary.median(.hitchRate)),
          ])
      })
  }
}
