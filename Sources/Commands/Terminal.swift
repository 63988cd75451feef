import Foundation
import Harness
import Reports
import Support
import Synchronization

enum Terminal {
  static var isStandardOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isStandardError: Bool { isatty(STDERR_FILENO) == 1 }

  static var columns: Int? { size(of: STDOUT_FILENO)?.columns }

  /// The size of standard error's terminal. Nil while it belongs to another program, because this
  /// one is in the background.
  static var drawable: ProgressPen.Size? {
    let owner = tcgetpgrp(STDERR_FILENO)
    // There is no owner if the terminal does not control this process, such as after a redirection.
    guard owner < 0 || owner == getpgrp() else { return nil }
    return size(of: STDERR_FILENO) ?? ProgressPen.Size(columns: 80, rows: 24)
  }

  private static let wasContinued = Atomic(false)

  /// Starts to notice when this process continues after it was stopped.
  static func noticeContinuing() {
    // Initialized here, since a signal handler must not allocate.
    wasContinued.store(false, ordering: .relaxed)
    signal(SIGCONT) { _ in Terminal.wasContinued.store(true, ordering: .relaxed) }
  }

  /// Whether the process continued since the last call. The shell has then written in between.
  static func hasContinued() -> Bool { wasContinued.exchange(false, ordering: .relaxed) }

  private static func size(of file: Int32) -> ProgressPen.Size? {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return ProgressPen.Size(
      columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}

extension TextStyle {
  static var standardOutput: TextStyle { style(isTerminal: Terminal.isStandardOutput) }
  static var standardError: TextStyle { style(isTerminal: Terminal.isStandardError) }

  private static func style(isTerminal: Bool) -> TextStyle {
    TextStyle(
      environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal,
      columns: Terminal.columns)
  }
}

enum Messages {
  /// Prints one line or more. Escapes control characters from files or the command line, and shows
  /// 200 characters of a longer quotation or argument.
  static func say(_ text: String) {
    let style = TextStyle.standardError
    // Errors of ArgumentParser quote arguments whole, and in several ways.
    let arguments = CommandLine.arguments.dropFirst().filter { $0.short != $0 }
    let short = arguments.reduce(text) { $0.replacing($1, with: $1.short) }
      .replacing(/(^|[\s(])'([^']{200})[^']+'/) { "\($0.1)'\($0.2)…'" }
    let lines = short.split(separator: "\n", omittingEmptySubsequences: false)
    show(lines.map { style.printable(String($0)) }.joined(separator: "\n"))
  }

  static func show(_ text: String) { StandardStreams.say(text + "\n") }
}
