import Judging
import Measurement

struct ProgressTable {
  struct Line {
    let text: String
    let isHeading: Bool
  }

  private struct Column {
    let texts: [String]
    let width: Int

    init(_ texts: [String]) {
      self.texts = texts
      width = texts.map(\.columns).max() ?? 0
    }

    func text(_ row: Int) -> String { texts[row].padded(to: width, onLeft: true) }
  }

  private(set) var lines: [Line] = []
  private let style: TextStyle
  private let progress: RunProgress
  private let gap: Int
  private let done: Column
  private let median: Column
  /// Empty while no cell failed.
  private let failed: Column
  private var nameWidth = 0
  private var barWidth = 0

  /// Below this width headings are short and columns are close to each other.
  private static let narrow = 60
  private static let (longestBar, shortestBar, shortestName) = (30, 3, 8)
  /// The width of the mark before the topology that is being measured.
  private static let marker = 2

  /// - Parameter width: the longest line. Figures without room are omitted.
  init(_ progress: RunProgress, style: TextStyle, width: Int) {
    let all = progress.sections.flatMap(\.lines)
    let isNarrow = width < Self.narrow
    self.style = style
    self.progress = progress
    gap = isNarrow ? 1 : 2
    done = Column(["done"] + all.map { "\($0.done)/\($0.planned)" })
    let medians = Figures.aligned(all.map { $0.median.map(Figures.short) ?? "" })
    median = Column([isNarrow ? "ms" : "blocked ms"] + medians)
    let failures = all.map { $0.failed == 0 ? "" : "\($0.failed)" }
    failed = Column(progress.failed == 0 ? [] : [isNarrow ? "bad" : "failed"] + failures)
    if layOut(width, names: all.map(\.key.topology)) { addLines(width) }
  }

  // MARK: Layout

  /// Names give way to figures, and bars to names.
  ///
  /// - Returns: whether the table fits.
  private mutating func layOut(_ width: Int, names: [String]) -> Bool {
    let figures = [done, median, failed].map(\.width).filter { $0 > 0 }
      .reduce(Self.marker) { $0 + $1 + gap }
    let longest = names.map { style.printable($0).columns }.max() ?? 0
    let title = progress.sections.first.map { style.printable(progress.title($0)).columns } ?? 0
    let room = max(Self.shortestName, width - figures)
    let roomBesideBar = room - gap - Self.longestBar
    nameWidth = min(max(longest, min(title - Self.marker, roomBesideBar)), room)
    let bar = min(Self.longestBar, room - nameWidth - gap)
    barWidth = bar < Self.shortestBar ? 0 : bar
    return figures + nameWidth + (barWidth > 0 ? gap + barWidth : 0) <= width
  }

  private mutating func addLines(_ width: Int) {
    var row = 0
    // One scale for all sections, so that bars can be compared.
    let longest = progress.sections.flatMap(\.lines).compactMap(\.median).max() ?? 0
    for (index, section) in progress.sections.enumerated() {
      let title = progress.title(section)
      let heading =
        index > 0
        ? fitted(title, width).withoutTrailingSpaces
        : line(0, name: fitted(title, nameWidth + Self.marker))
      lines.append(Line(text: style.emphasised(heading, .bold), isHeading: true))
      for topology in section.lines {
        row += 1
        let share = longest > 0 ? (topology.median ?? 0) / longest : 0
        let text = line(row, name: name(topology), bar: bar(share))
        lines.append(Line(text: text, isHeading: false))
      }
    }
  }

  private func fitted(_ text: String, _ width: Int) -> String {
    style.printable(text).shortened(to: width, mark: style.printable("…"))
      .padded(to: width, onLeft: false)
  }

  // MARK: Lines

  private func line(_ row: Int, name: String, bar: String = "") -> String {
    var parts = [name, done.text(row), median.text(row)]
    if barWidth > 0 { parts.append(bar.padded(to: barWidth, onLeft: false)) }
    if failed.width > 0 {
      let isFailure = row > 0 && !failed.texts[row].isEmpty
      parts.append(isFailure ? style.emphasised(failed.text(row), .warning) : failed.text(row))
    }
    return parts.joined(separator: String(repeating: " ", count: gap)).withoutTrailingSpaces
  }

  private func name(_ line: RunProgress.Line) -> String {
    let name = fitted(line.key.topology, nameWidth)
    guard progress.current?.key == line.key else { return "  " + name }
    return (style.isUTF8 ? "▸ " : "> ") + style.emphasised(name, .bold)
  }

  /// With UTF-8, in eighths of a column. A time above zero is always visible.
  private func bar(_ share: Double) -> String {
    guard share > 0 else { return "" }
    guard style.isUTF8 else {
      let length = Int((share * Double(barWidth)).rounded())
      return length == 0 ? "." : String(repeating: "#", count: length)
    }
    let eighths = max(1, Int((share * Double(barWidth * 8)).rounded()))
    let last = eighths % 8 == 0 ? "" : String(Self.parts[eighths % 8 - 1])
    return String(repeating: "█", count: eighths / 8) + last
  }

  private static let parts = Array("▏▎▍▌▋▊▉")
}
