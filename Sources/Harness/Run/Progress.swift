import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A run's progress on standard error: one line, redrawn at most twice a second, on a terminal;
/// nothing elsewhere. Drawn by the runner between cells only, never by a process that measures.
package struct Progress {
  private let screen: ProgressScreen
  private let total: Int
  private let start: ContinuousClock.Instant
  private var lastDrawn: ContinuousClock.Instant?

  /// - Parameter isWanted: false for `--quiet` and `--no-progress`.
  package init(total: Int, isWanted: Bool) {
    self.init(
      total: total, screen: isWanted ? .standardError : .none, start: ContinuousClock.now)
  }

  init(total: Int, screen: ProgressScreen, start: ContinuousClock.Instant) {
    self.total = total
    self.screen = screen
    self.start = start
  }

  /// A cell begins.
  ///
  /// - Parameters:
  ///   - number: its place in the run, from 1.
  ///   - what: scenario, topology and store.
  package mutating func cellBegins(
    _ number: Int, _ what: String, now: ContinuousClock.Instant = .now
  ) {
    guard screen.columns > 0 else { return }
    if let lastDrawn, now - lastDrawn < .milliseconds(500) { return }
    lastDrawn = now
    let line = "[\(number)/\(total)] \(what)\(timeLeft(before: number, now: now))"
    // A line that wraps could not be drawn over.
    draw(String(line.prefix(screen.columns - 1)))
  }

  /// The run is over, or something else is to be said: the line goes.
  package func clear() {
    guard lastDrawn != nil else { return }
    draw("")
  }

  private func draw(_ line: String) { screen.write("\r\u{1B}[2K\(line)") }

  private func timeLeft(before number: Int, now: ContinuousClock.Instant) -> String {
    let done = number - 1
    guard done > 0 else { return "" }
    let each = (now - start) / done
    let seconds = Int((each * (total - done)) / .seconds(1))
    return seconds < 60 ? " · \(seconds) s left" : " · \(seconds / 60) min \(seconds % 60) s left"
  }
}

/// Where progress is drawn.
struct ProgressScreen {
  /// The width in characters; 0 where nothing is to be drawn.
  var columns: Int
  var write: (String) -> Void

  static var none: ProgressScreen { ProgressScreen(columns: 0) { _ in } }

  /// Standard error, if it is a terminal that can be drawn on.
  static var standardError: ProgressScreen {
    guard isatty(STDERR_FILENO) == 1,
      canDraw(terminal: ProcessInfo.processInfo.environment["TERM"])
    else { return .none }
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return ProgressScreen(columns: isKnown ? Int(size.ws_col) : 80) {
      FileHandle.standardError.write(Data($0.utf8))
    }
  }

  /// Whether a terminal of this `TERM` can go back to the start of a line.
  static func canDraw(terminal: String?) -> Bool {
    guard let terminal else { return false }
    return !terminal.isEmpty && terminal != "dumb"
  }
}
