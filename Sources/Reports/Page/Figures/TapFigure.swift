import Foundation
import Judging
import Measurement

/// The wait of a tap at a random instant: the exact distribution, computed from the gaps.
struct TapFigure {
  let section: PageSection

  /// In ms. Nobody notices less.
  private static let shortest = 0.1
  /// The smallest share that is drawn.
  private static let decades = 4.0
  private static let height = 44.0
  private static let pointsPerDecade = 24.0

  var figure: Figure {
    let lines = section.shown.measured(.tapMax)
    let hasCurve = lines.contains { $0.sample != nil }
    let gaps = lines.flatMap { $0.sample?.gaps ?? [] }.map(\.duration)
    let longest = max(lines.largest(.tapMax) ?? 0, gaps.max() ?? 0)
    return Figure(
      "tap", of: section, heading: "Waits of a tap",
      caption: """
        Of all taps at random instants of the horizon\(horizon), the share that waits longer than the \
        time below, in the median trial. The top of a row is every tap, the dashed line one in 100, \
        the foot one in 10,000. Lower, and ending further left, is better.
        """,
      chart: RowChart(
        hasCurve ? lines : [], title: "How long a tap waits, topology by topology",
        axis: .logarithmic(
          from: Self.shortest, to: longest, "wait of a tap, ms (each step is ten times as long)"),
        height: Self.height, references: [(16.7, "a frame"), (100, "noticed")], value: value,
        marks: marks),
      note: hasCurve || lines.isEmpty ? nil : Self.noGaps,
      table: Table(lines, Self.columns, caption: "Wait of a tap, ms: medians over trials."))
  }

  private var horizon: String {
    section.summary.horizon.map { " (\(PageText.milliseconds($0)))" } ?? ""
  }

  private static let noGaps = """
    The distribution needs the service gaps of the cells’ documents, which were not read; the table \
    has the percentiles of the CSV file.
    """

  private func marks(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    guard let sample = line.sample, let horizon = section.summary.horizon, horizon > 0 else {
      return .nothing
    }
    let axis = marks.axis
    return .joined([
      marks.span(from: axis.lower, to: axis.upper, y: y + Self.height, "baseline"),
      marks.span(from: axis.lower, to: axis.upper, y: y + Self.height / 2, "guide"),
      marks.text("1 %", at: axis.upper, y: y + Self.height / 2 - 3, "tick last"),
      Shape.stretched(y: y, size: (1000, Self.height)) {
        HTML.void(
          "path",
          ["class": "taps", "d": curve(TapWait(gaps: sample.gaps, horizon: horizon), axis)])
      },
    ])
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    let p99 = line.median(.tapP99).map { "99 % within \(PageText.milliseconds($0)), " }
    let worst = line.median(.tapMax).map { "worst \(PageText.milliseconds($0))" }
    return RowChart.ValueText(before: p99 ?? "", figure: worst ?? Table.missing)
  }

  /// The outline, as wide as 1000 and as high as the row.
  private func curve(_ taps: TapWait, _ axis: Axis) -> String {
    var path = "M0 \(Coordinate.text(Self.height))"
    let decades = log10(axis.upper / axis.lower)
    for point in 0...Int(decades * Self.pointsPerDecade) {
      let wait = axis.lower * pow(10, Double(point) / Self.pointsPerDecade)
      let share = taps.share(waitingLongerThan: wait)
      let down = share > 0 ? min(1, -log10(share) / Self.decades) : 1
      path += "L\(Coordinate.text(axis.percent(wait) * 10)) \(Coordinate.text(down * Self.height))"
      if down == 1 { break }
    }
    return path + "z"
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .median("mean", .tapMean), .median("median", .tapP50),
    .median("95 % within", .tapP95), .median("99 % within", .tapP99), .median("worst", .tapMax),
  ]
}
