import Measurement
import Reports

/// Decides what a run's progress writes, and when. A plain value: no clock, no terminal; times are
/// counted from the run's start.
///
/// On a terminal a block of lines is drawn over itself, between cells and at most twice a second.
/// While a cell is measured nothing is written for its first five seconds, and once in five seconds
/// after that. So cells of the usual length (one second of windows) run beside a parent that does
/// nothing at all, and a long one is seen to be alive, for a few hundred bytes in five seconds.
///
/// In a log a line is added every ten seconds at most, between cells, without any escape; a run
/// that is over before says nothing.
struct ProgressPen: Sendable {
  enum Surface: Sendable, Equatable {
    /// A terminal that can be drawn on.
    case terminal
    /// A log, which grows line by line.
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

  /// Whether anything would be written, so that what costs something need not be asked.
  func isDue(at now: Duration) -> Bool {
    let pause = surface == .log ? Self.betweenLines : Self.betweenDrawings
    return !isOver && (lastWritten.map { now - $0 >= pause } ?? true)
  }

  /// Something has happened, between cells.
  ///
  /// - Parameter size: of the terminal now; nil while it is another program's.
  mutating func write(at now: Duration, _ size: Size?) -> String {
    guard isDue(at: now) else { return "" }
    let text = ProgressText(progress, style: style, now: now)
    lastWritten = now
    guard surface == .terminal else { return text.plainLine + "\n" }
    return draw(text, size)
  }

  /// Time has passed.
  mutating func tick(at now: Duration, _ size: Size?) -> String {
    guard !isOver, surface == .terminal, let current = progress.current,
      now - max(current.since, lastWritten ?? .zero) >= Self.betweenTicks
    else { return "" }
    lastWritten = now
    return draw(ProgressText(progress, style: style, now: now), size)
  }

  /// The run is over: nothing is written after this.
  mutating func end(_ size: Size?) -> String {
    isOver = true
    return clear(size)
  }

  /// Somebody else has written below what was drawn.
  mutating func forgetBlock() { block.forget() }

  /// Somebody else has something to say.
  mutating func clear(_ size: Size?) -> String {
    guard let size else {
      block.forget()
      return ""
    }
    return block.clear(columns: size.columns, rows: size.rows)
  }

  private mutating func draw(_ text: ProgressText, _ size: Size?) -> String {
    guard let size else {
      block.forget()
      return ""
    }
    return block.draw(
      text.block(columns: size.columns, rows: size.rows), columns: size.columns, rows: size.rows)
  }
}
