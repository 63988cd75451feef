// Records and fields of RFC 4180:
//
//   name,admin            fields end at a comma, records at LF or CRLF (the last may lack it)
//   "Mianzhu, Sichuan",32 a field that starts with a quote ends at the next single quote;
//   "say ""hello""",      "" inside is one quote, commas and line ends inside are text
//
// Fields are ranges of the file's bytes until somebody wants their text: ten thousand rows are read
// whenever a cell starts.

/// Reads the records of one CSV file, held in memory. Errors name file and line.
struct CSVReader {
  /// Where a field's text lies; quotes around it are outside.
  struct Field: Equatable {
    var start: Int
    var end: Int
    var hasDoubledQuotes = false

    var isEmpty: Bool { start == end }
  }

  let file: String
  private let bytes: [UInt8]
  private var position: Int
  private var line = 1
  /// The fields of the record read last.
  private(set) var fields: [Field] = []
  /// The line in which the record read last begins; the first is 1.
  private(set) var recordLine = 1

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    // Spreadsheets write a byte order mark; it is no part of the first column's name.
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// False at the end of the file.
  mutating func readRecord() throws(ScenarioError) -> Bool {
    guard position < bytes.count else { return false }
    fields.removeAll(keepingCapacity: true)
    recordLine = line
    repeat { fields.append(try readField()) } while skipComma()
    skipLineEnd()
    return true
  }

  /// The field's text, with doubled quotes undone.
  func text(_ index: Int) throws(ScenarioError) -> String {
    let field = fields[index]
    let slice = bytes[field.start..<field.end]
    let text: String? =
      field.hasDoubledQuotes
      ? String(validating: undoubled(slice), as: UTF8.self)
      : String(validating: slice, as: UTF8.self)
    guard let text else { throw error("field \(index + 1) is not valid UTF-8") }
    return text
  }

  func error(_ message: String, field: String? = nil, line: Int? = nil) -> ScenarioError {
    ScenarioError(.file(file, line: line ?? recordLine), field: field, message)
  }

  private mutating func readField() throws(ScenarioError) -> Field {
    if position < bytes.count, bytes[position] == Self.quote { return try readQuotedField() }
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.comma || byte == Self.newline || isAtLineEnd { break }
      guard byte != Self.quote else {
        throw error(
          "a quote inside an unquoted field; put the whole field in quotes and double the inner one",
          line: line)
      }
      position += 1
    }
    return Field(start: start, end: position)
  }

  private mutating func readQuotedField() throws(ScenarioError) -> Field {
    let openedAt = line
    position += 1
    var field = Field(start: position, end: position)
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == Self.newline { line += 1 }
      guard byte == Self.quote else { continue }
      if position < bytes.count, bytes[position] == Self.quote {
        field.hasDoubledQuotes = true
        position += 1
        continue
      }
      field.end = position - 1
      try requireFieldEnd()
      return field
    }
    throw error("a quote is opened and never closed", line: openedAt)
  }

  private func requireFieldEnd() throws(ScenarioError) {
    guard position == bytes.count || bytes[position] == Self.comma || isAtLineEnd else {
      throw error("text after a closing quote; a quote inside a field is written twice", line: line)
    }
  }

  private var isAtLineEnd: Bool {
    guard position < bytes.count else { return false }
    if bytes[position] == Self.newline { return true }
    return bytes[position] == Self.carriageReturn && position + 1 < bytes.count
      && bytes[position + 1] == Self.newline
  }

  private mutating func skipComma() -> Bool {
    guard position < bytes.count, bytes[position] == Self.comma else { return false }
    position += 1
    return true
  }

  private mutating func skipLineEnd() {
    guard position < bytes.count else { return }
    position += bytes[position] == Self.carriageReturn ? 2 : 1
    line += 1
  }

  private func undoubled(_ slice: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isSecond = false
    for byte in slice {
      isSecond = byte == Self.quote && !isSecond
      if !isSecond { result.append(byte) }
    }
    return result
  }
}
