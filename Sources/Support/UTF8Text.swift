extension String {
  /// - Throws: an error that names the first line that is not UTF-8.
  package init(utf8 bytes: [UInt8], file: String) throws(InputError) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    // No character of several bytes contains the byte of a line feed.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    throw InputError(.file(file, line: line.map { $0 + 1 }), "is not UTF-8; save the file as UTF-8")
  }
}
