import Judging
import Measurement

// The progress with enough room. With less room, the first lines disappear first:
//
//   5000-cities, pool store      done  blocked ms
//     main-only                   3/6       36.1   ██████████████████████████████
//   ▸ parent-child                2/6       29.8   ████████████████████████▊
//     root-main-private           2/6        4.21  ███▌
//   9 of 24 cells · 48 s left
//   noise: raw SQLite varies by 1.2 % · others use 3 % of the processor · steal 0 %

package struct ProgressText {
  private let progress: RunProgress
  private let style: TextStyle
  private let now: Duration

  /// - Parameter now: since the run's start.
  package init(_ progress: RunProgress, style: TextStyle, now: Duration) {
    (self.progress, self.style, self.now) = (progress, style, now)
  }

  /// The lines that fit above the cursor, on a screen of at least 2 columns and 1 row. Each is
  /// shorter than the screen, because terminals disagree about the cursor after a full line.
  package func block(columns: Int, rows: Int) -> [String] {
    let (width, room) = (max(1, columns - 1), max(1, rows - 1))
    guard room > 1 else { return [joined(shortStatus).shortened(to: width, mark: mark)] }
    let table = ProgressTable(progress, style: style, width: width).lines
    var bottom = Array(wrapped(status, to: width).prefix(room))
    let noise = wrapped(noise, to: width)
    if room - bottom.count - noise.count >= min(table.count, Self.fewestLines) {
      bottom += noise.map { emphasised($0, progress.noise.isDoubtful) }
    }
    return cut(table, to: room - bottom.count, width: width) + bottom
  }

  /// The lines of the table that are shown before the noise is.
  private static let fewestLines = 4

  package var plainLine: String {
    style.printable("Progress: " + (status + noise).joined(separator: ", "))
  }

  private var mark: String { style.printable("…") }

  private func emphasised(_ line: String, _ isWarning: Bool) -> String {
    style.emphasised(line, isWarning ? .warning : .dim)
  }

  // MARK: The lines below the table

  /// A cell that takes longer is named, to explain a screen without changes.
  private static let longCell = Duration.seconds(5)

  private var status: [String] {
    ["\(progress.done) of \(Figures.counted(progress.planned, "cell"))"] + timeLeft + bad
      + longCell
  }

  private var shortStatus: [String] { ["\(progress.done)/\(progress.planned)"] + timeLeft + bad }

  private var timeLeft: [String] {
    progress.timeLeft(at: now).map { ["\(Self.length($0)) left"] } ?? []
  }

  private var bad: [String] {
    [(progress.failed, "failed"), (progress.suspect, "suspect")].filter { $0.0 > 0 }
      .map { "\($0) \($1)" }
  }

  private var longCell: [String] {
    guard let current = progress.current, now - current.since >= Self.longCell else { return [] }
    return ["\(current.key.topology) for \(Self.length(now - current.since))"]
  }

  private var noise: [String] {
    let noise = progress.noise
    var parts: [String] = []
    if let spread = noise.spread { parts.append("raw SQLite varies by \(Figures.percent(spread))") }
    if let processor = noise.processor {
      parts.append("others use \(Figures.percent(Self.rounded(processor.others))) of the processor")
      parts.append("steal \(Figures.percent(Self.rounded(processor.stolen)))")
    }
    return parts.isEmpty ? [] : ["noise: \(parts[0])"] + parts.dropFirst()
  }

  /// In thousandths, as fine as the kernel counts.
  private static func rounded(_ share: Double) -> Double { (share * 1000).rounded() / 1000 }

  private func joined(_ parts: [String]) -> String {
    style.printable(parts.joined(separator: " · "))
  }

  /// Breaks between parts. A part that is too long is cut.
  private func wrapped(_ parts: [String], to width: Int) -> [String] {
    var lines: [[String]] = []
    for part in parts {
      if let last = lines.last, joined(last + [part]).columns <= width {
        lines[lines.count - 1].append(part)
      } else {
        lines.append([part])
      }
    }
    return lines.map { joined($0).shortened(to: width, mark: mark) }
  }

  /// `48 s`, `2 min 20 s`, `1 h 5 min`
  static func length(_ length: Duration) -> String {
    let seconds = Int(length / .seconds(1))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  // MARK: The table

  private func cut(_ table: [ProgressTable.Line], to room: Int, width: Int) -> [String] {
    guard table.count > room else { return table.map(\.text) }
    // A heading and the count of hidden rows would say nothing.
    guard room >= 3 else { return [] }
    let hidden = table.dropFirst(room - 1).count { !$0.isHeading }
    let more = style.printable("  … and \(hidden) more").shortened(to: width, mark: mark)
    return table.prefix(room - 1).map(\.text) + [style.emphasised(more, .dim)]
  }
}

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

  /// Gives room to figures first, then to names, then to bars.
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
