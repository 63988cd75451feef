package enum CSVWriter {
  /// Ends in LF.
  package static func row(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  /// Quotes a field that a reader or a spreadsheet could misread.
  package static func field(_ text: String) -> String {
    guard needsQuotes(text) else { return text }
    // By scalars: a quote with a combining mark is one `Character`.
    let scalars = text.unicodeScalars.replacing("\"".unicodeScalars, with: "\"\"".unicodeScalars)
    return "\"\(String(scalars))\""
  }

  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
      return false
    }
    // A negative number is not a formula.
    let isFormula = "=+@\t".unicodeScalars.contains(first) || (first == "-" && Double(text) == nil)
    return isFormula || first == " " || last == " " || first == "\u{FEFF}"
      || text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
  }
}
