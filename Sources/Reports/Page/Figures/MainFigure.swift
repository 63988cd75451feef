import Judging
import Measurement

// The first screen of a page: a table with a row of 24 px for each topology.
//
//      topology      blocked time, ms       median  longest gap  on main         timeline
//   A  grdb-pool     ·|··                     3.63         0.77  –               ▏▏ ▏  ▏
//   B  parent-child          ··· ·|·· ·       31.0         3.44  3,628 written   ▇▇▇ ▇▇
//                    0     10    20   30                                         0   123 ms

/// Every trial of each topology, the exact count that explains them, and main's timeline.
struct MainFigure {
  let section: PageSection
  private let lines: [PageLine]
  private let axis: Axis
  private let window: Double

  init(section: PageSection) {
    self.section = section
    let lines = section.shown.measured(.mainBlocked)
    self.lines = lines
    axis = .linear(to: lines.largest(.mainBlocked) ?? 0, "ms")
    window = lines.window
  }

  var blocks: [Document.Block] {
    guard !lines.isEmpty else { return [] }
    var numbers = Table(
      lines, Self.columns,
      caption: "Blocked time, ms: median and 95 % interval over trials; its parts, of the median.")
    numbers.id = "\(section.id)-blocked-table"
    let key = hasTimelines ? Key(uses: lines.uses, isTimeline: true).html : .nothing
    return [
      .drawing(Document.Drawing(description: description, html: .joined([key, board]))),
      .section(
        "", .behindFigure,
        [.section("Data: blocked time and its parts", .folded, [.table(numbers)])]
      ),
    ]
  }

  private var description: String {
    lines.map { line in
      "\(line.name): blocked \(line.median(.mainBlocked).map(Figures.milliseconds) ?? "")"
    }.joined(separator: "; ")
  }

  private var hasTimelines: Bool { window > 0 }
  private var isComparison: Bool { section.comparison != nil }

  // MARK: The table

  // Elements state their roles, because a phone shows rows as grids, which browsers then no longer
  // treat as rows.
  private var board: HTML {
    tag(
      "table",
      [
        "class": "board", "role": "table", "id": "\(section.id)-board",
        "data-upper": PageText.exact(axis.upper),
      ]
    ) {
      tag("caption") { caption }
      let columns = boardColumns
      tag("thead", ["role": "rowgroup"]) { tag("tr", ["role": "row"]) { columns.map(\.head) } }
      tag("tbody", ["role": "rowgroup"]) {
        for line in lines { tag("tr", ["role": "row"]) { columns.map { $0.cell(line) } } }
      }
      tag("tfoot", ["role": "rowgroup", "aria-hidden": "true"]) {
        tag("tr") { columns.map(\.foot) }
      }
    }
  }

  private var caption: String {
    if isComparison { return "Left is better. Hollow dots are the baseline’s." }
    return lines.allSatisfy(\.summary.letters.isEmpty)
      ? "Left is better." : "Topologies that share a letter are not separated. Left is better."
  }

  private struct Column {
    let style: String
    let heading: String
    var isName = false
    let content: (PageLine) -> HTML
    var footContent = HTML.nothing

    var head: HTML {
      tag("th", ["class": style, "scope": "col", "role": "columnheader"]) { heading }
    }
    var foot: HTML { tag("td", ["class": style]) { footContent } }

    func cell(_ line: PageLine) -> HTML {
      isName
        ? tag("th", ["class": style, "scope": "row", "role": "rowheader"]) { content(line) }
        : tag("td", ["class": style, "role": "cell"]) { content(line) }
    }
  }

