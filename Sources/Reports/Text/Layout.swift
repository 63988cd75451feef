extension String {
  /// The width on a terminal, in columns.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  func padded(to width: Int, onLeft: Bool) -> String {
    let spaces = String(repeating: " ", count: max(0, width - columns))
    return onLeft ? spaces + self : self + spaces
  }

  /// At most `width` columns. A cut text ends with the mark, if that has room.
  func shortened(to width: Int, mark: String) -> String {
    guard columns > width else { return self }
    let mark = mark.columns < width ? mark : ""
    var result = ""
    var room = width - mark.columns
    for character in self {
      room -= String(character).columns
      guard room >= 0 else { break }
      result.append(character)
    }
    return result + mark
  }

  var withoutTrailingSpaces: String {
    var result = Substring(self)
    while result.last == " " { result.removeLast() }
    return String(result)
  }

  /// Lines of at most `width` columns, broken between words. A longer word has its own line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var (line, columns) = ("", 0)
    for word in split(separator: " ") {
      let wordColumns = String(word).columns
      if !line.isEmpty, columns + 1 + wordColumns > width {
        lines.append(line)
        (line, columns) = ("", 0)
      }
      columns += wordColumns + (line.isEmpty ? 0 : 1)
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// The line, escaped where a CI server would take it for a command or Markdown for a fence's end.
  ///
  /// GitHub's runner ignores blanks before `::` and finds `##[name]` anywhere; other servers know
  /// `##vso[` and `##teamcity[`. Call it on whole lines: a command may arise where texts meet.
  package var asLogLine: String {
    guard utf8.contains(where: { "#:`~".utf8.contains($0) }) else { return self }
    let text = unicodeScalars.drop { $0.properties.isWhitespace }
    var isStart = ["::", "```", "~~~"].contains { text.starts(with: $0.unicodeScalars) }
    var marks = 0
    return replacingScalars { scalar in
      if isStart, !scalar.properties.isWhitespace {
        isStart = false
        return scalar.escaped
      }
      if scalar == "[", marks == 2 { return scalar.escaped }
      marks =
        scalar == "#" ? min(2, marks + 1) : marks == 2 && scalar.properties.isAlphabetic ? 2 : 0
      return nil
    }
  }

  /// Characters without a replacement stay.
  func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result += text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it is invisible, or changes how other characters are shown.
  var isInvisible: Bool {
    // Most texts are ASCII, and the table of categories is slow.
    if value < 0x7F { return value < 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
    // A comparison by a locale ignores it, so that it could hide in a command.
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether markup shows it as a space.
  var isSpacing: Bool { self == "\n" || self == "\t" || self == "\r" }

  /// `\u{1B}`
  var escaped: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

/// Texts from a report, which may be of any length.
enum PageText {
  static func brief(_ text: String, most columns: Int = 80) -> String {
    text.shortened(to: columns, mark: "…")
  }

  static func sentences(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return brief(words.map { brief(String($0)) }.joined(separator: " "), most: 4000)
  }

  static func title(_ text: String) -> String { brief(text, most: 200) }

  /// For the narrow place above a row of a chart.
  static func label(_ text: String) -> String {
    let style = TextStyle()
    return brief(style.printable(brief(text)), most: 28)
  }

  /// As a CSV file has it, without zeros at the end.
  static func exact(_ value: Double) -> String {
    DecimalText.text(value, digits: 6) ?? "\(value)"
  }
}

/// Numbers as short as they can be.
enum DecimalText {
  /// At most `digits` digits after the point, without zeros at the end. Nil if the value is too
  /// large.
  static func text(_ value: Double, digits: Int) -> String? {
    let scale = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6][digits]
    guard let scaled = Int(exactly: (value * scale).rounded()) else { return nil }
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    return (scaled < 0 ? "-" : "") + text(whole, rest, digits: digits)
  }

  /// - Parameter rest: below ten to the power of `digits`.
  static func text(_ whole: UInt, _ rest: UInt, digits: Int) -> String {
    guard rest > 0 else { return "\(whole)" }
    var (rest, digits) = (rest, digits)
    while rest.isMultiple(of: 10) { (rest, digits) = (rest / 10, digits - 1) }
    let figures = "\(rest)"
    return "\(whole).\(String(repeating: "0", count: digits - figures.utf8.count))\(figures)"
  }
}
