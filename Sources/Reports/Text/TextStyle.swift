package struct TextStyle: Sendable, Equatable {
  /// In columns; nil for no limit.
  package var width: Int?
  package var isUTF8: Bool
  package var hasColor: Bool

  /// As a file shows text, unless told.
  package init(width: Int? = nil, isUTF8: Bool = true, hasColor: Bool = false) {
    self.width = width
    self.isUTF8 = isUTF8
    self.hasColor = hasColor
  }

  /// The style that a destination can show.
  ///
  /// Colour needs a terminal, `NO_COLOR` unset, and a `TERM` other than `dumb`. The first set
  /// variable of `LC_ALL`, `LC_CTYPE` and `LANG` decides about UTF-8; a file is always UTF-8.
  /// - Parameter columns: the terminal's width, if known. Otherwise `COLUMNS` decides.
  package init(environment: [String: String], isTerminal: Bool, columns: Int?) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let stated = value("COLUMNS").flatMap { Int($0) }
    width = max(Self.narrowest, (isTerminal ? columns : nil) ?? stated ?? (isTerminal ? 80 : 100))
    hasColor = isTerminal && value("NO_COLOR") == nil && value("TERM") != "dumb"
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    isUTF8 = !isTerminal || ["UTF-8", "UTF8"].contains { locale.uppercased().contains($0) }
  }

  /// On narrower terminals lines may be longer than the terminal.
  static let narrowest = 60

  enum Emphasis: String {
    case bold = "1"
    case dim = "2"
    case warning = "33"
  }

  func emphasised(_ text: String, _ emphasis: Emphasis) -> String {
    hasColor ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Escapes control characters and changes of the writing direction; without UTF-8, all but ASCII.
  package func printable(_ text: String) -> String {
    text.replacingScalars { scalar in
      if scalar.isInvisible { return scalar.escaped }
      return isUTF8 || scalar.isASCII ? nil : Self.substitutes[scalar] ?? scalar.escaped
    }
  }

  private static let substitutes: [Unicode.Scalar: String] = [
    "–": "-", "—": "-", "…": "...", "×": "x", "÷": "/", "─": "-", "²": "2", "’": "'", "≤": "<=",
    "·": "-", "→": "->", "←": "<-", "⇢": "~>",
  ]
}

extension Unicode.Scalar {
  /// The width on a terminal in columns, estimated by the block of the character.
  var columns: Int {
    // No combining mark and no wide character has a smaller value.
    if value < 0x300 { return 1 }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    default: Self.wide.contains { $0.contains(value) } ? 2 : 1
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
    0x20000...0x3FFFD,
  ]
}
