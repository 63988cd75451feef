import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A run's progress on standard error: one line, redrawn, on a terminal; nothing elsewhere. Drawn by
/// the runner between cells only, never by a process that measures.
package struct Progress {
  private let isShown: Bool
  private let total: Int
  private let start = ContinuousClock.now

  /// - Parameter isWanted: false for `--quiet` and `--no-progress`.
  package init(total: Int, isWanted: Bool) {
    let terminal = ProcessInfo.processInfo.environment["TERM"] ?? ""
    self.total = total
    isShown = isWanted && isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(terminal)
  }

  /// A cell begins.
  package func cellBegins(_ number: Int, _ what: String) {
    guard isShown else { return }
    write("\r\u{1B}[2K[\(number)/\(total)] \(what)\(timeLeft(before: number))")
  }

  /// The run is over, or something else is to be said: the line goes.
  package func clear() {
    guard isShown else { return }
    write("\r\u{1B}[2K")
  }

  private func timeLeft(before number: Int) -> String {
    let done = number - 1
    guard done > 0 else { return "" }
    let each = (ContinuousClock.now - start) / done
    let seconds = Int((each * (total - done)) / .seconds(1))
    return seconds < 60 ? " · \(seconds) s left" : " · \(seconds / 60) min \(seconds % 60) s left"
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
