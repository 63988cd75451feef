extension CellCSV {
  /// The end of the last complete row, its line end included. The bytes after it were cut off by a
  /// crash. 0 if even the header is incomplete.
  ///
  /// A row is complete if the quotes before its line end pair up, as in the output of `row`.
  package static func endOfLastRow(in bytes: [UInt8]) -> Int {
    var end = 0
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n"), !isQuoted { end = index + 1 }
    }
    return end
  }
}
