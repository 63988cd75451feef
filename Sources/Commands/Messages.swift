import Foundation
import Harness
import Reports

/// Messages beside the results, on standard error.
enum Messages {
  /// Prints one line or more. Control characters from files or the command line are escaped.
  static func say(_ text: String) {
    let style = TextStyle.standardError
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    show(lines.map { style.printable(String($0)) }.joined(separator: "\n"))
  }

  /// Prints text that a report formatted for this terminal, with its colours.
  static func show(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  /// Prints an error and exits.
  static func fail(_ text: String, status: ExitStatus) -> Never {
    say("Error: \(text)")
    exit(status.rawValue)
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
