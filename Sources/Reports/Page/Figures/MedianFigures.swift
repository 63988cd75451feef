import Judging
import Measurement

struct CountsFigure {
  let section: PageSection

  var figure: Figure {
    let counts = Metrics.exactCounts.filter { !section.shown.measured($0).isEmpty }
    return Figure(
      id: "\(section.id)-counts", heading: "Why: exact counts of main’s work",
      caption: "The machine’s speed does not change these. \(ranges)",
      drawing: nil, note: counts.isEmpty ? "Not counted." : nil,
      table: Table(
        counts.isEmpty ? [] : section.shown, [.topology] + counts.map(column),
        caption: "Exact counts on the main queue."),
      isTableOpen: true)
  }

  /// Which ranges follow from the wiring or the scenario, and which should not be there.
  private var ranges: String {
    let summary = section.summary
    let all = section.shown.flatMap { line in
      line.cells.unsteadyCounts.map { count in
        (
          name: line.name, count: count.meaning,
          reason: VaryingCounts.reason(
            count, of: line.summary.name, in: summary.scenario, choices: summary.defaults)
        )
      }
    }
    guard !all.isEmpty else { return "All trials agree." }
    return all.grouped { $0.reason ?? "" }.map { reason, ranges in
      let lines = ranges.grouped(by: \.name)
      guard reason.isEmpty else {
        return "Trials may differ in \(lines.map(\.key).cut()), because \(reason)."
      }
      let names = lines.map { "\($0) (\($1.map(\.count).listed))" }
      return "Trials disagree, which they should not, in \(names.cut())."
    }.joined(separator: " ")
  }

  private func column(_ count: Metric) -> ValueColumn<PageLine> {
    ValueColumn(column: Table.Column(heading: count.meaning)) { line in
      let values = line.values(count)
      let smallest = Table.Cell(values.min(), Figures.count)
      let largest = Table.Cell(values.max(), Figures.count)
      return values.min() == values.max() ? smallest : smallest + "–" + largest
    }
  }
}

struct FramesFigure {
  let section: PageSection

  var figure: Figure {
    let lines = section.shown.measured(.framesLate)
    let largest = lines.compactMap { $0.median(.framesLate) }.max() ?? 0
    let isQuiet = largest == 0 && !lines.isEmpty
    return Figure(
      "frames", of: section, heading: "Late frames",
      caption: """
        Frames presented after the next was due, of those due. Lateness below 5 ms per second is \
        good, above 10 ms critical.
        """,
      chart: RowChart(
        isQuiet ? [] : lines, title: "Late frames of each topology",
        axis: .linear(to: max(1, largest), "late frames", hasWholeTicks: true), height: 12,
        value: value
      ) { line, marks, y in
        let style = line.role == .baseline ? "late hollow" : "late"
        let late = line.median(.framesLate) ?? 0
        return marks.bar(from: 0, to: late, y: y, height: 10, style, value(line).text)
      },
      note: isQuiet ? "No topology’s median trial had a late frame." : nil,
      table: Table(lines, Self.columns, caption: "Frames: medians over trials."))
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    let late = line.summary.lateFrames.map(Figures.count) ?? Table.missing
    let due = line.median(.framesDue).map { " of \(Figures.count($0))" } ?? ""
    let hitch = line.median(.hitchRate).map { hitch in
      ", \(Figures.short(hitch)) ms/s: \(hitch < 5 ? "good" : hitch <= 10 ? "warning" : "critical")"
    }
    return RowChart.ValueText(figure: late + due, after: hitch ?? "")
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .number("due", Figures.count) { $0.median(.framesDue) },
    .number("late", Figures.count) { $0.summary.lateFrames },
    .median("lateness, ms", .hitch), .median("lateness, ms per s", .hitchRate),
  ]
}

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
    section.summary.horizon.map { " of \(Figures.milliseconds($0))" } ?? ""
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
          let title = "\(words) \(Figures.milliseconds(wait))"
          return metric == .tapMax
            ? marks.milestone(.durable, at: wait, words, y: y + 7)
            : marks.dot(wait, y: y + 7, style, title)
        })
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    let p99 = line.median(.tapP99).map { "99 % within \(Figures.milliseconds($0)), " }
    let worst = line.median(.tapMax).map { "worst \(Figures.milliseconds($0))" }
    return RowChart.ValueText(before: p99 ?? "", figure: worst ?? Table.missing)
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .median("mean", .tapMean), .median("median", .tapP50),
    .median("95 % within", .tapP95), .median("99 % within", .tapP99), .median("worst", .tapMax),
  ]
}

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
        from: 0, to: total, y: y, height: 12, style, "total \(Figures.milliseconds(total))"),
      marks.milestone(.durable, at: line.median(.durable), "durable after", y: y + 6),
      marks.milestone(.visible, at: line.median(.visible), "visible after", y: y + 6),
    ])
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    func text(_ metric: Metric) -> String {
      line.median(metric).map(Figures.milliseconds) ?? Table.missing
    }
    return RowChart.ValueText(
      before: "visible \(text(.visible)), ", figure: "total \(text(.total))")
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .median("last save returned", .saved), .median("durable", .durable),
    .median("visible", .visible), .median("total", .total),
    .number("from") { $0.interval(.total)?.lower }, .number("to") { $0.interval(.total)?.upper },
    .median("scroll afterwards", .mainDeferred),
    .number("÷ raw SQLite") { $0.summary.ratioToRaw },
  ]
}
