package enum CSVWriter {
  /// Ends in LF.
  package static func row(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  /// Quotes a field that a reader could misread, and begins a formula with an apostrophe, because
  /// spreadsheets execute quoted formulas too. `unguarded` removes the apostrophe.
  package static func field(_ text: String) -> String {
    let text = isFormula(text.unicodeScalars[...]) ? "'\(text)" : text
    guard needsQuotes(text) else { return text }
    // By scalars: a quote with a combining mark is one `Character`.
    let scalars = text.unicodeScalars.replacing("\"".unicodeScalars, with: "\"\"".unicodeScalars)
    return "\"\(String(scalars))\""
  }

  package static func unguarded(_ text: String) -> String {
    let rest = text.unicodeScalars.dropFirst()
    return text.unicodeScalars.first == "'" && isFormula(rest) ? String(rest) : text
  }

  /// Apostrophes before a formula count as part of it, so that each text has its own field.
  private static func isFormula(_ text: Substring.UnicodeScalarView) -> Bool {
    let text = text.drop { $0 == "'" }
    return switch text.first {
    case "=", "+", "@", "\t", "\r", "＝", "＋", "－", "＠": true
    // A negative number is not a formula.
    case "-": Double(String(text)) == nil
    default: false
    }
  }

  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
      return false
    }
    return first == " " || last == " " || first == "\u{FEFF}"
      || text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
  }
}
