import Judging
import Measurement

/// Blocked time: every trial, the median with its interval, and its parts.
struct BlockedFigure {
  let section: PageSection

  var figure: Figure {
    let lines = section.shown.measured(.mainBlocked)
    let baseline = section.comparison == nil ? "" : " Hollow dots are the baseline’s."
    return Figure(
      "blocked", of: section, heading: "Blocked time",
      caption: """
        How long the main queue was kept from answering by the database. Each dot is a trial, the \
        upright line their median, the band its 95 % interval (from six trials on); the bar below is \
        the median, split into work and, hatched, waiting. Shorter is better.\(baseline)
        """,
      chart: RowChart(
        lines, title: "Blocked time of each topology",
        axis: .linear(
          to: lines.largest(.mainBlocked) ?? 0, "time that the main queue was blocked, ms"),
        height: 36, value: value, marks: marks),
      key: Key(uses: Set(lines.flatMap { parts($0).map(\.use) })),
      table: Table(
        lines, Self.columns,
        caption: "Blocked time, ms: median and 95 % interval over trials; its parts, of the median."
      ))
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    guard let estimate = line.summary.estimate(.mainBlocked) else {
      return .init(figure: Table.missing)
    }
    let interval = estimate.interval.map { " (\(Figures.interval($0)))" }
    return .init(figure: PageText.milliseconds(estimate.median) + (interval ?? ""))
  }

  private func marks(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    let interval = line.interval(.mainBlocked).map { interval in
      marks.bar(
        from: interval.lower, to: interval.upper, y: y, height: 20, "band",
        "95 % interval \(Figures.short(interval.lower)) to \(Figures.short(interval.upper)) ms")
    }
    let median = line.median(.mainBlocked).map {
      marks.stroke($0, from: y, to: y + 20, "median")
    }
    return .joined([
      interval ?? .nothing, median ?? .nothing, dots(line, marks, y + 10),
      bars(line, marks, y + 24),
    ])
  }

  // Dots that overlap move up and down.
  private func dots(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    let trials = line.cells.compactMap { cell in
      cell.metrics[.mainBlocked].map { (number: cell.trial, blocked: $0) }
    }
    var lanes = Lanes()
    return .joined(
      trials.sorted { $0.blocked < $1.blocked }.map { trial in
        marks.dot(
          trial.blocked, y: y + lanes.offset(marks.axis.percent(trial.blocked)), line.dotStyle,
          "trial \(trial.number): \(PageText.milliseconds(trial.blocked))")
      })
  }

  private func bars(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    var start = 0.0
    return .joined(
      parts(line).map { use, value in
        defer { start += value }
        return marks.bar(
          from: start, to: start + value, y: y, height: 10, use.style,
          "\(use.words): \(PageText.milliseconds(value))")
      })
  }

  /// The parts above zero. Their sum is the median.
  private func parts(_ line: PageLine) -> [(use: MainUse, time: Double)] {
    MainUse.columns.compactMap { use, column in
      line.medianTrial?.mean(column).flatMap { $0 > 0 ? (use, $0) : nil }
    }
  }

  private static let columns: [ValueColumn<PageLine>] =
    [
      .topology,
      .number("trials", Figures.count) {
        ($0.summary.estimate(.mainBlocked)?.trials).map { Double($0) }
      },
      .median("median", .mainBlocked), .number("from") { $0.interval(.mainBlocked)?.lower },
      .number("to") { $0.interval(.mainBlocked)?.upper },
    ]
    + MainUse.columns.map { use, column in
      .number(use.words) { $0.medianTrial?.mean(column) }
    }
}

/// Places overlapping dots in several lanes, in their order.
private struct Lanes {
  private var last = [Double](repeating: -100, count: offsets.count)

  private static let offsets = [0.0, -5, 5, -2.5, 2.5]
  private static let width = 1.0

  mutating func offset(_ percent: Double) -> Double {
    let free = last.indices.first { percent - last[$0] >= Self.width }
    let lane = free ?? last.indices.min { last[$0] < last[$1] } ?? 0
    last[lane] = percent
    return Self.offsets[lane]
  }
}
