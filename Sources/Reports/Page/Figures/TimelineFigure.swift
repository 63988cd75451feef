import Judging
import Measurement

// The main queue over a window, as a strip:
//
//   gaps, exact     ▁▁██▁▁▁▁█▁▁▁▁▁▁▁▁▁████████▁▁
//   on the page     columns of equal width, each with the colour of its longest use
//
// Neighbours of one colour are one piece. A short gap widens to a column, so that none is lost.

/// The uses of main over the window of each topology's median trial.
struct TimelineFigure {
  let section: PageSection

  private static let columns = 480

  var figure: Figure {
    let lines = section.shown.filter { $0.sample != nil }
    let longest = lines.compactMap { $0.sample?.total }.max() ?? 0
    let axis = Axis.linear(to: longest, "time since the first change, ms")
    let drawing = RowChart(
      id: "\(section.id)-timeline", title: "The main queue's timeline, topology by topology",
      summary: lines.map { "\($0.name): \(value($0).text)" }.joined(separator: "; "), axis: axis,
      height: 34, rows: lines.map { row($0, axis) })
    return Figure(
      id: "\(section.id)-timeline-figure", heading: "The main queue’s timeline",
      caption: """
        When the main queue did not serve events, and what most of each gap was, in the median trial. \
        Colour is a gap, pale is time to answer a tap, a notch between two colours a moment to; ▼ the final rows are on screen, ◆ the last \
        change is durable. Few, short pieces are better than one long.
        """,
      key: Key(uses(lines), inTimeline: true), drawing: lines.isEmpty ? nil : drawing.svg,
      note: missing, table: lines.isEmpty ? nil : table(lines), rows: "\(section.id)-rows")
  }

  private func row(_ line: PageLine, _ axis: Axis) -> RowChart.Row {
    RowChart.Row(label: line.label, value: value(line), isSecond: line.isSecond) { marks, y in
      guard let sample = line.sample else { return .nothing }
      return .joined([
        marks.bar(from: 0, to: sample.total, y: y, height: 20, "idle", "free to answer"),
        strip(sample, axis, y), milestones(sample, marks, y + 27),
      ])
    }
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    guard let gap = line.sample?.gaps.max(by: { $0.duration < $1.duration }) else {
      return "no gap"
    }
    return RowChart.ValueText(
      "longest gap \(PageText.milliseconds(gap.duration))",
      after: ", \(PageText.label(MainUse.words(cause: gap.cause)))")
  }

  /// A drawing that stretches with the page, a piece of path for each run of columns.
  private func strip(_ sample: WindowSample, _ axis: Axis, _ y: Double) -> HTML {
    let pieces = Strip(sample.gaps, columns: Self.columns, upper: axis.upper)
    return tag(
      "svg",
      [
        "x": "0", "y": Coordinate.text(y), "width": "100%", "height": "20",
        "viewBox": "0 0 \(Self.columns) 20", "preserveAspectRatio": "none",
      ]
    ) {
      for use in MainUse.allCases {
        if let path = pieces.paths[use] {
          tag("path", ["class": use.style, "d": path]) {
            tag("title") { title(use, sample) }
          }
        }
      }
    }
  }

  private func title(_ use: MainUse, _ sample: WindowSample) -> String {
    let gaps = sample.gaps.filter { MainUse(cause: $0.cause) == use }
    let time = gaps.reduce(0) { $0 + $1.duration }
    return "\(use.inTimeline): \(Sentences.counted(gaps.count, "gap")), "
      + PageText.milliseconds(time)
  }

  private func milestones(_ sample: WindowSample, _ marks: Marks, _ y: Double) -> HTML {
    let durable = sample.durable.map {
      marks.glyph(
        Glyph.diamond, at: $0, y: y, "milestone", "durable at \(PageText.milliseconds($0))")
    }
    let visible = sample.visible.map {
      marks.glyph(
        Glyph.triangle, at: $0, y: y, "milestone", "visible at \(PageText.milliseconds($0))")
    }
    return .joined([durable, visible].compactMap { $0 })
  }

  private func uses(_ lines: [PageLine]) -> Set<MainUse> {
    Set(lines.flatMap { $0.sample?.gaps ?? [] }.map { MainUse(cause: $0.cause) })
  }

  /// Which topologies have no strip, and why.
  private var missing: String? {
    var names: [String: [String]] = [:]
    for line in section.shown {
      guard case .unknown(let reason) = line.window else { continue }
      names[reason, default: []].append(line.name)
    }
    let clauses = names.sorted { $0.key < $1.key }.map { reason, names in
      let all = names.count == section.shown.count && names.count > 1
      return "\(all ? "every topology" : names.listed) (\(reason))"
    }
    return clauses.isEmpty ? nil : "Not shown: \(clauses.joined(separator: "; "))."
  }

  private func table(_ lines: [PageLine]) -> DataTable {
    let uses = MainUse.allCases.filter(self.uses(lines).contains)
    return DataTable(
      id: "\(section.id)-timeline-table",
      caption:
        "Service gaps of the median trial’s median repeat: how many, and ms by what most of each was.",
      columns: ["topology", "trial", "window", "gaps", "longest"] + uses.map(\.inTimeline),
      rows: lines.compactMap { line in
        guard let sample = line.sample else { return nil }
        let times = Dictionary(grouping: sample.gaps) { MainUse(cause: $0.cause) }
          .mapValues { $0.reduce(0) { $0 + $1.duration } }
        return DataTable.Row(
          name: .name(line.name),
          cells: [
            .count(line.median.map { Double($0.shown.trial) }), .number(sample.total),
            .count(Double(sample.gaps.count)), .number(sample.gaps.map(\.duration).max() ?? 0),
          ] + uses.map { .number(times[$0] ?? 0) })
      })
  }
}
