/// Where a header says that each column is, and how its fields are read.
///
/// Most texts of a report are the same in row after row; each column's last one is kept, so that a
/// million rows do not hold a million copies.
struct CellColumns {
  typealias Column = CellResult.CodingKeys

  private let width: Int
  private let identity: [(column: Column, field: Int)]
  private let metrics: [(metric: Int, field: Int)]
  private let labels: [(metric: String, field: Int)]
  private var texts: [String]

  init(header reader: CSVReader) throws(CSVError) {
    var positions: [String: Int] = [:]
    for (index, field) in reader.fields.enumerated() {
      let name = try reader.text(field)
      guard positions.updateValue(index, forKey: name) == nil else {
        throw reader.error(
          at: field, "the column \(CSVError.quoted(name)) stands here a second time")
      }
    }
    for name in CellResult.identityColumns where positions[name] == nil {
      throw reader.error(
        at: reader.fields[0],
        "the header has no column `\(name)`; is this a report of topobench?")
    }
    width = reader.fields.count
    texts = Array(repeating: "", count: width)
    identity = Column.allCases.compactMap { column in
      positions[column.rawValue].map { (column, $0) }
    }
    metrics = Metrics.all.enumerated().compactMap { index, metric in
      metric.kind == .label ? nil : positions[metric.name].map { (index, $0) }
    }
    labels = Metrics.all.compactMap { metric in
      metric.kind == .label ? positions[metric.name].map { (metric.name, $0) } : nil
    }
  }

  /// The cell that the reader's current record tells of.
  mutating func cell(_ reader: CSVReader) throws(CSVError) -> CellResult {
    guard reader.fields.count == width else {
      throw reader.error(
        at: reader.fields[reader.fields.count - 1],
        "the row has \(reader.fields.count) fields, its header \(width); is it cut off? "
          + "Remove the row, or measure again")
    }
    var cell = CellResult(
      runID: "", startedAt: "", scenario: "", topology: "", store: "", trial: 0, order: 0, seed: 0,
      status: .ok)
    for (column, index) in identity {
      let row = Row(reader: reader, column: column, field: reader.fields[index])
      if !(try readText(row, at: index, into: &cell)) { try readNumber(row, into: &cell) }
    }
    for (metric, index) in metrics {
      let field = reader.fields[index]
      guard !field.bytes.isEmpty else { continue }
      cell.metrics[position: metric] = try reader.number(field, named: Metrics.all[metric].name)
    }
    for (metric, index) in labels where !reader.fields[index].bytes.isEmpty {
      cell.metrics[label: metric] = try text(reader, at: index)
    }
    return cell
  }

  /// False if the column holds no text.
  private mutating func readText(
    _ row: Row, at index: Int, into cell: inout CellResult
  ) throws(CSVError) -> Bool {
    switch row.column {
    case .schema: try checkSchema(row, text(row.reader, at: index))
    case .status: cell.status = try status(row, text(row.reader, at: index))
    case .runID: cell.runID = try text(row.reader, at: index)
    case .startedAt: cell.startedAt = try text(row.reader, at: index)
    case .gitSHA: cell.gitSHA = try text(row.reader, at: index)
    case .label: cell.label = try text(row.reader, at: index)
    case .hostID: cell.hostID = try text(row.reader, at: index)
    case .scenario: cell.scenario = try text(row.reader, at: index)
    case .scenarioDigest: cell.scenarioDigest = try text(row.reader, at: index)
    case .parameters: cell.parameters = try text(row.reader, at: index)
    case .topology: cell.topology = try text(row.reader, at: index)
    case .store: cell.store = try text(row.reader, at: index)
    case .error: cell.error = try text(row.reader, at: index)
    case .fingerprint: cell.fingerprint = try text(row.reader, at: index)
    default: return false
    }
    return true
  }

  private func readNumber(_ row: Row, into cell: inout CellResult) throws(CSVError) {
    switch row.column {
    case .trial: cell.trial = try row.required()
    case .order: cell.order = try row.required()
    case .seed: cell.seed = try row.required()
    case .objects: cell.objects = try row.optional()
    case .inserts: cell.inserts = try row.optional()
    case .updates: cell.updates = try row.optional()
    case .deletes: cell.deletes = try row.optional()
    case .saves: cell.saves = try row.optional()
    case .repeats: cell.repeats = try row.optional()
    case .horizon: cell.horizon = try row.number()
    default: break
    }
  }

  private func checkSchema(_ row: Row, _ schema: String) throws(CSVError) {
    guard schema != CellResult.schema else { return }
    throw row.error(
      "unknown schema \(CSVError.quoted(schema)). Known: \(CellResult.schema). "
        + "Read it with the topobench that wrote it, or measure again")
  }

  private func status(_ row: Row, _ text: String) throws(CSVError) -> CellStatus {
    if let status = CellStatus(rawValue: text) { return status }
    let known = CellStatus.allCases.map(\.rawValue).joined(separator: ", ")
    throw row.error("unknown status \(CSVError.quoted(text)). Known: \(known)")
  }

  private mutating func text(_ reader: CSVReader, at index: Int) throws(CSVError) -> String {
    let field = reader.fields[index]
    if !field.hasDoubledQuotes, texts[index].utf8.elementsEqual(reader.bytes[field.bytes]) {
      return texts[index]
    }
    texts[index] = try reader.text(field)
    return texts[index]
  }
}

/// One field of a record that holds a number.
private struct Row {
  let reader: CSVReader
  let column: CellColumns.Column
  let field: CSVReader.Field

  func optional<T: FixedWidthInteger>() throws(CSVError) -> T? {
    guard !field.bytes.isEmpty else { return nil }
    var value: T = 0
    for byte in reader.bytes[field.bytes] {
      let digit = byte &- UInt8(ascii: "0")
      let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tenfold.addingReportingOverflow(T(truncatingIfNeeded: digit))
      guard digit < 10, !isTooLarge, !overflows else {
        let text = CSVError.quoted(try reader.text(field))
        throw error("\(column.rawValue): \(text) is not a whole number from 0 on")
      }
      value = sum
    }
    return value
  }

  func required<T: FixedWidthInteger>() throws(CSVError) -> T {
    guard let value: T = try optional() else { throw error("\(column.rawValue) is empty") }
    return value
  }

  func number() throws(CSVError) -> Double? {
    field.bytes.isEmpty ? nil : try reader.number(field, named: column.rawValue)
  }

  func error(_ message: String) -> CSVError { reader.error(at: field, message) }
}

extension CSVReader {
  /// A finite decimal number. Plain ones are read digit by digit, which is exact as long as the
  /// digits fit into 53 bits.
  fileprivate func number(_ field: Field, named name: String) throws(CSVError) -> Double {
    if let value = plainNumber(field.bytes) { return value }
    let text = try text(field)
    let allowed = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard allowed, let value = Double(text), value.isFinite else {
      throw error(
        at: field,
        "\(name): \(CSVError.quoted(text)) is not a number (what was not measured is empty)")
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
