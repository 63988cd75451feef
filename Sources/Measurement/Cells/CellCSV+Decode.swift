extension CellCSV {
  /// Reads a file, or several one after another.
  ///
  /// Columns are found by their names in the nearest header row above; repeated header rows are
  /// skipped, columns of other names passed over, and metrics without a column are not measured.
  package static func decode(_ text: String) throws(CSVError) -> [CellResult] {
    try decode(Array(text.utf8))
  }

  package static func decode(_ bytes: [UInt8]) throws(CSVError) -> [CellResult] {
    var cells: [CellResult] = []
    try forEachCell(in: bytes) { cells.append($0) }
    return cells
  }

  /// Hands over one cell after another, so that a large file need not stand in memory as cells.
  package static func forEachCell(
    in bytes: [UInt8], _ body: (CellResult) -> Void
  ) throws(CSVError) {
    // `withUnsafeBufferPointer` cannot rethrow a typed error through a closure of several
    // statements.
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(CSVError) in try readCells(CSVReader(buffer), body) }
    }
    try result.get()
  }

  private static func readCells(
    _ reader: CSVReader, _ body: (CellResult) -> Void
  ) throws(CSVError) {
    var reader = reader
    var decoder: CellDecoder?
    while try reader.next() {
      if try isHeader(reader) {
        decoder = try CellDecoder(header: reader)
      } else if let decoder {
        body(try decoder.cell(from: reader))
      } else {
        throw reader.error(
          at: reader.fields[0],
          "no header row; a report of topobench begins with `schema,run_id,…`")
      }
    }
    if decoder == nil {
      throw CSVError(line: 1, column: 1, message: "empty; a report begins with a header row")
    }
  }

  private static func isHeader(_ reader: CSVReader) throws(CSVError) -> Bool {
    try reader.text(reader.fields[0]) == columns[0]
  }
}

/// Turns records into cells, given where the header says that each column is.
private struct CellDecoder {
  private let positions: [String: Int]
  private let metrics: [(metric: Int, field: Int)]
  private let labels: [(metric: String, field: Int)]
  private let width: Int

  init(header reader: CSVReader) throws(CSVError) {
    var positions: [String: Int] = [:]
    for (index, field) in reader.fields.enumerated() {
      let name = try reader.text(field)
      guard positions.updateValue(index, forKey: name) == nil else {
        throw reader.error(at: field, "the column `\(name)` stands here a second time")
      }
    }
    for name in CellResult.identityColumns where positions[name] == nil {
      throw reader.error(at: reader.fields[0], "the header has no column `\(name)`")
    }
    self.positions = positions
    width = reader.fields.count
    metrics = Metrics.all.enumerated().compactMap { index, metric in
      metric.kind == .label ? nil : positions[metric.name].map { (index, $0) }
    }
    labels = Metrics.all.compactMap { metric in
      metric.kind == .label ? positions[metric.name].map { (metric.name, $0) } : nil
    }
  }

  func cell(from reader: CSVReader) throws(CSVError) -> CellResult {
    guard reader.fields.count == width else {
      throw reader.error(
        at: reader.fields[reader.fields.count - 1],
        "the row has \(reader.fields.count) fields, its header \(width); is it cut off?")
    }
    var cell = try identity(in: reader)
    cell.metrics = try metrics(in: reader)
    return cell
  }

  private func identity(in reader: CSVReader) throws(CSVError) -> CellResult {
    let row = Row(reader: reader, positions: positions)
    let schema = try row.text("schema")
    guard schema == CellResult.schema else {
      throw row.error("schema", "unknown schema `\(schema)`. Known: \(CellResult.schema)")
    }
    let status = try row.text("status")
    guard let status = CellStatus(rawValue: status) else {
      let known = CellStatus.allCases.map(\.rawValue).joined(separator: ", ")
      throw row.error("status", "unknown status `\(status)`. Known: \(known)")
    }
    var cell = CellResult(
      runID: try row.text("run_id"), startedAt: try row.text("started_at"),
      scenario: try row.text("scenario"), topology: try row.text("topology"),
      store: try row.text("store"), trial: try row.required("trial"),
      order: try row.required("order"), seed: try row.required("seed"), status: status)
    try readTexts(row, into: &cell)
    try readCounts(row, into: &cell)
    return cell
  }

  private func readTexts(_ row: Row, into cell: inout CellResult) throws(CSVError) {
    cell.gitSHA = try row.text("git_sha")
    cell.label = try row.text("label")
    cell.hostID = try row.text("host_id")
    cell.scenarioDigest = try row.text("scenario_digest")
    cell.parameters = try row.text("parameters")
    cell.error = try row.text("error")
    cell.fingerprint = try row.text("fingerprint")
  }

  private func readCounts(_ row: Row, into cell: inout CellResult) throws(CSVError) {
    cell.objects = try row.optional("objects")
    cell.inserts = try row.optional("inserts")
    cell.updates = try row.optional("updates")
    cell.deletes = try row.optional("deletes")
    cell.saves = try row.optional("saves")
    cell.repeats = try row.optional("repeats")
    cell.horizon = try row.number("horizon_ms")
  }

  private func metrics(in reader: CSVReader) throws(CSVError) -> MetricValues {
    var values = MetricValues()
    for (metric, index) in metrics {
      let field = reader.fields[index]
      guard !field.bytes.isEmpty else { continue }
      values[position: metric] = try reader.number(field, named: Metrics.all[metric].name)
    }
    for (metric, index) in labels where !reader.fields[index].bytes.isEmpty {
      values[label: metric] = try reader.text(reader.fields[index])
    }
    return values
  }
}

/// One record, its fields by column name.
private struct Row {
  let reader: CSVReader
  let positions: [String: Int]

  // Every identity column has its position: the header was checked.
  private func field(_ name: String) -> CSVReader.Field {
    reader.fields[positions[name, default: 0]]
  }

  func text(_ name: String) throws(CSVError) -> String {
    try reader.text(field(name))
  }

  func optional<T: FixedWidthInteger>(_ name: String) throws(CSVError) -> T? {
    let text = try text(name)
    guard !text.isEmpty else { return nil }
    guard let value = T(text), value >= 0 else {
      throw error(name, "\(name): `\(text)` is not a whole number from 0 on")
    }
    return value
  }

  func required<T: FixedWidthInteger>(_ name: String) throws(CSVError) -> T {
    guard let value: T = try optional(name) else { throw error(name, "\(name) is empty") }
    return value
  }

  func number(_ name: String) throws(CSVError) -> Double? {
    let field = field(name)
    return field.bytes.isEmpty ? nil : try reader.number(field, named: name)
  }

  func error(_ name: String, _ message: String) -> CSVError {
    reader.error(at: field(name), message)
  }
}

extension CSVReader {
  /// A finite decimal number. Plain ones are read digit by digit, which is exact as long as the
  /// digits fit into 53 bits.
  fileprivate func number(_ field: Field, named name: String) throws(CSVError) -> Double {
    if let value = plainNumber(field.bytes) { return value }
    let text = try text(field)
    let allowed = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard allowed, let value = Double(text), value.isFinite else {
      throw error(at: field, "\(name): `\(text)` is not a number")
    }
    return value
  }

  private func plainNumber(_ range: Range<Int>) -> Double? {
    guard range.count <= 16 else { return nil }
    var digits = 0
    var scale = 1
    var hasPoint = false
    var hasDigit = false
    for byte in bytes[range] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
        if hasPoint { scale *= 10 }
        hasDigit = true
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      default: return nil
      }
    }
    return hasDigit && digits < 1 << 53 ? Double(digits) / Double(scale) : nil
  }
}
