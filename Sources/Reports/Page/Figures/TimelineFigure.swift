import Judging
import Measurement

// gaps, exact     ▁▁██▁▁▁▁█▁▁▁▁▁▁▁▁▁████████▁▁
// on the page     columns of equal width, each with the colour of its longest use
//
// Neighbours of one colour are one piece. A short gap widens to a column, so that none is lost.

/// The uses of main over the window of each topology's median trial.
struct TimelineFigure {
  let section: PageSection

  var figure: Figure {
    let lines = section.shown.filter { $0.sample != nil }
    return Figure(
      "timeline", of: section, heading: "The main queue’s timeline",
      caption: """
        Colour: main serves no event, by what most of the gap was. Pale: a tap is answered. \
        ▼ the final rows are on screen, ◆ the last change is durable.
        """,
      chart: RowChart(
        lines, title: "The main queue's timeline, topology by topology",
        axis: .linear(to: lines.window, "time since the first change, ms"), height: 34,
        value: value,
        marks: marks),
      key: Key(uses: lines.uses, isTimeline: true), note: missing, table: table(lines))
  }

  private func marks(_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML {
    guard let sample = line.sample else { return .nothing }
    return .joined([
      marks.bar(from: 0, to: sample.total, y: y, height: 20, "idle", "free to answer"),
      strip(sample, marks.axis, y),
      marks.milestone(.durable, at: sample.durable, "durable at", y: y + 27),
      marks.milestone(.visible, at: sample.visible, "visible at", y: y + 27),
    ])
  }

  private func value(_ line: PageLine) -> RowChart.ValueText {
    guard let gap = line.sample?.gaps.max(by: { $0.duration < $1.duration }) else {
      return RowChart.ValueText(figure: "no gap")
    }
    return RowChart.ValueText(
      figure: "longest gap \(Figures.milliseconds(gap.duration))",
      after: ", \(PageText.label(MainUse.words(cause: gap.cause)))")
  }

  private func strip(_ sample: WindowSample, _ axis: Axis, _ y: Double) -> HTML {
    Shape.stretched(y: y, size: (Double(Strip.columns), 20)) {
      Strip(sample.gaps, upper: axis.upper).html { title($0, sample) }
    }
  }

  private func title(_ use: MainUse, _ sample: WindowSample) -> String {
    let count = sample.gaps.count { MainUse(cause: $0.cause) == use }
    return "\(use.inTimeline): \(Figures.counted(count, "gap")), "
      + Figures.milliseconds(sample.time(of: use))
  }

  private var missing: String? {
    var names: [String: [String]] = [:]
    for line in section.shown {
      guard case .unknown(let reason) = line.timeline else { continue }
      names[reason, default: []].append(line.name)
    }
    let clauses = names.sorted { $0.key < $1.key }.map { reason, names in
      let all = names.count == section.shown.count && names.count > 1
      return "\(all ? "every topology" : names.listed) (\(reason))"
    }
    return clauses.isEmpty ? nil : "Not shown: \(clauses.joined(separator: "; "))."
  }

  private func table(_ lines: [PageLine]) -> Table {
    let columns: [ValueColumn<PageLine>] = [
      .topology,
      .number("trial", Figures.count) { ($0.medianTrial?.shown.trial).map { Double($0) } },
      .number("window") { $0.sample?.total },
      .number("gaps", Figures.count) { Double($0.sample?.gaps.count ?? 0) },
      .number("longest") { $0.sample?.gaps.map(\.duration).max() ?? 0 },
    ]
    let times = MainUse.allCases.filter(lines.uses.contains).map { use in
      ValueColumn<PageLine>.number(use.inTimeline) { $0.sample?.time(of: use) }
    }
    return Table(
      lines, columns + times,
      caption:
        "Service gaps of the median trial’s median repeat: how many, and ms by what most of each was."
    )
  }
}

extension WindowSample {
  fileprivate func time(of use: MainUse) -> Double {
    gaps.filter { MainUse(cause: $0.cause) == use }.reduce(0) { $0 + $1.duration }
  }
}
