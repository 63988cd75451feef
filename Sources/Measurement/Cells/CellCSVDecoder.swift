/// Turns the bytes of a report into cells as they come, in pieces of any size.
///
/// Columns are found by their names in the nearest header row above; repeated header rows are skipped,
/// so several reports may follow one another; columns of other names are passed over, and metrics
/// without a column are not measured. Keeps no more than a piece and a record of 1 MiB.
package struct CellCSVDecoder {
  /// Cells handed over so far.
  package private(set) var cells = 0
  /// The line that the next record begins on, counted from 1.
  package private(set) var line = 1

  private var pending: [UInt8] = []
  private var isAtStart = true
  private var columns: CellColumns?

  package init() {}

  /// - Parameter body: called with each cell that is whole now.
  package mutating func feed(
    _ piece: some Collection<UInt8>, _ body: (CellResult) -> Void
  ) throws(CSVError) {
    pending.append(contentsOf: piece)
    try decode(isLast: false, body)
  }

  /// What is left when there is no more to come.
  ///
  /// - Throws: where the last record is not whole, or there was none at all.
  package mutating func finish(_ body: (CellResult) -> Void) throws(CSVError) {
    try decode(isLast: true, body)
    guard columns != nil else {
      throw CSVError(line: 1, column: 1, message: "empty; a report begins with a header row")
    }
  }

  private mutating func decode(isLast: Bool, _ body: (CellResult) -> Void) throws(CSVError) {
    guard isLast || !isAtStart || pending.count >= Self.byteOrderMark.count else { return }
    if isAtStart, pending.starts(with: Self.byteOrderMark) {
      pending.removeFirst(Self.byteOrderMark.count)
    }
    isAtStart = false
    let bytes = pending
    pending = []
    // `withUnsafeBufferPointer` cannot rethrow a typed error through a closure of several
    // statements.
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(CSVError) in
        try decode(CSVReader(buffer, line: line, isLast: isLast), body)
      }
    }
    pending = Array(bytes[(try result.get())...])
  }

  /// How many bytes are done with.
  private mutating func decode(
    _ reader: CSVReader, _ body: (CellResult) -> Void
  ) throws(CSVError) -> Int {
    var reader = reader
    while try reader.next() {
      if try reader.text(reader.fields[0]) == CellCSV.columns[0] {
        columns = try CellColumns(header: reader)
      } else if let cell = try columns?.cell(reader) {
        body(cell)
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
  /// Reads a file, or several one after another, as ``CellCSVDecoder`` does.
  package static func decode(_ text: String) throws(CSVError) -> [CellResult] {
    try decode(Array(text.utf8))
  }

  package static func decode(_ bytes: [UInt8]) throws(CSVError) -> [CellResult] {
    var cells: [CellResult] = []
    var decoder = CellCSVDecoder()
    try decoder.feed(bytes) { cells.append($0) }
    try decoder.finish { cells.append($0) }
    return cells
  }
}
