import Foundation
import Support

/// The columns of a header. Each keeps its last text, and equal labels of rows share their storage,
/// so a million rows do not hold a million copies.
struct CellColumns {
  typealias Column = CellRow.CodingKeys

  private let width: Int
  private let identity: [(column: Column, field: Int)]
  private let numbers: [(position: Int, field: Int)]
  private let labels: [(metric: Metric, field: Int)]
  private var labelSets: [[String]: [String: String]] = [:]
  private var texts: [(text: String, bytes: [UInt8])]

  init(header reader: CSVReader) throws(CSVError) {
    var positions: [String: Int] = [:]
    for (index, field) in reader.fields.enumerated() {
      let name = try reader.text(field)
      guard positions.updateValue(index, forKey: name) == nil else {
        throw reader.error(
          at: field, "the column \(CSVError.quoted(name)) occurs twice")
      }
    }
    for name in CellResult.identityColumns where positions[name] == nil {
      throw reader.error(
        at: reader.fields[0],
        "the header has no column `\(name)`; is this a report of topobench?")
    }
    width = reader.fields.count
    texts = Array(repeating: ("", []), count: width)
    identity = Column.allCases.compactMap { column in
      positions[column.rawValue].map { (column, $0) }
    }
    let metrics = Metrics.all.enumerated().compactMap { index, metric in
      positions[metric.name].map { (metric: metric, position: index, field: $0) }
    }
    labels = metrics.filter { $0.metric.kind == .label }.map { ($0.metric, $0.field) }
    numbers = metrics.filter { $0.metric.kind != .label }.map { ($0.position, $0.field) }
  }

  mutating func cell(_ reader: CSVReader) throws(CSVError) -> CellResult {
    guard reader.fields.count == width else {
      throw reader.error(
        at: reader.fields[reader.fields.count - 1],
        "the row has \(reader.fields.count) fields, its header \(width); is it cut off? "
          + "Remove the row, or measure again")
    }
    var cell = CellRow(
      runID: "", startedAt: "", scenario: "", topology: "", store: "", trial: 0, order: 0, seed: 0,
      status: .ok)
    for (column, index) in identity { try read(column, reader, at: index, into: &cell) }
    for (position, index) in numbers where !reader.fields[index].bytes.isEmpty {
      cell.metrics[position: position] = try reader.number(
        reader.fields[index], named: Metrics.all[position].name)
    }
    cell.metrics.labels = try labels(of: reader)
    return CellResult(cell)
  }

  private static let mostLabelSets = 10_000

  private mutating func labels(of reader: CSVReader) throws(CSVError) -> [String: String] {
    var texts: [String] = []
    for (_, index) in labels { texts.append(try text(reader, at: index)) }
    if let known = labelSets[texts] { return known }
    let set = Dictionary(uniqueKeysWithValues: zip(labels.map(\.metric.name), texts))
      .filter { !$0.value.isEmpty }
    if labelSets.count < Self.mostLabelSets { labelSets[texts] = set }
    return set
  }

  private mutating func read(
    _ column: Column, _ reader: CSVReader, at index: Int, into cell: inout CellRow
  ) throws(CSVError) {
    let field = reader.fields[index]
    switch column {
    case .schema: try checkSchema(text(reader, at: index), reader, field)
    case .status: cell.status = try status(text(reader, at: index), reader, field)
    case .runID: cell.runID = try text(reader, at: index)
    case .startedAt: cell.startedAt = try text(reader, at: index)
    case .gitSHA: cell.gitSHA = try text(reader, at: index)
    case .label: cell.label = try text(reader, at: index)
    case .hostID: cell.hostID = try text(reader, at: index)
    case .scenario: cell.scenario = try text(reader, at: index)
    case .scenarioDigest: cell.scenarioDigest = try text(reader, at: index)
    case .parameters: cell.parameters = try text(reader, at: index)
    case .topology: cell.topology = try text(reader, at: index)
    case .store: cell.store = try text(reader, at: index)
    case .error: cell.error = try text(reader, at: index)
    case .fingerprint: cell.fingerprint = try text(reader, at: index)
    case .trial: cell.trial = try reader.required(field, column)
    case .order: cell.order = try reader.required(field, column)
    case .seed: cell.seed = try reader.required(field, column)
    case .objects: cell.objects = try reader.whole(field, column)
    case .inserts: cell.inserts = try reader.whole(field, column)
    case .updates: cell.updates = try reader.whole(field, column)
    case .deletes: cell.deletes = try reader.whole(field, column)
    case .saves: cell.saves = try reader.whole(field, column)
    case .repeats: cell.repeats = try reader.whole(field, column)
    case .horizon where !field.bytes.isEmpty:
      cell.horizon = try reader.number(field, named: column.rawValue)
    case .horizon, .metrics: break
    }
  }

