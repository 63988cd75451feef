extension String {
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
    default: false
    }
  }

  /// Whether markup shows it as a space.
  var isSpacing: Bool { self == "\n" || self == "\t" || self == "\r" }

  /// `\u{1B}`
  var escaped: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
