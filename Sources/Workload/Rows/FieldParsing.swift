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
    case .int64: return Int64(text).map(Value.int64)
    case .double: return Double(decimal: text).map(Value.double)
    case .bool: return FieldParsing.bool(text).map(Value.bool)
    case .string: return .string(text)
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
      case .int64: "a whole number from -9223372036854775808 to 9223372036854775807"
      case .double: "a finite decimal number such as 12.5 or 1e3"
      case .bool: "true, false, 1 or 0"
      case .string: "any text"
      case .date: "a UTC time such as 2026-07-01T12:30:00Z, or a date such as 2026-07-01"
      case .data: "base64"
      case .decimal: "a decimal number of at most 15 digits such as 19.99 or 1e3"
      case .uuid: "a UUID such as 8F14E45F-CEEA-467F-A1D5-91A8B7D5A0C3"
      case .uri: "a URI with its scheme such as https://example.com/a?b=c"
      }
    return isOptional ? "\(form), or nothing" : form
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

  /// A number that is stored without rounding.
  static func decimal(_ text: String) -> StoredDecimal? {
    guard Double(decimal: text) != nil, let decimal = Decimal(string: text) else { return nil }
    let stored = StoredDecimal(decimal)
    return stored.number.isFinite && stored.decimal == decimal ? stored : nil
  }

  static func isURI(_ text: String) -> Bool {
    URL(string: text, encodingInvalidCharacters: false)?.scheme != nil
  }

  /// `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm:ss` with an optional fraction and a `Z`, in the proleptic
  /// Gregorian calendar, without leap seconds.
  static func secondsSince2001(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard let day = day(bytes.prefix(10)) else { return nil }
    if bytes.count == 10 { return Double(day) * 86_400 }
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
      let time = secondsOfDay(bytes[11..<19]), let fraction = fraction(bytes[19..<bytes.count - 1])
    else { return nil }
    return Double(day * 86_400 + time) + fraction
  }

  /// Days since 2001-01-01, by counting from 1 March, so that the leap day ends the year (Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms").
  private static func day(_ bytes: ArraySlice<UInt8>) -> Int? {
    let dash = UInt8(ascii: "-")
    guard bytes.count == 10, bytes[4] == dash, bytes[7] == dash, let year = number(bytes[0..<4]),
      let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      (1...12).contains(month), day >= 1, day <= length(ofMonth: month, in: year)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch month {
    case 2: return isLeap ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  private static func secondsOfDay(_ bytes: ArraySlice<UInt8>) -> Int? {
    let first = bytes.startIndex
    let colon = UInt8(ascii: ":")
    guard bytes[first + 2] == colon, bytes[first + 5] == colon,
      let hour = number(bytes[first..<first + 2]), hour < 24,
      let minute = number(bytes[first + 3..<first + 5]), minute < 60,
      let second = number(bytes[first + 6..<first + 8]), second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Parses nothing, or a dot and at least one digit.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard let first = bytes.first else { return 0 }
    let digits = bytes.dropFirst()
    guard first == UInt8(ascii: "."), !digits.isEmpty, number(digits.prefix(15)) != nil,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }
}
