import Judging
import Measurement

/// The wait of a tap at a random instant.
struct TapFigure {
  let section: PageSection

  /// In ms. Nobody notices less.
  private static let shortest = 0.1
  private static let marks: [(metric: Metric, style: String, words: String)] = [
    (.tapP95, "tap least", "95 % within"), (.tapP99, "tap", "99 % within"),
    (.tapMax, "tap most", "worst"),
  ]

  var figure: Figure {
    let lines = section.shown.measured(.tapMax)
    return Figure(
      "tap", of: section, heading: "Waits of a tap",
      caption: """
        Of taps at random instants\(horizon): ○ 95 in 100 wait at most so long, ● 99 in 100, \
        ◆ the worst. Dashed: a frame, noticed, a hang.
        """,
      chart: RowChart(
        lines, title: "How long a tap waits, topology by topology",
        axis: .logarithmic(
          from: Self.shortest, to: max(250, lines.compactMap { $0.median(.tapMax) }.max() ?? 0),
          "wait of a tap, ms (each step is ten times as long)"),
        height: 14, references: [(16.7, "16.7"), (100, "100"), (250, "250")], value: value,
        marks: marks),
      table: Table(lines, Self.columns, caption: "Wait of a tap, ms: medians over trials."))
  }

  private var horizon: String {
    section.summary.horizon.map { " of \(PageText.milliseconds($0))" } ?? ""
  }

  private func marks(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    let ends = [line.median(.tapP95), line.median(.tapMax)].compactMap { $0 }
    return .joined(
      [
        ends.count == 2
          ? marks.span(from: ends[0], to: ends[1], y: y + 7, "baseline") : HTML.nothing
      ]
        + Self.marks.map { metric, style, words in
          guard let wait = line.median(metric) else { return .nothing }
          let title = "\(words) \(PageText.milliseconds(wait))"
          return metric == .tapMax
            ? marks.milestone(.durable, at: wait, words, y: y + 7)
            : marks.dot(wait, y: y + 7, style, title)
        })
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    let p99 = line.median(.tapP99).map { "99 % within \(PageText.milliseconds($0)), " }
    let worst = line.median(.tapMax).map { "worst \(PageText.milliseconds($0))" }
    return RowChart.ValueText(before: p99 ?? "", figure: worst ?? Table.missing)
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .median("mean", .tapMean), .median("median", .tapP50),
    .median("95 % within", .tapP95), .median("99 % within", .tapP99), .median("worst", .tapMax),
  ]
}
