package import Support

/// Decodes a report in pieces of any size.
///
/// The nearest header row above gives the columns, so reports may follow one another. Unknown
/// columns are ignored. The decoder keeps at most one piece and one record of 1 MiB.
package struct CellCSVDecoder {
  package private(set) var cells = 0
  /// The first line of the next record, from 1.
  package private(set) var line = 1

  private var pending: [UInt8] = []
  private var isAtStart = true
  private var columns: CellColumns?

  package init() {}

  /// - Parameter body: called with each complete cell and its record's first line.
  package mutating func feed(
    _ piece: some Collection<UInt8>, _ body: (CellResult, _ line: Int) -> Void
  ) throws(CSVError) {
    pending.append(contentsOf: piece)
    try decode(isLast: false, body)
  }

  /// Decodes the rest. Throws if the last record is incomplete, or if no header row was found.
  package mutating func finish(_ body: (CellResult, _ line: Int) -> Void) throws(CSVError) {
    try decode(isLast: true, body)
    guard columns != nil else {
      throw CSVError(line: 1, column: 1, message: "empty; a report begins with a header row")
    }
  }

  private mutating func decode(
    isLast: Bool, _ body: (CellResult, _ line: Int) -> Void
  ) throws(CSVError) {
    guard isLast || !isAtStart || pending.count >= Self.byteOrderMark.count else { return }
    if isAtStart, pending.starts(with: Self.byteOrderMark) {
      pending.removeFirst(Self.byteOrderMark.count)
    }
    isAtStart = false
    let bytes = pending
    pending = []
    // A closure of several statements cannot rethrow a typed error.
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(CSVError) in
        try decode(CSVReader(buffer, line: line, isLast: isLast), body)
      }
    }
    pending = Array(bytes[(try result.get())...])
  }

  /// Returns the number of consumed bytes.
  private mutating func decode(
    _ reader: CSVReader, _ body: (CellResult, _ line: Int) -> Void
  ) throws(CSVError) -> Int {
    var reader = reader
    while try reader.next() {
      if try reader.text(reader.fields[0]) == CellCSV.columns[0] {
        columns = try CellColumns(header: reader)
      } else if let cell = try columns?.cell(reader) {
        body(cell, reader.recordLine)
        cells += 1
      } else {
        throw reader.error(
          at: reader.fields[0],
          "no header row; a report of topobench begins with `schema,run_id,…`")
      }
    }
    line = reader.line
    return reader.consumed
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension CellCSV {
  package static func decode(_ text: String) throws(CSVError) -> [CellResult] {
    try decode(Array(text.utf8))
  }

  package static func decode(_ bytes: [UInt8]) throws(CSVError) -> [CellResult] {
    var cells: [CellResult] = []
    var decoder = CellCSVDecoder()
    try decoder.feed(bytes) { cell, _ in cells.append(cell) }
    try decoder.finish { cell, _ in cells.append(cell) }
    return cells
  }
}
