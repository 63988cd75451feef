extension CellCSV {
  /// Where the last whole row ends, its line end included: what follows was cut off while it was
  /// written. 0 if not even the header is whole.
  ///
  /// A row is whole if the quotes before its line end pair up, as they do in what `row` writes.
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
