package struct CSVError: Error, Equatable, CustomStringConvertible {
  /// From 1; a quoted field may span several.
  package let line: Int
  /// In characters, from 1.
  package let column: Int
  package let message: String

  package init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  package var description: String { "line \(line), column \(column): \(message)" }

  /// In back-ticks, at most 40 characters, with control characters escaped.
  package static func quoted(_ text: String) -> String {
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
