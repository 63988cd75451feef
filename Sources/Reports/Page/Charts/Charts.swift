import Judging
import Measurement

// The charts of a section: a row for each topology, or for each side of it.

extension PageSection {
  /// Every trial's longest gap and blocked time, and the exact count that explains them.
  var board: Table? {
    let question = summary.question
    let lines = shown.measured(question.blocked)
    let gaps = Axis.waits(lines.flatMap { $0.values(question.gap) })
    let blocked = Axis.fitting(lines.flatMap { $0.values(question.blocked) })
    let columns: [ValueColumn<PageLine>] =
      [
        .topology, .trials("longest gap, ms: each trial", gaps, question.gap),
      ]
      + ValueColumn.longestGap("median gap", of: lines)
      + [
        .trials("blocked, ms: each trial", blocked, question.blocked),
        .median("median blocked", question.blocked), .work(question).forWidePages,
      ]
    let ranks =
      comparison != nil
      ? "Hollow: the baseline."
      : "Topologies with a common letter are not separated in blocked time."
    return chart(
      "board", lines, (comparison == nil ? [.letters] : []) + columns,
      """
      A dot is a trial, a stroke the median; left is better. Gap: how long a tap may wait. Lines: a \
      frame, a noticed wait, a hang. Blocked: all database work of main. \(ranks)\(fewerDots)
      """)
  }

  private var fewerDots: String {
    let most = mostTrials
    guard shown.contains(where: { $0.cells.count > most }) else { return "" }
    return " Of more than \(Figures.whole(most)) trials, as many are drawn, at evenly spaced ranks."
  }

  /// Main's gaps over the window of each topology's median trial.
  var timeline: Table? {
    let lines = shown.filter { $0.sample != nil }
    let axis = Axis.linear(to: lines.compactMap { $0.sample?.total }.max() ?? 0)
    let cause = ValueColumn<PageLine>("longest gap is mostly", "", .words) { line in
      line.summary.longestGapCause.map { MainUse(cause: $0).inTimeline } ?? ""
    }
    return chart(
      "timeline-table", lines,
      [
        .topology,
        .marks(
          "ms since the first change", axis,
          text: { line in
            MainUse.allCases.compactMap { line.sample?.words(of: $0) }.joined(separator: "; ")
          },
          { line in line.sample.map(Self.marks) ?? [] }),
      ] + (summary.question.phase == .change ? [cause.forWidePages] : []),
      """
      The median trial. Colour: main answers no tap, by what most of the gap was. Pale: it answers. \
      ▼ the final rows are on screen, ◆ the last change is durable.
      """)
  }

  private static func marks(_ sample: WindowSample) -> [Mark] {
    [.strip(sample)] + shapes(durable: sample.durable, visible: sample.visible, down: 82)
  }

  private static func shapes(durable: Double?, visible: Double?, down: Double) -> [Mark] {
    func shape(_ shape: Mark.Shape, _ time: Double?, _ words: String) -> Mark? {
      time.map { .shape(shape, $0, down: down, title: "\(words) \(Figures.milliseconds($0))") }
    }
    return [
      shape(.diamond, durable, "durable after"), shape(.triangle, visible, "visible after"),
    ].compactMap { $0 }
  }

  /// How long a tap at a random instant waits.
  /// Nil if the section asks about another phase than the window of changes.
  var taps: Table? {
    guard summary.question.phase == .change else { return nil }
    let lines = shown.measured(.tapP99)
    let axis = Axis.waits(lines.flatMap { $0.waits.map(\.time) })
    let horizon = summary.horizon.map { " within \(Figures.milliseconds($0))" } ?? ""
    let columns: [ValueColumn<PageLine>] =
      [
        .topology,
        .marks(
          "wait of a tap, ms", axis,
          text: { $0.waits.map(\.title).joined(separator: ", ") }, \.tapMarks),
        .median("95 in 100", .tapP95).forWidePages, .median("99 in 100", .tapP99),
      ] + ValueColumn.longestGap("longest gap", of: lines)
    return chart(
      "tap-table", lines, columns,
      "So long wait 95 in 100 taps at random instants\(horizon) at most (○), 99 in 100 (●), and "
        + "all of them (◆, the longest gap). Medians over trials.")
  }

