import Judging
import Measurement

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The wait of a tap at a random instant: the exact distribution, computed from the gaps.
struct TapFigure {
  let section: PageSection

  /// In ms. Nobody notices less.
  private static let shortest = 0.1
  /// The smallest share that is drawn.
  private static let decades = 4.0
  private static let height = 44.0
  private static let pointsPerDecade = 24

  var figure: Figure {
    let lines = section.shown.measured(.tapMax)
    let longest = lines.largest(.tapMax) ?? 0
    let axis = Axis.logarithmic(
      from: Self.shortest, to: max(longest, longestGap(lines)),
      "wait of a tap, ms (each step is ten times as long)")
    let hasCurve = lines.contains { $0.sample != nil }
    let drawing = RowChart(
      id: "\(section.id)-tap", title: "How long a tap waits, topology by topology",
      summary: lines.map { "\($0.name): \(value($0).text)" }.joined(separator: "; "), axis: axis,
      height: Self.height, references: [(16.7, "a frame"), (100, "noticed")],
      rows: lines.map { row($0, axis) })
    return Figure(
      id: "\(section.id)-tap-figure", heading: "Waits of a tap",
      caption: """
        Of all taps at random instants of the horizon\(horizon), the share that waits longer than the \
        time below, in the median trial. The top of a row is every tap, the dashed line one in 100, \
        the foot one in 10,000. Lower, and ending further left, is better.
        """,
      drawing: hasCurve ? drawing.svg : nil, note: note(lines, hasCurve), table: table(lines),
      rows: "\(section.id)-rows")
  }

  private var horizon: String {
    section.summary.horizon.map { " (\(PageText.milliseconds($0)))" } ?? ""
  }

  private func longestGap(_ lines: [PageLine]) -> Double {
    lines.flatMap { $0.sample?.gaps ?? [] }.map(\.duration).max() ?? 0
  }

  private func note(_ lines: [PageLine], _ hasCurve: Bool) -> String? {
    if lines.isEmpty { return "Not measured." }
    guard hasCurve else {
      return
        "The distribution needs the service gaps of the cells’ documents, which were not read; "
        + "the table has the percentiles of the CSV file."
    }
    return nil
  }

  private func row(_ line: PageLine, _ axis: Axis) -> RowChart.Row {
    RowChart.Row(label: line.label, value: value(line), isSecond: line.isSecond) { marks, y in
      guard let sample = line.sample, let horizon = section.summary.horizon, horizon > 0 else {
        return .nothing
      }
      return .joined([
        marks.span(from: axis.lower, to: axis.upper, y: y + Self.height, "baseline"),
        marks.span(from: axis.lower, to: axis.upper, y: y + Self.height / 2, "guide"),
        marks.text("1 %", at: axis.upper, y: y + Self.height / 2 - 3, "tick last"),
        curve(TapWait(gaps: sample.gaps, horizon: horizon), axis, y),
      ])
    }
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    let p99 = line.summary.median(.tapP99).map { "99 % within \(PageText.milliseconds($0)), " }
    let worst = line.summary.median(.tapMax).map { "worst \(PageText.milliseconds($0))" }
    return RowChart.ValueText(worst ?? "–", before: p99 ?? "")
  }

  private func curve(_ taps: TapWait, _ axis: Axis, _ y: Double) -> HTML {
    var path = "M0 \(Coordinate.text(Self.height))"
    let decades = log10(axis.upper / axis.lower)
    for point in 0...Int(decades * Double(Self.pointsPerDecade)) {
      let wait = axis.lower * pow(10, Double(point) / Double(Self.pointsPerDecade))
      let share = taps.share(waitingLongerThan: wait)
      let down = share > 0 ? min(1, -log10(share) / Self.decades) : 1
      path += "L\(Coordinate.text(axis.percent(wait) * 10)) \(Coordinate.text(down * Self.height))"
      if down == 1 { break }
    }
    return tag(
      "svg",
      [
        "x": "0", "y": Coordinate.text(y), "width": "100%", "height": Coordinate.text(Self.height),
        "viewBox": "0 0 1000 \(Coordinate.text(Self.height))", "preserveAspectRatio": "none",
      ]
    ) { HTML.void("path", ["class": "taps", "d": path + "z"]) }
  }

  private func table(_ lines: [PageLine]) -> DataTable {
    let columns: [Metric] = [.tapMean, .tapP50, .tapP95, .tapP99, .tapMax]
    return DataTable(
      id: "\(section.id)-tap-table", caption: "Wait of a tap, ms: medians over trials.",
      columns: ["topology", "mean", "median", "95 % within", "99 % within", "worst"],
      rows: lines.map { line in
        DataTable.Row(
          name: .name(line.name), cells: columns.map { .number(line.summary.median($0)) })
      })
  }
}
