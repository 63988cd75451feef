import Judging
import Measurement

/// Blocked time: every trial, the median with its interval, and its parts.
struct BlockedFigure {
  let section: PageSection

  private static let metric = Metric.mainBlocked

  var figure: Figure {
    let lines = section.shown.measured(Self.metric)
    let axis = Axis.linear(
      to: lines.largest(Self.metric) ?? 0, "time that the main queue was blocked, ms")
    let drawing = RowChart(
      id: "\(section.id)-blocked", title: "Blocked time of each topology",
      summary: lines.map { "\($0.name): \(value($0))" }.joined(separator: "; "),
      axis: axis, height: 36, rows: lines.map { row($0, axis) })
    return Figure(
      id: "\(section.id)-blocked-figure", heading: "Blocked time",
      caption: """
        How long the main queue was kept from answering by the database. Each dot is a trial, the \
        upright line their median, the band its 95 % interval (from six trials on); the bar below is \
        the median, split into work and, hatched, waiting. Shorter is better.\(baseline)
        """,
      key: Key(uses(lines)), drawing: lines.isEmpty ? nil : drawing.svg,
      note: lines.isEmpty ? "Not measured." : nil, table: table(lines), rows: "\(section.id)-rows")
  }

  private var baseline: String {
    section.comparison == nil ? "" : " Hollow dots are the baseline’s."
  }

  private func row(_ line: PageLine, _ axis: Axis) -> RowChart.Row {
    RowChart.Row(label: line.label, value: RowChart.ValueText(value(line)), isSecond: line.isSecond)
    {
      marks, y in
      .joined([band(line, marks, y), dots(line, axis, marks, y), parts(line, marks, y + 24)])
    }
  }

  private func value(_ line: PageLine) -> String {
    guard let estimate = line.summary.estimates[Self.metric] else { return "–" }
    return PageText.milliseconds(estimate.median) + PageText.interval(estimate)
  }

  private func band(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    guard let estimate = line.summary.estimates[Self.metric] else { return .nothing }
    let band = estimate.interval.map { interval in
      marks.bar(
        from: interval.lower, to: interval.upper, y: y, height: 20, "band",
        "95 % interval \(Figures.short(interval.lower)) to \(Figures.short(interval.upper)) ms")
    }
    return .joined([
      band ?? .nothing, marks.stroke(estimate.median, from: y, to: y + 20, "median"),
    ])
  }

  // Dots that overlap move up and down.
  private func dots(_ line: PageLine, _ axis: Axis, _ marks: Marks, _ y: Double) -> HTML {
    let cells = line.cells.compactMap { cell in
      cell.metrics[Self.metric].map { (cell.trial, $0) }
    }.sorted { $0.1 < $1.1 }
    var lanes = Lanes()
    return .joined(
      cells.map { trial, value in
        marks.dot(
          value, y: y + 10 + lanes.offset(axis.percent(value)), line.dotStyle,
          "trial \(trial): \(PageText.milliseconds(value))")
      })
  }

  private func parts(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    var start = 0.0
    return .joined(
      Self.parts(line).map { use, value in
        defer { start += value }
        return marks.bar(
          from: start, to: start + value, y: y, height: 10, use.style,
          "\(use.words): \(PageText.milliseconds(value))")
      })
  }

  /// The parts above zero. Their sum is the median.
  private static func parts(_ line: PageLine) -> [(MainUse, Double)] {
    MainUse.columns.compactMap { use, column in
      line.median?.mean(column).flatMap { $0 > 0 ? (use, $0) : nil }
    }
  }

  private func uses(_ lines: [PageLine]) -> [MainUse] { lines.flatMap { Self.parts($0).map(\.0) } }

  private func table(_ lines: [PageLine]) -> DataTable {
    DataTable(
      id: "\(section.id)-blocked-table",
      caption: "Blocked time, ms: median and 95 % interval over trials; its parts, of the median.",
      columns: ["topology", "trials", "median", "from", "to"]
        + MainUse.columns.map(\.use.words),
      rows: lines.map { line in
        let estimate = line.summary.estimates[Self.metric]
        return DataTable.Row(
          name: .name(line.name),
          cells: [
            .count(estimate.map { Double($0.trials) }), .number(estimate?.median),
            .number(estimate?.interval?.lower), .number(estimate?.interval?.upper),
          ] + MainUse.columns.map { .number(line.median?.mean($0.column)) })
      })
  }
}

/// Places overlapping dots in several lanes, in their order.
private struct Lanes {
  private var last = [Double](repeating: -100, count: offsets.count)

  private static let offsets = [0.0, -5, 5, -2.5, 2.5]
  /// In percent of the width.
  private static let width = 1.0

  mutating func offset(_ percent: Double) -> Double {
    let free = last.indices.first { percent - last[$0] >= Self.width }
    let lane = free ?? last.indices.min { last[$0] < last[$1] } ?? 0
    last[lane] = percent
    return Self.offsets[lane]
  }
}
