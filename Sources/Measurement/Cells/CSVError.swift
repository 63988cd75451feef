/// An error in a CSV text, with its line and column.
package struct CSVError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1; a quoted field may span several.
  package let line: Int
  /// In characters from the line's start, counted from 1.
  package let column: Int
  package let message: String

  package var description: String { "line \(line), column \(column): \(message)" }
}

extension CSVError {
  /// A file's text for a message: quoted, cut to 40 characters, control characters escaped.
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
