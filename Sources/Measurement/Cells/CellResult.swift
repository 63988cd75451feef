/// Only `ok` cells enter statistics.
package enum CellStatus: String, Codable, Sendable, CaseIterable {
  case ok
  /// The store or main's list has other rows than expected.
  case wrong
  case crashed
  /// A deadlock, or too slow.
  case timeout
  /// Its self-check failed three times.
  case suspect
}

/// One row of a report. One process run is one observation.
///
/// Copies share the row until one changes: a report of a million rows is grouped several times, and
/// a copied row would retain each of its texts. An assignment copies the row. In its own extensions
/// a column needs `self.`.
@dynamicMemberLookup
package struct CellResult: Sendable {
  package static let schema = "topobench/3"
  static let previousSchema = "topobench/2"

  private final class Shared: Sendable {
    let row: CellRow
    init(_ row: CellRow) { self.row = row }
  }

  private var shared: Shared

  init(_ row: CellRow) { shared = Shared(row) }

  package init(
    runID: String, startedAt: String, scenario: String, topology: String, store: String,
    trial: Int, order: Int, seed: UInt64, status: CellStatus
  ) {
    self.init(
      CellRow(
        runID: runID, startedAt: startedAt, scenario: scenario, topology: topology, store: store,
        trial: trial, order: order, seed: seed, status: status))
  }

  package subscript<Value>(dynamicMember column: WritableKeyPath<CellRow, Value>) -> Value {
    get { shared.row[keyPath: column] }
    set {
      var row = shared.row
      row[keyPath: column] = newValue
      shared = Shared(row)
    }
  }

  // Read for each figure. A key path would take most of the time.

  package var metrics: MetricValues {
    get { shared.row.metrics }
    set { self[dynamicMember: \.metrics] = newValue }
  }

  package var topology: String {
    get { shared.row.topology }
    set { self[dynamicMember: \.topology] = newValue }
  }

  package var status: CellStatus {
    get { shared.row.status }
    set { self[dynamicMember: \.status] = newValue }
  }
}

extension CellResult: Codable, Hashable {
  package init(from decoder: any Decoder) throws { self.init(try CellRow(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try shared.row.encode(to: encoder) }

  package static func == (left: Self, right: Self) -> Bool { left.shared.row == right.shared.row }

  package func hash(into hasher: inout Hasher) { hasher.combine(shared.row) }
}

/// The columns of a row. Nil, or an empty text, means *not measured*.
package struct CellRow: Codable, Sendable, Hashable {
  package var schema = CellResult.schema
  package var runID: String
  /// ISO 8601 UTC.
  package var startedAt: String
  package var gitSHA = ""
  package var label = ""
  package var hostID = ""
  package var scenario: String
  /// SHA-256 over the scenario and its data.
  package var scenarioDigest = ""
  /// A JSON object of the swept and set fields, or empty.
  package var parameters = ""
  package var topology: String
  /// `pool` or `serial`.
  package var store: String
  /// The round, in which a run measures every topology once.
  package var trial: Int
  package var order: Int
  package var seed: UInt64
  package var status: CellStatus
  package var error = ""
  /// Equal for every topology of a scenario and seed. Empty if the rows were not read back.
  package var fingerprint = ""
  package var objects: Int?
  package var inserts: Int?
  package var updates: Int?
  package var deletes: Int?
  package var saves: Int?
  package var repeats: Int?
  package var horizon: Double?
  package var metrics = MetricValues()

  enum CodingKeys: String, CodingKey, CaseIterable {
    case schema
    case runID = "run_id"
    case startedAt = "started_at"
    case gitSHA = "git_sha"
    case label
    case hostID = "host_id"
    case scenario
    case scenarioDigest = "scenario_digest"
    case parameters, topology, store, trial, order, seed, status, error, fingerprint
    case objects, inserts, updates, deletes, saves, repeats
    case horizon = "horizon_ms"
    case metrics
  }
}

extension CellResult {
  /// The leading columns, in order.
  package static let identityColumns = CellRow.CodingKeys.allCases.map(\.rawValue).filter {
    $0 != CellRow.CodingKeys.metrics.rawValue
  }

  /// A cell of a build of the previous schema, without the values that meant something else.
  package var ofThisSchema: CellResult {
    guard self.schema == Self.previousSchema else { return self }
    var cell = self
    cell.schema = Self.schema
    for changed in [Metric.framesLate, .hitchRate] { cell.metrics[changed] = nil }
    return cell
  }

  /// Whether the cell worked longer than its horizon. Rates and tap percentiles leave out the rest.
  package var exceedsHorizon: Bool {
    guard let horizon = self.horizon, let total = metrics[.total] else { return false }
    return total > horizon
  }

  /// Whether the cell counted instructions, without times.
  package var isCounted: Bool {
    get { metrics[label: .phase] == Self.countPhase }
    set { metrics[label: .phase] = newValue ? Self.countPhase : nil }
  }

  package static let countPhase = "count"
}
