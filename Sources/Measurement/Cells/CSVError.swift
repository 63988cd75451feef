/// What is wrong with a CSV text, and where.
package struct CSVError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1; a quoted field may span several.
  package let line: Int
  /// In characters from the line's start, counted from 1.
  package let column: Int
  package let message: String

  package var description: String { "line \(line), column \(column): \(message)" }
}

extension CSVError {
  /// A file's text as a message can hold it: in quotes, short, and without what a terminal would
  /// obey.
  static func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(longestQuotation) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "`\(result)\(text.unicodeScalars.count > longestQuotation ? "…" : "")`"
  }

  private static let longestQuotation = 40
}