  /// How long the user's counts and searches took. Nil if the user asked nothing.
  var answerTimes: Table? {
    let lines = shown.measured(.answerMax)
    let axis = Axis.fitting(lines.flatMap { $0.values(.answerMax) })
    return chart(
      "answers-table", lines,
      [
        .topology, .trials("longest answer, ms: each trial", axis, .answerMax),
        .median("median longest", .answerMax), .median("median answer", .answerMedian),
      ],
      """
      A dot is a trial, a stroke the median; left is better. An answer takes from the start \
      of a count or search until main has read its result.\(fewerDots)
      """)
  }

  /// Nil if no median trial had a late frame.
  var frames: Table? {
    let lines = shown.measured(.framesLate)
    let most = lines.compactMap(\.summary.lateFrames).max() ?? 0
    guard most > 0 else { return nil }
    return chart(
      "frames-table", lines,
      [
        .topology,
        .marks(
          "late frames", .linear(to: most, hasWholeTicks: true),
          text: {
            $0.summary.lateFrames.map { "\(Figures.count($0)) late frames" } ?? Table.missing
          },
          { line in
            guard let late = line.summary.lateFrames else { return [] }
            return [.bar(0, late, line.style, title: "\(Figures.count(late)) late")]
          }),
        .number("late", Figures.count) { $0.summary.lateFrames },
        .number("of frames due", Figures.count) { $0.median(.framesDue) },
        .median("lateness, ms", .hitch).forWidePages,
        .median("lateness, ms per s", .hitchRate).forWidePages,
      ],
      """
      Due frames that were not on screen when the next was due. A frame is due only after the list changed, so a \
      merge hides its own freeze here: the longest gap shows it.
      """)
  }

  /// What opening the list and scrolling through it cost main.
  var phases: Table? {
    chart(
      "phases-table", shown.measured(.openBlocked),
      [
        .topology, .median("open: visible, ms", .openVisible),
        .median("open: blocked, ms", .openBlocked),
        .median("open: longest gap, ms", .openLongestGap),
        .number("open: rows read", Figures.count) { $0.median(.openRowsRead) }.forWidePages,
        .median("scroll: blocked, ms", .mainDeferred),
        .median("scroll: longest gap, ms", .scrollLongestGap),
        .number("scroll: rows read", Figures.count) { $0.median(.scrollRowsRead) }.forWidePages,
      ],
      """
      Open: from before the store is opened to the first frame with rows; the file is in memory \
      already. Scroll: through the whole list, after the changes. Medians over trials.
      """)
  }

  var times: Table? {
    let lines = shown.measured(.total)
    let latest = lines.flatMap { line in
      [Metric.durable, .visible, .total].compactMap { line.median($0) }
    }
    return chart(
      "times-table", lines,
      [
        .topology,
        .marks(
          "ms since the first change", .linear(to: latest.max() ?? 0),
          text: { "total \(Figures.milliseconds($0.median(.total) ?? 0))" },
          Self.times),
        .median("last save returned", .saved).forWidePages, .median("durable", .durable),
        .median("rows visible", .visible), .median("total", .total),
        .median("scroll afterwards", .mainDeferred).forWidePages,
      ]
        // For another phase, the ratio is that of its time.
        + (summary.question.phase == .change
          ? [.number("÷ raw SQLite") { $0.summary.ratioToRaw }.forWidePages] : []),
      """
      The bar ends when all is durable and on screen; ◆ the last change is durable, ▼ the final \
      rows are visible. Medians over trials.
      """)
  }

  private static func times(_ line: PageLine) -> [Mark] {
    let total = line.median(.total) ?? 0
    return [.bar(0, total, line.style, title: "total \(Figures.milliseconds(total))")]
      + shapes(durable: line.median(.durable), visible: line.median(.visible), down: 50)
  }

  /// Nil without rows: nothing empty is shown.
  private func chart(
    _ name: String, _ lines: [PageLine], _ columns: [ValueColumn<PageLine>], _ caption: String
  ) -> Table? {
    guard !lines.isEmpty else { return nil }
    var table = Table(lines, columns, caption: caption)
    table.id = "\(id)-\(name)"
    return table
  }
}
