import Support

/// Reads the records of one data file. Errors name the file and the line.
struct DataFileReader {
  let file: String
  /// Whether errors may quote the file.
  let isQuoted: Bool
  private var csv: CSVReader

  /// Skips a byte order mark: spreadsheets write one, and it is not part of the first column's
  /// name.
  ///
  /// - Parameter bytes: valid as long as the reader is in use.
  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String, isQuoted: Bool) {
    self.isQuoted = isQuoted
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.file = file
    csv = CSVReader(
      UnsafeBufferPointer(rebasing: bytes[start...]), longestRecord: .max, skipsBlankLines: false)
  }

  var fieldCount: Int { csv.fields.count }

  /// The line on which the current record begins, counted from 1.
  var line: Int { csv.recordLine }

  /// - Returns: false at the end of the file.
  mutating func next() throws(InputError) -> Bool {
    do {
      return try csv.next()
    } catch {
      throw InputError(.file(file, line: error.line), error.message)
    }
  }

  func text(_ index: Int) throws(InputError) -> String {
    do {
      return try csv.text(csv.fields[index])
    } catch {
      throw InputError(
        .file(file, line: error.line), "field \(index + 1) is not UTF-8; save the file as UTF-8")
    }
  }

  /// Nil if errors may not quote the file.
  func quotation(_ text: String) -> String? { isQuoted ? text.quoted : nil }

  func error(_ message: String, field: String? = nil) -> InputError {
    InputError(.file(file, line: line), field: field, message)
  }
}
