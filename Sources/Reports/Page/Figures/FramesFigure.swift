import Judging
import Measurement

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
    let late = line.lateFrames.map(Figures.count) ?? Table.missing
    let due = line.median(.framesDue).map { " of \(Figures.count($0))" } ?? ""
    let hitch = line.median(.hitchRate).map { hitch in
      ", \(Figures.short(hitch)) ms/s: \(hitch < 5 ? "good" : hitch <= 10 ? "warning" : "critical")"
    }
    return RowChart.ValueText(figure: late + due, after: hitch ?? "")
  }

  private static let columns: [ValueColumn<PageLine>] = [
    .topology, .number("due", Figures.count) { $0.median(.framesDue) },
    .number("late", Figures.count) { $0.lateFrames },
    .median("lateness, ms", .hitch), .median("lateness, ms per s", .hitchRate),
  ]
}

extension PageLine {
  /// Nil also where no frame was due in a long gap.
  fileprivate var lateFrames: Double? {
    summary.smoothness?.isScreenIdle ?? false ? nil : median(.framesLate)
  }
}
