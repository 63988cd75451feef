import Support

/// Reads the records of one data file; the first has the names of the columns. Errors name the file
/// and the line.
struct DataFileReader {
  let file: String
  let layout: DataLayout
  /// Whether errors may quote the file.
  let isQuoted: Bool
  private var csv: CSVReader
  /// Nil unless the file is JSON.
  private var json: JSONReader?

  /// Skips a byte order mark: spreadsheets write one, and it is not part of the first column's
  /// name.
  ///
  /// - Parameter bytes: valid as long as the reader is in use.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, file: String, layout: DataLayout = DataLayout(),
    isQuoted: Bool
  ) throws(InputError) {
    self.isQuoted = isQuoted
    self.file = file
    self.layout = layout
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = UnsafeBufferPointer(rebasing: bytes[start...])
    let format = layout.format.resolved(for: file)
    let firstLine = text.prefix(6).prefix { $0 != 0x0A && $0 != 0x0D }
    guard firstLine.count != 5 || !firstLine.starts(with: "sep=".utf8) else {
      throw InputError(
        .file(file, line: 1),
        "the line tells Excel the separator; remove it, so that the first line names the columns")
    }
    csv = CSVReader(
      text, longestRecord: .max, skipsBlankLines: false, separator: format.separator ?? .comma)
    if format == .json { json = try JSONReader(text, file: file) }
  }

  var bytes: UnsafeBufferPointer<UInt8> { csv.bytes }

  var format: DataFormat { layout.format.resolved(for: file) }

  var isJSON: Bool { json != nil }

  /// Whether the file is JSON without an object, and so without names.
  var isEmpty: Bool { json?.isEmpty ?? false }

  var fieldCount: Int { json?.names.count ?? csv.fields.count }

  /// The line on which the current record begins, counted from 1.
  var line: Int { json?.recordLine ?? csv.recordLine }

  /// - Returns: false at the end of the file.
  mutating func next() throws(InputError) -> Bool {
    if let isThere = try json?.next() { return isThere }
    let isThere: Bool
    do {
      isThere = try csv.next()
    } catch {
      throw InputError(.file(file, line: error.line), "column \(error.column): \(error.message)")
    }
    guard !csv.isBlankLine else {
      throw error(
        csv.recordLine == 1
          ? "the line is blank; remove it, so that the first line names the columns"
          : "the line is blank; remove it")
    }
    return isThere
  }

  /// - Returns: nil for null, and for a member that a JSON object does not have.
  func text(_ index: Int, of field: String? = nil) throws(InputError) -> String? {
    if let json { return try json.text(index, of: field) }
    do {
      return try csv.text(csv.fields[index])
    } catch {
      throw InputError(
        .file(file, line: error.line), field: field,
        "\(field == nil ? "field \(index + 1) " : "")is not UTF-8;"
          + " convert the file, such as by: iconv -f LATIN1 -t UTF-8 FILE > NEW")
    }
  }

  /// Nil if errors may not quote the file.
  func quotation(_ text: String) -> String? { isQuoted ? text.quoted : nil }

  func error(_ message: String, field: String? = nil) -> InputError {
    InputError(.file(file, line: line), field: field, message)
  }
}
