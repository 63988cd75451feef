import Measurement
import Reports

/// Decides what a run's progress writes, and when. Times count from the run's start.
///
/// On a terminal it rewrites one line between cells, at most twice a second. While a cell is
/// measured it writes nothing for five seconds, then once in five seconds. So nothing runs beside
/// cells of the usual length, and a long cell is seen to be alive.
///
/// In a log it adds a line between cells, every ten seconds at most, without escapes.
struct ProgressPen: Sendable {
  enum Surface: Sendable, Equatable {
    case terminal
    case log

    /// Nil for files and pipes that a program may read, unless `CI` says that they are a log. A
    /// terminal that cannot rewrite a line (`TERM` is `dumb` or empty) is a log too.
    init?(environment: [String: String], isTerminal: Bool) {
      if isTerminal {
        self = ["", "dumb"].contains(environment["TERM"] ?? "") ? .log : .terminal
      } else {
        let ci = environment["CI"] ?? ""
        guard !["", "0", "false"].contains(ci.lowercased()) else { return nil }
        self = .log
      }
    }
  }

  static let betweenDrawings = Duration.milliseconds(500)
  static let betweenLines = Duration.seconds(10)
  static let betweenTicks = Duration.seconds(5)

  var progress: RunProgress
  private var surface: Surface?
  private let style: TextStyle
  private var lastWritten: Duration?
  private var isDrawn = false

  /// - Parameter surface: nil to write nothing.
  init(_ progress: RunProgress, on surface: Surface?, style: TextStyle) {
    (self.progress, self.surface, self.style) = (progress, surface, style)
  }

  /// Writes between cells.
  ///
  /// - Parameter columns: the terminal's width; nil while it belongs to another program.
  mutating func write(at now: Duration, columns: Int?) -> String {
    switch surface {
    case .terminal where lastWritten.map { now - $0 >= Self.betweenDrawings } ?? true:
      return draw(at: now, columns)
    case .log where now - (lastWritten ?? .zero) >= Self.betweenLines:
      lastWritten = now
      return "Progress: \(progress.line(at: now, style: style))\n"
    default: return ""
    }
  }

  /// Call every few seconds, whether a cell runs or not.
  mutating func tick(at now: Duration, columns: Int?) -> String {
    guard surface == .terminal, let start = progress.currentStart,
      now - max(start, lastWritten ?? .zero) >= Self.betweenTicks
    else { return "" }
    return draw(at: now, columns)
  }

  /// The cursor waits at the line's start. There it stays if the terminal becomes narrower and
  /// breaks the line, so that the next drawing erases all of it.
  private mutating func draw(at now: Duration, _ columns: Int?) -> String {
    lastWritten = now
    guard let columns else { return "" }
    isDrawn = true
    return "\r\(progress.line(at: now, style: style, columns: columns))\u{1B}[J\r"
  }

  /// The space is for a line at the top of the screen: terminals keep a copy of a whole screen that
  /// is erased.
  mutating func clear(columns: Int?) -> String {
    guard isDrawn, columns != nil else { return "" }
    isDrawn = false
    return "\r \u{1B}[J\r"
  }

  /// Clears the line, and writes nothing from then on.
  mutating func end(columns: Int?) -> String {
    surface = nil
    return clear(columns: columns)
  }
}
