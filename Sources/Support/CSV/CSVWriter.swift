package enum CSVWriter {
  /// Ends in LF.
  package static func row(_ fields: [String]) -> String {
    var text = ""
    for (index, field) in fields.enumerated() {
      if index > 0 { text += "," }
      text += self.field(field)
    }
    return text + "\n"
  }

  /// Quotes a field that a reader could misread, such as one with a line break that not every
  /// reader takes for one (U+2028), and begins a formula with an apostrophe, because
  /// spreadsheets execute quoted formulas too. `unguarded` removes the apostrophe.
  package static func field(_ text: String) -> String {
    // A report has a hundred numbers in a row.
    if let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.allSatisfy(isPlain) {
      return text
    }
    let text = isFormula(text.unicodeScalars[...]) ? "'\(text)" : text
    guard needsQuotes(text) else { return text }
    // By scalars: a quote with a combining mark is one `Character`.
    var scalars = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" { scalars.append(scalar) }
      scalars.append(scalar)
    }
    scalars.append("\"")
    return String(scalars)
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

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
      return false
    }
    return first == " " || last == " " || first == "\u{FEFF}"
      || text.unicodeScalars.contains { $0 == "," || $0 == "\"" || Character($0).isNewline }
  }
}
