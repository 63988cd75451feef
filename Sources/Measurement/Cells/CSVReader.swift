/// Reads RFC 4180 records from UTF-8 bytes, one at a time, without copying what it does not need.
///
/// Lines may end in LF or CRLF; a byte order mark and blank lines are passed over. Everything else
/// that the RFC does not know is an error with its place.
struct CSVReader {
  /// One field of the current record.
  struct Field {
    /// The field's bytes, inside its quotes if it has any.
    var bytes: Range<Int>
    /// Where the field begins, its opening quote included.
    var start: Int
    var line: Int
    /// Whether quotes inside it are doubled.
    var hasDoubledQuotes = false
  }

  /// No report has a record near this long: a longer one is another kind of file.
  static let longestRecord = 1 << 20

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var fields: [Field] = []
  private var position = 0
  private var line = 1

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
  }

  /// Reads the next record into `fields`; false at the end.
  mutating func next() throws(CSVError) -> Bool {
    skipBlankLines()
    guard position < bytes.count else { return false }
    fields.removeAll(keepingCapacity: true)
    let start = position
    while true {
      let field = try readField()
      fields.append(field)
      guard position - start <= Self.longestRecord else {
        throw error(at: field, "a record of more than 1 MiB; this is no report of topobench")
      }
      guard position < bytes.count, bytes[position] == .comma else { break }
      position += 1
    }
    skipLineEnd()
    return true
  }

  /// The field's text; an error where it is not UTF-8.
  func text(_ field: Field) throws(CSVError) -> String {
    let slice = bytes[field.bytes]
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw error(at: field, "not UTF-8")
    }
    return field.hasDoubledQuotes ? Self.undoubled(text) : text
  }

  func error(at field: Field, _ message: String) -> CSVError {
    error(at: field.start, line: field.line, message)
  }

  private mutating func readField() throws(CSVError) -> Field {
    guard position < bytes.count, bytes[position] == .quote else { return try readPlain() }
    return try readQuoted()
  }

  private mutating func readPlain() throws(CSVError) -> Field {
    let start = position
    while position < bytes.count, bytes[position] != .comma, !isLineEnd(position) {
      if bytes[position] == .quote {
        throw error(at: position, line: line, "a quote inside a field that does not begin with one")
      }
      if position - start > Self.longestRecord { break }
      position += 1
    }
    return Field(bytes: start..<position, start: start, line: line)
  }

  private mutating func readQuoted() throws(CSVError) -> Field {
    var field = Field(bytes: position..<position, start: position, line: line)
    position += 1
    let start = position
    while position < bytes.count, position - start <= Self.longestRecord {
      if bytes[position] == .quote {
        guard position + 1 < bytes.count, bytes[position + 1] == .quote else { break }
        field.hasDoubledQuotes = true
        position += 1
      } else if bytes[position] == .lineFeed {
        line += 1
      }
      position += 1
    }
    guard position < bytes.count else { throw error(at: field, "the quote is not closed") }
    guard bytes[position] == .quote else { return field }
    field.bytes = start..<position
    position += 1
    guard position == bytes.count || bytes[position] == .comma || isLineEnd(position) else {
      throw error(at: position, line: line, "text after the closing quote")
    }
    return field
  }

  private func isLineEnd(_ index: Int) -> Bool {
    bytes[index] == .lineFeed
      || (bytes[index] == .carriageReturn && index + 1 < bytes.count
        && bytes[index + 1] == .lineFeed)
  }

  private mutating func skipLineEnd() {
    guard position < bytes.count, isLineEnd(position) else { return }
    position += bytes[position] == .carriageReturn ? 2 : 1
    line += 1
  }

  private mutating func skipBlankLines() {
    while position < bytes.count, isLineEnd(position) { skipLineEnd() }
  }

  private func error(at index: Int, line: Int, _ message: String) -> CSVError {
    let lineStart = bytes[..<index].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
    let before = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 }
    return CSVError(line: line, column: before + 1, message: message)
  }

  private static func undoubled(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var skip = false
    for scalar in text.unicodeScalars {
      skip = scalar == "\"" && !skip
      if scalar != "\"" || skip { result.append(scalar) }
    }
    return String(result)
  }
}

extension UInt8 {
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
