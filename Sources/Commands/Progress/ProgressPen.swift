import Measurement
import Reports

/// Decides what a run's progress writes, and when. Times count from the run's start.
///
/// On a terminal it redraws a block of lines between cells, at most twice a second. While a cell is
/// measured it writes nothing for five seconds, then once in five seconds. So nothing runs beside
/// cells of the usual length, and a long cell is seen to be alive.
///
/// In a log it adds a line between cells, every ten seconds at most, without escapes.
struct ProgressPen: Sendable {
  enum Surface: Sendable, Equatable {
    case terminal
    case log
  }

  struct Size: Sendable, Equatable {
    var columns: Int
    var rows: Int
  }

  static let betweenDrawings = Duration.milliseconds(500)
  static let betweenLines = Duration.seconds(10)
  static let betweenTicks = Duration.seconds(5)

  var progress: RunProgress
  private let surface: Surface
  private let style: TextStyle
  private var block = TerminalBlock()
  private var lastWritten: Duration?
  private var isOver = false

  init(_ progress: RunProgress, on surface: Surface, style: TextStyle) {
    (self.progress, self.surface, self.style) = (progress, surface, style)
    lastWritten = surface == .log ? .zero : nil
  }

  /// Lets callers of `write` avoid costly readings.
  func isDue(at now: Duration) -> Bool {
    let pause = surface == .log ? Self.betweenLines : Self.betweenDrawings
    return !isOver && (lastWritten.map { now - $0 >= pause } ?? true)
  }

  /// Draws between cells.
  ///
  /// - Parameter size: the terminal's size; nil while it belongs to another program.
  mutating func write(at now: Duration, _ size: Size?) -> String {
    guard isDue(at: now) else { return "" }
    let text = ProgressText(progress, style: style, now: now)
    lastWritten = now
    guard surface == .terminal else { return text.plainLine + "\n" }
    return draw(text, size)
  }

  mutating func tick(at now: Duration, _ size: Size?) -> String {
    guard !isOver, surface == .terminal, let current = progress.current,
      now - max(current.since, lastWritten ?? .zero) >= Self.betweenTicks
    else { return "" }
    lastWritten = now
    return draw(ProgressText(progress, style: style, now: now), size)
  }

  mutating func end(_ size: Size?) -> String {
    isOver = true
    return clear(size)
  }

  /// Call if another program has written below the block.
  mutating func forgetBlock() { block.forget() }

  mutating func clear(_ size: Size?) -> String { draw(nil, size) }

  /// - Parameter text: nil to clear the block.
  private mutating func draw(_ text: ProgressText?, _ size: Size?) -> String {
    guard let size else {
      block.forget()
      return ""
    }
    let (columns, rows) = (size.columns, size.rows)
    guard let text else { return block.clear(columns: columns, rows: rows) }
    return block.draw(text.block(columns: columns, rows: rows), columns: columns, rows: rows)
  }
}
