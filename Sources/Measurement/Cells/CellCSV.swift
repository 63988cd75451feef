import Support

/// Cell results as CSV: RFC 4180, UTF-8, LF, `.` decimal, a header row, a row for each cell. An
/// empty field is *not measured*.
package enum CellCSV {
  package static let columns = CellResult.identityColumns + Metrics.all.map(\.name)

  package static let header = columns.joined(separator: ",") + "\n"

  package static func row(_ cell: CellResult) -> String {
    CSVWriter.row(identity(of: cell) + Metrics.all.map { value(of: $0, in: cell.metrics) })
  }

  package static func text(_ cells: [CellResult]) -> String {
    header + cells.map(row).joined()
  }

  private static func identity(of cell: CellResult) -> [String] {
    let texts = [
      cell.schema, cell.runID, cell.startedAt, cell.gitSHA, cell.label, cell.hostID, cell.scenario,
      cell.scenarioDigest, cell.parameters, cell.topology, cell.store, String(cell.trial),
      String(cell.order), String(cell.seed), cell.status.rawValue, cell.error, cell.fingerprint,
    ]
    let counts = [
      cell.objects, cell.inserts, cell.updates, cell.deletes, cell.saves, cell.repeats,
    ]
    return texts + counts.map { $0.map(String.init) ?? "" } + [cell.horizon.map(decimal) ?? ""]
  }

  private static func value(of metric: Metric, in values: MetricValues) -> String {
    if metric.kind == .label { return values[label: metric] ?? "" }
    guard let value = values[metric] else { return "" }
    return metric.kind == .count ? count(value) : decimal(value)
  }

  private static func count(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? decimal(value)
  }

  /// Three digits after the point.
  private static func decimal(_ value: Double) -> String {
    guard let thousandths = Int(exactly: (value * 1000).rounded()) else { return "\(value)" }
    let sign = thousandths < 0 ? "-" : ""
    let fraction = String(thousandths.magnitude % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(sign)\(thousandths.magnitude / 1000).\(zeros)\(fraction)"
  }
}

extension CellCSV {
  /// The end of the last complete row. A crash cut off the row after it. 0 if the header is
  /// incomplete.
  ///
  /// A row is complete if the quotes before its line end pair up.
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
