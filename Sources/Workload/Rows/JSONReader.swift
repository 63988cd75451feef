import Foundation
import Support

// [{"id": 1, "name": "a"},        names    id · name · note      all of the file, as a header
//  {"id": 2, "note": null}]       records  1 · a · –             – is null or not there
//                                          2 · – · –
//
// The objects may also follow one another, as in JSON lines.

/// Reads JSON objects as records, one at a time. Errors name the line.
struct JSONReader {
  private enum Field {
    case absent, null
    /// With the quotes.
    case text(Range<Int>)
    case word(Range<Int>)
    case nested
  }

  private(set) var names: [String] = []
  /// The line on which the current object begins, counted from 1.
  private(set) var recordLine = 1
  private var indexes: [String: Int] = [:]
  private var fields: [Field] = []
  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private var position = 0
  private var line = 1
  private var isArray = false
  private var isFirst = true
  private var isHeaderRead = false
  /// Whether the file has no object.
  private(set) var isEmpty = true

  /// Reads all objects once to find their names.
  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) throws(InputError) {
    self.bytes = bytes
    self.file = file
    try start()
    while try nextObject() { isEmpty = false }
    try start()
  }

  private mutating func start() throws(InputError) {
    (position, line, recordLine, isFirst) = (0, 1, 1, true)
    skipBlanks()
    isArray = take("[")
    guard isArray || peek() == UInt8(ascii: "{") else {
      throw error("is no JSON, which begins with [ or {; name the file's form by 'format'")
    }
  }

  /// The first record is the header.
  mutating func next() throws(InputError) -> Bool {
    guard isHeaderRead else {
      isHeaderRead = true
      return true
    }
    return try nextObject()
  }

  /// - Returns: nil for null, and for a member that is not there.
  func text(_ index: Int, of field: String?) throws(InputError) -> String? {
    guard let field else { return names[index] }
    switch fields[index] {
    case .absent, .null: return nil
    case .text(let range):
      guard let text = string(range) else {
        throw InputError(.file(file, line: recordLine), field: field, Self.isNoText)
      }
      return text
    case .word(let range): return String(decoding: bytes[range], as: UTF8.self)
    case .nested:
      throw InputError(
        .file(file, line: recordLine), field: field,
        "is an object or a list; a data file has one value here, as in"
          + #" [{"id": 1, "name": "a"}]. If the rows are inside it, take them out by:"#
          + " jq .MEMBER FILE > NEW")
    }
  }
}

// MARK: - Parsing

extension JSONReader {
  private mutating func nextObject() throws(InputError) -> Bool {
    skipBlanks()
    if isArray ? take("]") : position == bytes.count { return try end() }
    if isArray, !isFirst {
      try expect(",")
      skipBlanks()
    }
    isFirst = false
    recordLine = line
    fields = Array(repeating: .absent, count: names.count)
    try readObject()
    return true
  }

  private mutating func end() throws(InputError) -> Bool {
    skipBlanks()
    guard position == bytes.count else { throw error("text after the end of the array") }
    return false
  }

  private mutating func readObject() throws(InputError) {
    try expect("{")
    skipBlanks()
    guard !take("}") else { return }
    repeat {
      skipBlanks()
      guard let name = string(try readText()) else { throw error("a name \(Self.isNoText)") }
      skipBlanks()
      try expect(":")
      skipBlanks()
      let value = try readValue()
      try set(name, to: value)
      skipBlanks()
    } while take(",")
    try expect("}")
  }

  private mutating func set(_ name: String, to value: Field) throws(InputError) {
    guard let index = indexes[name] else {
      guard names.count < Self.mostNames else {
        throw error("over \(Self.mostNames) different names so far; is it a table of rows?")
      }
      indexes[name] = names.count
      names.append(name)
      fields.append(value)
      return
    }
    guard case .absent = fields[index] else {
      throw error("member \(index + 1) of the file occurs twice in this object; keep one")
    }
    fields[index] = value
  }

  /// As many columns as a table of SQLite has at most.
  private static let mostNames = 2000

  private mutating func readValue() throws(InputError) -> Field {
    switch peek() {
    case UInt8(ascii: "\""): return .text(try readText())
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skipNested()
      return .nested
    default: return try readWord()
    }
  }

  /// A number, `true`, `false` or `null`.
  private mutating func readWord() throws(InputError) -> Field {
    let start = position
    while let byte = peek(), Self.isWordByte(byte) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    if word == "null" { return .null }
    let isNumber = word.first.map { $0.isNumber || $0 == "-" } ?? false
    guard ["true", "false"].contains(word) || isNumber else {
      throw error(position == bytes.count ? Self.isCut : "no JSON value: a text needs quotes")
    }
    return .word(start..<position)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || [0x2B, 0x2D, 0x2E].contains(byte)
  }

  private mutating func skipNested() throws(InputError) {
    var depth = 0
    repeat {
      skipBlanks()
      switch peek() {
      case nil: throw error(Self.isCut)
      case UInt8(ascii: "\""): _ = try readText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      default: position += 1
      }
    } while depth > 0
  }

  /// - Returns: the text with its quotes.
  private mutating func readText() throws(InputError) -> Range<Int> {
    let start = position
    try expect("\"")
    while let byte = peek(), byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a line break inside a text; write it as \\n") }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    try expect("\"")
    return start..<position
  }

  private static let isNoText = "is not UTF-8, or has a wrong escape; save the file as UTF-8"

  private func string(_ range: Range<Int>) -> String? {
    let inner = bytes[range].dropFirst().dropLast()
    guard inner.contains(UInt8(ascii: "\\")) else {
      return String(validating: inner, as: UTF8.self)
    }
    return try? JSONDecoder().decode(String.self, from: Data(bytes[range]))
  }
}

// MARK: - Bytes

extension JSONReader {
  private static let isCut = "ends inside an object; is the file cut off?"

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard peek() == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Character) throws(InputError) {
    guard !take(character) else { return }
    throw error(
      position >= bytes.count ? Self.isCut : "malformed JSON: must be '\(character)' here")
  }

  private func error(_ message: String) -> InputError {
    InputError(.file(file, line: line), message)
  }
}
