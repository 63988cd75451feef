import Foundation

struct JSONMember {
  let key: String
  let value: String

  init(_ key: String, _ number: Int) { (self.key, value) = (key, "\(number)") }
  init(_ key: String, _ text: String) { (self.key, value) = (key, JSONText.string(text)) }
  init(_ key: String, _ flag: Bool) { (self.key, value) = (key, "\(flag)") }
  init(_ key: String, json: String) { (self.key, value) = (key, json) }
}

/// JSON as text. All but `indented` are faster than an encoder, for files of a million lines.
enum JSONText {
  /// One member a line, in alphabetical order, with names in snake case. A CI's log finds no
  /// `##[command]`, and a terminal no invisible character.
  static func indented(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = visible(String(decoding: try encoder.encode(value), as: UTF8.self))
    return json.utf8.contains(UInt8(ascii: "#")) ? json.replacing("##", with: "#\\u0023") : json
  }

  /// - Parameter members: their keys are written unescaped.
  static func object(_ members: [JSONMember]) -> String {
    "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  /// In quotes. Invisible characters and changes of the writing direction are escaped.
  static func string(_ text: String) -> String {
    let escaped = text.replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "<": "\\u003C"
      default: scalar.isInvisible ? Self.escaped(scalar) : nil
      }
    }
    return "\"\(escaped)\""
  }

  private static func visible(_ json: String) -> String {
    if json.utf8.allSatisfy({ $0 < 0x7F }) { return json }
    return json.replacingScalars { $0 != "\n" && $0.isInvisible ? escaped($0) : nil }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: true)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// Nanoseconds as microseconds, exactly.
  static func microseconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    return (nanoseconds < 0 ? "-" : "") + DecimalText.text(UInt(whole), UInt(rest), digits: 3)
  }
}