  private func checkSchema(
    _ schema: String, _ reader: CSVReader, _ field: CSVReader.Field
  ) throws(CSVError) {
    guard schema != CellResult.schema else { return }
    let remedy =
      schema == CellResult.previousSchema
      ? "Convert it with scripts/convert-report FILE"
      : "Read it with the topobench that wrote it, or measure again"
    throw reader.error(
      at: field,
      "unknown schema \(CSVError.quoted(schema)). Known: \(CellResult.schema). \(remedy)")
  }

  private func status(
    _ text: String, _ reader: CSVReader, _ field: CSVReader.Field
  ) throws(CSVError) -> CellStatus {
    if let status = CellStatus(rawValue: text) { return status }
    let known = CellStatus.allCases.map(\.rawValue).joined(separator: ", ")
    throw reader.error(at: field, "unknown status \(CSVError.quoted(text)). Known: \(known)")
  }

  private mutating func text(_ reader: CSVReader, at index: Int) throws(CSVError) -> String {
    let field = reader.fields[index]
    let bytes = UnsafeBufferPointer(rebasing: reader.bytes[field.bytes])
    if Self.areEqual(texts[index].bytes, bytes) { return texts[index].text }
    texts[index] = (CSVWriter.unguarded(try reader.text(field)), Array(bytes))
    return texts[index].text
  }

  private static func areEqual(_ known: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard known.count == bytes.count else { return false }
    return known.withUnsafeBufferPointer { known in
      guard let left = known.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, known.count) == 0
    }
  }
}

extension CSVReader {
  /// A finite decimal number. Reading digit by digit is exact while the digits fit into 53 bits.
  fileprivate func number(_ field: Field, named name: String) throws(CSVError) -> Double {
    if let value = plainNumber(field.bytes) { return value }
    let text = try text(field)
    let allowed = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard allowed, let value = Double(text), value.isFinite else {
      throw error(
        at: field,
        "\(name): \(CSVError.quoted(text)) is not a number (what was not measured is empty)")
    }
    guard MetricValues.isPlausible(value) else {
      throw error(
        at: field,
        "\(name): \(CSVError.quoted(text)) is no figure of a machine; is the file damaged?")
    }
    return value
  }

  /// A number of digits alone. Nil for an empty field.
  fileprivate func whole<T: FixedWidthInteger>(
    _ field: Field, _ column: CellColumns.Column
  ) throws(CSVError) -> T? {
    guard !field.bytes.isEmpty else { return nil }
    var value: T = 0
    for byte in bytes[field.bytes] {
      let digit = byte &- UInt8(ascii: "0")
      let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tenfold.addingReportingOverflow(T(truncatingIfNeeded: digit))
      guard digit < 10, !isTooLarge, !overflows else {
        let text = CSVError.quoted(try text(field))
        throw error(at: field, "\(column.rawValue): \(text) is not a whole number from 0 on")
      }
      value = sum
    }
    return value
  }

  fileprivate func required<T: FixedWidthInteger>(
    _ field: Field, _ column: CellColumns.Column
  ) throws(CSVError) -> T {
    guard let value: T = try whole(field, column) else {
      throw error(at: field, "\(column.rawValue) is empty")
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
