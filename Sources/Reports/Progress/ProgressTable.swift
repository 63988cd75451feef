import Judging
import Measurement

/// The line of each topology in the progress, laid out for a width.
struct ProgressTable {
  struct Line {
    let text: String
    let isHeading: Bool
  }

  private(set) var lines: [Line] = []
  private let style: TextStyle
  private let progress: RunProgress
  private var columns = Columns()

  /// In columns of the screen.
  private struct Columns {
    var name = 0
    var done = 0
    var median = 0
    var bar = 0
    var failed = 0
    var gap = 2

    var width: Int {
      [done, median, bar, failed].filter { $0 > 0 }.reduce(ProgressTable.marker + name) {
        $0 + gap + $1
      }
    }
  }

  /// The mark before a name: its cell is being measured.
  private static let marker = 2

  private struct Headings {
    let done = "done"
    let median: String
    let failed: String
  }

  /// Below this width headings are short and columns are close to each other.
  private static let narrow = 60
  private static let (longestBar, shortestBar, shortestName) = (30, 3, 8)

  /// - Parameter width: the longest line. Figures without room are omitted.
  init(_ progress: RunProgress, style: TextStyle, width: Int) {
    self.style = style
    self.progress = progress
    let headings =
      width < Self.narrow
      ? Headings(median: "ms", failed: "bad") : Headings(median: "blocked ms", failed: "failed")
    let medians = Figures.aligned(
      progress.sections.flatMap(\.lines).map { $0.median.map(Figures.short) ?? "" })
    columns = layout(headings, medians, width: width)
    guard columns.width <= width else { return }
    var next = medians.startIndex
    for (place, section) in progress.sections.enumerated() {
      lines.append(
        Line(text: heading(section, place == 0 ? headings : nil, width), isHeading: true))
      let longest = section.lines.compactMap(\.median).max() ?? 0
      for line in section.lines {
        lines.append(
          Line(text: text(line, in: section, medians[next], longest: longest), isHeading: false))
        next += 1
      }
    }
  }
}

// MARK: - Layout

extension ProgressTable {
  /// Names give way to figures, and bars to names.
  private func layout(
    _ headings: Headings, _ medians: [String], width: Int
  ) -> Columns {
    let all = progress.sections.flatMap(\.lines)
    var columns = Columns()
    columns.gap = width < Self.narrow ? 1 : 2
    columns.done = widest(all.map(Self.done) + [headings.done])
    columns.median = widest(medians + [headings.median])
    columns.failed =
      progress.failed == 0 ? 0 : widest(all.map { "\($0.failed)" } + [headings.failed])
    let figures =
      [columns.done, columns.median, columns.failed].filter { $0 > 0 }
      .reduce(0) { $0 + $1 + columns.gap } + Self.marker
    let names = widest(all.map { style.printable($0.key.topology) })
    let title = progress.sections.first.map { style.printable(progress.title($0)).columns } ?? 0
    let room = max(Self.shortestName, width - figures)
    let roomBesideBar = room - columns.gap - Self.longestBar
    columns.name = min(max(names, min(title - Self.marker, roomBesideBar)), room)
    let bar = min(Self.longestBar, room - columns.name - columns.gap)
    columns.bar = bar < Self.shortestBar ? 0 : bar
    return columns
  }

  private func widest(_ texts: [String]) -> Int { texts.map(\.columns).max() ?? 0 }

  private static func done(_ line: RunProgress.Line) -> String { "\(line.done)/\(line.planned)" }

  private func fitted(_ text: String, _ width: Int) -> String {
    style.printable(text).shortened(to: width, mark: style.printable("…"))
      .padded(to: width, onLeft: false)
  }

  private func joined(_ parts: [String]) -> String {
    parts.joined(separator: String(repeating: " ", count: columns.gap))
  }
}

// MARK: - Lines

extension ProgressTable {
  private func heading(
    _ section: RunProgress.Section, _ headings: Headings?, _ width: Int
  ) -> String {
    guard let headings else {
      return style.emphasised(fitted(progress.title(section), width).withoutTrailingSpaces, .bold)
    }
    var parts = [
      fitted(progress.title(section), columns.name + Self.marker),
      headings.done.padded(to: columns.done, onLeft: true),
      headings.median.padded(to: columns.median, onLeft: true),
    ]
    if columns.bar > 0 { parts.append(String(repeating: " ", count: columns.bar)) }
    if columns.failed > 0 { parts.append(headings.failed.padded(to: columns.failed, onLeft: true)) }
    return style.emphasised(joined(parts).withoutTrailingSpaces, .bold)
  }

  private func text(
    _ line: RunProgress.Line, in section: RunProgress.Section, _ median: String, longest: Double
  ) -> String {
    let isCurrent = progress.current?.key == line.key
    let name = fitted(line.key.topology, columns.name)
    var parts = [
      (isCurrent ? style.isUTF8 ? "▸ " : "> " : "  ")
        + (isCurrent ? style.emphasised(name, .bold) : name),
      Self.done(line).padded(to: columns.done, onLeft: true),
      median.padded(to: columns.median, onLeft: true),
    ]
    if columns.bar > 0 {
      let share = longest > 0 ? (line.median ?? 0) / longest : 0
      parts.append(bar(share).padded(to: columns.bar, onLeft: false))
    }
    if columns.failed > 0 { parts.append(failed(line)) }
    return joined(parts).withoutTrailingSpaces
  }

  private func failed(_ line: RunProgress.Line) -> String {
    guard line.failed > 0 else { return "" }
    return style.emphasised("\(line.failed)".padded(to: columns.failed, onLeft: true), .warning)
  }

  /// Bars start at zero and have a resolution of an eighth of a column with UTF-8. A time above
  /// zero is always visible.
  private func bar(_ share: Double) -> String {
    guard share > 0 else { return "" }
    guard style.isUTF8 else {
      let length = Int((share * Double(columns.bar)).rounded())
      return length == 0 ? "." : String(repeating: "#", count: length)
    }
    let eighths = max(1, Int((share * Double(columns.bar * 8)).rounded()))
    let last = eighths % 8 == 0 ? "" : String(Self.parts[eighths % 8 - 1])
    return String(repeating: "█", count: eighths / 8) + last
  }

  private static let parts = Array("▏▎▍▌▋▊▉")
}
