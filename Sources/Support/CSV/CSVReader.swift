// A file of any size is read through a window:
//
//   …,12.3,4\nschema,run_id,…\ntopobench/3,r1,…,8.5\ntopobench/3,r1,…,7│ not here yet
//             ├── record ────┤ ├──── record ───────┤ ├─ not whole ────▶
//                                                    ▲ consumed: read again when there is more

/// Reads RFC 4180 records from UTF-8 bytes, one at a time, without copying fields. Another
/// separator may stand for the comma.
///
/// Lines end in LF or CRLF. Anything else outside the RFC is an error with its position.
package struct CSVReader {
  package struct Field {
    var start: Int
    /// Without the quotes.
    package fileprivate(set) var bytes: Range<Int>
    fileprivate var hasDoubledQuotes = false
  }

  /// In bytes. A longer record means another kind of file.
  package static let longestRecord = 1 << 20

  package let bytes: UnsafeBufferPointer<UInt8>
  package private(set) var fields: [Field] = []
  /// The end of the last whole record.
  package private(set) var consumed = 0
  /// The line that begins at `consumed`, from 1.
  package private(set) var line: Int
  package private(set) var recordLine: Int
  private let isLast: Bool
  private let longestRecord: Int
  private let skipsBlankLines: Bool
  private let separator: UInt8
  private var position = 0
  private var recordStart = 0

  /// - Parameters:
  ///   - bytes: the text from a line's start on.
  ///   - line: that line's number.
  ///   - isLast: whether the text ends here; otherwise the last record may be cut.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, line: Int = 1, isLast: Bool = true,
    longestRecord: Int = Self.longestRecord, skipsBlankLines: Bool = true,
    separator: UInt8 = .comma
  ) {
    self.bytes = bytes
    self.line = line
    self.isLast = isLast
    self.longestRecord = longestRecord
    self.skipsBlankLines = skipsBlankLines
    self.separator = separator
    recordLine = line
  }

  /// - Returns: false if no whole record is left.
  package mutating func next() throws(CSVError) -> Bool {
    if skipsBlankLines { skipBlankLines() }
    recordStart = position
    recordLine = line
    fields.removeAll(keepingCapacity: true)
    guard position < bytes.count else { return false }
    while true {
      let field = try readField()
      fields.append(field)
      guard position - recordStart <= longestRecord else {
        throw error(at: field, "a line of more than 1 MiB; is this a CSV file?")
      }
      guard position < bytes.count, bytes[position] == separator else { break }
      position += 1
    }
    guard isLast || position < bytes.count else {
      line = recordLine
      return false
    }
    skipLineEnd()
    consumed = position
    return true
  }

  package var isBlankLine: Bool {
    fields.count == 1 && fields[0].bytes.isEmpty && fields[0].bytes.lowerBound == fields[0].start
  }

  /// - Throws: if the field is not UTF-8.
  package func text(_ field: Field) throws(CSVError) -> String {
    guard let text = String(validating: bytes[field.bytes], as: UTF8.self) else {
      throw error(at: field, "not UTF-8; is the file damaged?")
    }
    guard field.hasDoubledQuotes else { return text }
    let scalars = text.unicodeScalars.replacing("\"\"".unicodeScalars, with: "\"".unicodeScalars)
    return String(scalars)
  }

  package func error(at field: Field, _ message: String) -> CSVError {
    error(at: field.start, message)
  }

  private mutating func readField() throws(CSVError) -> Field {
    guard position < bytes.count, bytes[position] == .quote else { return try readPlain() }
    return try readQuoted()
  }

  private mutating func readPlain() throws(CSVError) -> Field {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      // Most bytes of a report are digits and letters, which are above the comma.
      if byte <= .comma || byte == separator {
        if byte == separator || isLineEnd(position) { break }
        if byte == .quote {
          throw error(
            at: position,
            "a quote inside an unquoted field; quote the whole field and double the inner quote")
        }
      }
      if position - start > longestRecord { break }
      position += 1
    }
    return Field(start: start, bytes: start..<position)
  }

  private mutating func readQuoted() throws(CSVError) -> Field {
    var field = Field(start: position, bytes: position..<position)
    position += 1
    let start = position
    while position < bytes.count, position - start <= longestRecord {
      if bytes[position] == .quote {
        guard position + 1 < bytes.count, bytes[position + 1] == .quote else { break }
        field.hasDoubledQuotes = true
        position += 1
      } else if bytes[position] == .lineFeed {
        line += 1
      }
      position += 1
    }
    guard position < bytes.count else {
      guard !isLast else {
        throw error(at: field, "the quote is never closed; is the file cut off?")
      }
      return field
    }
    guard bytes[position] == .quote else { return field }
    field.bytes = start..<position
    position += 1
    guard position == bytes.count || bytes[position] == separator || isLineEnd(position) else {
      // The window may end between CR and LF.
      guard !isLast, position + 1 == bytes.count, bytes[position] == .carriageReturn else {
        throw error(at: position, "text after the closing quote; double a quote inside a field")
      }
      position += 1
      return field
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
    consumed = position
  }

  private func error(at index: Int, _ message: String) -> CSVError {
    let before = bytes[recordStart..<index]
    let lineStart = before.lastIndex(of: .lineFeed).map { $0 + 1 } ?? recordStart
    return CSVError(
      line: recordLine + before.count { $0 == .lineFeed },
      column: bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1, message: message)
  }
}

extension UInt8 {
  package static let comma = UInt8(ascii: ",")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
