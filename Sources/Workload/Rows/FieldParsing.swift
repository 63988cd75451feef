import DataModel
import Foundation
import Support

extension AttributeDescription {
  /// Nil if the text is invalid. An empty field is null for an optional attribute, the empty string
  /// for a `string`, and invalid otherwise.
  func value(of text: String) -> Value? {
    guard !text.isEmpty else {
      if isOptional { return .null }
      return type == .string ? .string("") : nil
    }
    switch type {
    case .int64: return FieldParsing.int64(text).map(Value.int64)
    case .double: return FieldParsing.double(text).map(Value.double)
    case .bool: return FieldParsing.bool(text).map(Value.bool)
    case .string: return text.utf8.contains(0) ? nil : .string(text)
    case .date: return FieldParsing.secondsSince2001(text).map(Value.date(secondsSince2001:))
    case .data: return Data(base64Encoded: text).map(Value.data)
    case .decimal: return FieldParsing.decimal(text).map(Value.decimal)
    case .uuid: return UUID(uuidString: text).map(Value.uuid)
    case .uri: return FieldParsing.isURI(text) ? .uri(text) : nil
    }
  }

  var allowedText: String {
    let form =
      switch type {
      case .int64:
        "a whole number from -9223372036854775808 to 9223372036854775807, without + or leading zeros"
      case .double: "a decimal number that 64 bits keep, such as 12.5 or 1e3"
      case .bool: "true, false, 1 or 0"
      case .string: "any text without U+0000"
      case .date: "a UTC time such as 2026-07-01T12:30:00Z, or a date such as 2026-07-01"
      case .data: "base64"
      case .decimal: "a decimal number of at most 15 digits such as 19.99 or 1e3"
      case .uuid: "a UUID such as 8F14E45F-CEEA-467F-A1D5-91A8B7D5A0C3"
      case .uri: "a URI with its scheme such as https://example.com/a?b=c"
      }
    return isOptional ? "\(form), or nothing" : form
  }

  /// What to do about an invalid text: mostly, the declaration that reads it as it is written.
  func remedy(for text: String, isKey: Bool) -> String {
    if text.isEmpty {
      return isKey
        ? "Each row needs its key" : "To read it as null, declare '\(name): \(type.rawValue)?'"
    }
    let other: AttributeType
    switch type {
    case .string: return "Remove the character"
    case .int64 where !isKey && Double(decimal: text) != nil && !FieldParsing.isWhole(text):
      other = .double
    case .double where FieldParsing.int64(text) != nil, .date where FieldParsing.int64(text) != nil:
      other = .int64
    default: other = .string
    }
    return "To keep it as it is written, declare '\(name): \(other.rawValue)'"
  }
}

enum FieldParsing {
  static func bool(_ text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  static func isWhole(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D].contains($0) }
  }

  /// Nil also for a text that a number does not keep: `004`, `+5`, `-0`.
  static func int64(_ text: String) -> Int64? {
    Int64(text).flatMap { "\($0)" == text ? $0 : nil }
  }

  /// Nil also for a number from 2⁵³ on, or below the smallest normal one, that loses digits.
  static func double(_ text: String) -> Double? {
    guard let value = Double(decimal: text) else { return nil }
    let isUsual = (Double.leastNormalMagnitude..<0x1p53).contains(value.magnitude)
    return isUsual || digits(text) == digits("\(value)") ? value : nil
  }

  /// A number that is stored without rounding.
  static func decimal(_ text: String) -> StoredDecimal? {
    guard Double(decimal: text) != nil, let decimal = Decimal(string: text) else { return nil }
    let stored = StoredDecimal(decimal)
    // A `Decimal` rounds a longer text.
    let isWhole = stored.decimal == decimal && digits(text) == digits("\(decimal)")
    return stored.number.isFinite && isWhole ? stored : nil
  }

  /// The significant digits of a decimal number, without zeros at either end.
  private static func digits(_ text: String) -> [UInt8] {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let digits = mantissa.filter { (0x30...0x39).contains($0) }
    let zero = UInt8(ascii: "0")
    guard let last = digits.lastIndex(where: { $0 != zero }) else { return [] }
    return Array(digits[...last].drop { $0 == zero })
  }

  static func isURI(_ text: String) -> Bool {
    URL(string: text, encodingInvalidCharacters: false)?.scheme != nil
  }

  /// `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm:ss` with an optional fraction and a `Z`, in the proleptic
  /// Gregorian calendar, without leap seconds.
  static func secondsSince2001(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    if bytes.count == 10 { return wholeSeconds(bytes + "T00:00:00".utf8) }
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), let whole = wholeSeconds(bytes),
      let fraction = fraction(bytes[19..<bytes.count - 1])
    else { return nil }
    return whole + fraction
  }

  /// Parses the first 19 bytes.
  private static func wholeSeconds(_ bytes: [UInt8]) -> Double? {
    let parts = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { number(bytes[$0]) }
    guard parts.count == 6, [4, 7, 10, 13, 16].map({ bytes[$0] }) == Array("--T::".utf8) else {
      return nil
    }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (parts[3], parts[4], parts[5])
    let given = [time.tm_mon, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec]
    let seconds = timegm(&time)
    // `timegm` turns 30 February into 2 March.
    guard [time.tm_mon, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec] == given else {
      return nil
    }
    return Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
  }

  /// Parses nothing, or a dot and at least one digit.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard let first = bytes.first else { return 0 }
    let digits = bytes.dropFirst()
    guard first == UInt8(ascii: "."), !digits.isEmpty,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int32? {
    var value: Int32 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int32(digit - 0x30)
    }
    return value
  }
}
