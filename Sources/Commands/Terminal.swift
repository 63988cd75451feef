import Foundation
import Harness
package import Reports
import Support

enum Terminal {
  static var isStandardOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isStandardError: Bool { isatty(STDERR_FILENO) == 1 }

  static var columns: Int? { columns(of: STDOUT_FILENO) }

  /// The width of standard error's terminal. Nil while it belongs to another program, because this
  /// one is in the background.
  static var drawableColumns: Int? {
    let owner = tcgetpgrp(STDERR_FILENO)
    // There is no owner if the terminal does not control this process, such as after a redirection.
    guard owner < 0 || owner == getpgrp() else { return nil }
    return columns(of: STDERR_FILENO) ?? 80
  }

  private static func columns(of file: Int32) -> Int? {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

extension TextStyle {
  package static var standardOutput: TextStyle { style(isTerminal: Terminal.isStandardOutput) }
  static var standardError: TextStyle { style(isTerminal: Terminal.isStandardError) }

  private static func style(isTerminal: Bool) -> TextStyle {
    TextStyle(
      environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal,
      columns: Terminal.columns)
  }
}

package enum Messages {
  /// Prints one line or more. Escapes control characters from files or the command line, and shows
  /// 200 characters of a longer quotation or argument.
  package static func say(_ text: String) {
    let style = TextStyle.standardError
    // Errors of ArgumentParser quote arguments whole, and in several ways.
    let arguments = CommandLine.arguments.dropFirst().filter { $0.short != $0 }
    let short = arguments.reduce(text) { $0.replacing($1, with: $1.short) }
      .replacing(/(^|[\s(])'([^']{200})[^']+'/) { "\($0.1)'\($0.2)…'" }
    let lines = short.split(separator: "\n", omittingEmptySubsequences: false)
    show(lines.map { style.printable(String($0)).asLogLine }.joined(separator: "\n"))
  }

  static func show(_ text: String) { StandardStreams.say(text + "\n") }
}