  private var boardColumns: [Column] {
    let rank = Column(style: "letter", heading: "rank") { line in
      HTML(AnswerColumns.letters(line.summary.letters))
    }
    let shared = [
      Column(style: "name", heading: "topology", isName: true, content: { HTML.name($0.label) }),
      Column(
        style: "dots", heading: "blocked time, ms →: each trial, and the median",
        content: { line in drawing { dots(line) } },
        footContent: drawing { axis.ticks.map { tick($0) } + fineTicks.map { tick($0, "fine") } }),
      Column(style: "median", heading: "median") { number($0.median(.mainBlocked)) },
      Column(style: "gap", heading: "longest gap") { number($0.summary.longestGap?.median) },
      Column(style: "count", heading: "on main", content: count),
    ]
    let timeline = Column(
      style: "strip", heading: "timeline of the median trial",
      content: { line in drawing { strip(line) } },
      footContent: drawing {
        Shape.text("0", .init(x: 0, y: 13), "tick first")
        Shape.text(Figures.milliseconds(window), .init(x: 100, y: 13), "tick last")
      })
    return (isComparison ? [] : [rank]) + shared + (hasTimelines ? [timeline] : [])
  }

  private func number(_ value: Double?) -> HTML {
    guard let value else { return HTML(Table.missing) }
    return tag("data", ["value": PageText.exact(value)]) { Figures.short(value) }
  }

  private func count(_ line: PageLine) -> HTML {
    guard let cause = line.summary.cause, let work = MainWork(cause) else {
      return HTML(Table.missing)
    }
    return .joined([
      tag("data", ["value": PageText.exact(cause.count)]) { Figures.count(cause.count) },
      HTML(" \(work.done)"),
    ])
  }

  // MARK: Drawings

  private func drawing(@HTMLBuilder _ content: () -> HTML) -> HTML {
    tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "mark", "width": "100%",
        "aria-hidden": "true",
      ], content)
  }

  private func dots(_ line: PageLine) -> HTML {
    let trials = line.cells.compactMap { cell in
      cell.metrics[.mainBlocked].map { (number: cell.trial, blocked: $0) }
    }.sorted { $0.blocked < $1.blocked }
    var lanes = Lanes()
    let median = line.median(.mainBlocked)
    let marks = Marks(axis: axis, arePercentDown: true)
    return .joined(
      axis.ticks.map { marks.stroke($0, from: 0, to: 100, $0 == axis.lower ? "axis" : "grid") }
        + fineTicks.map { marks.stroke($0, from: 0, to: 100, "grid fine") }
        + trials.map { trial in
          marks.dot(
            trial.blocked, y: 50 + lanes.offset(axis.percent(trial.blocked)),
            line.role == .baseline ? "dot hollow" : "dot",
            "trial \(trial.number): \(Figures.milliseconds(trial.blocked))")
        } + [median.map { marks.stroke($0, from: 8, to: 92, "median") } ?? .nothing])
  }

  private func strip(_ line: PageLine) -> HTML {
    guard let sample = line.sample else { return .nothing }
    let length = Shape.percent(sample.total / window * 100)
    return .joined([
      HTML.void("rect", ["class": "idle", "y": "12%", "width": length, "height": "76%"]),
      tag(
        "svg",
        [
          "y": "12%", "width": "100%", "height": "76%", "preserveAspectRatio": "none",
          "viewBox": "0 0 \(Strip.columns) 20",
        ]
      ) { Strip(sample.gaps, upper: window).html(title: \.inTimeline) },
    ])
  }

  private var fineTicks: [Double] {
    let labels = (axis.ticks + axis.fineTicks).map(Axis.label)
    return labels.reduce(0) { $0 + $1.columns + 1 } <= 40 ? axis.fineTicks : []
  }

  private func tick(_ value: Double, _ style: String = "tick") -> HTML {
    Shape.text(
      Axis.label(value), .init(x: axis.percent(value), y: 13), axis.style(of: value, style))
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

/// Places overlapping dots in several lanes. Offsets are percent of a row.
private struct Lanes {
  private var last = [Double](repeating: -100, count: offsets.count)

  private static let offsets = [0.0, -22, 22, -11, 11]
  private static let width = 1.8

  mutating func offset(_ percent: Double) -> Double {
    let free = last.indices.first { percent - last[$0] >= Self.width }
    let lane = free ?? last.indices.min { last[$0] < last[$1] } ?? 0
    last[lane] = percent
    return Self.offsets[lane]
  }
}
