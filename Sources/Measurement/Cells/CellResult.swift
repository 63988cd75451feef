/// How a cell ended. Only `ok` cells enter statistics.
package enum CellStatus: String, Codable, Sendable, CaseIterable {
  case ok
  /// The store or main's list does not hold the expected rows.
  case wrong
  case crashed
  /// It exceeded its time limit: a deadlock, or too slow.
  case timeout
  /// Its self-check failed three times.
  case suspect
}

/// One row of a report: the cell, its status and its metrics.
///
/// One process run is one observation. Nil, or an empty text, means *not measured*.
package struct CellResult: Codable, Sendable, Hashable {
  package static let schema = "topobench/2"
  /// The schema that `scripts/convert-report` converts to the current one.
  static let previousSchema = "topobench/1"

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
  /// A JSON object of the swept and set fields, or empty. Comparisons match rows by it.
  package var parameters = ""
  package var topology: String
  /// `pool` or `serial`.
  package var store: String
  /// The number of the round, in which a run measures every topology once.
  package var trial: Int
  package var order: Int
  package var seed: UInt64
  package var status: CellStatus
  /// One line; empty if there was no error.
  package var error = ""
  /// Equal for every topology of one scenario and seed; empty if the rows were not read back.
  package var fingerprint = ""
  package var objects: Int?
  package var inserts: Int?
  package var updates: Int?
  package var deletes: Int?
  package var saves: Int?
  package var repeats: Int?
  package var horizon: Double?
  package var metrics = MetricValues()

  package init(
    runID: String, startedAt: String, scenario: String, topology: String, store: String,
    trial: Int, order: Int, seed: UInt64, status: CellStatus
  ) {
    self.runID = runID
    self.startedAt = startedAt
    self.scenario = scenario
    self.topology = topology
    self.store = store
    self.trial = trial
    self.order = order
    self.seed = seed
    self.status = status
  }

  /// The names in JSON are those of the columns.
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

  /// The leading columns of the CSV file, in order.
  package static let identityColumns = CodingKeys.allCases.map(\.rawValue).filter {
    $0 != CodingKeys.metrics.rawValue
  }
}

extension CellResult {
  /// Whether the cell worked longer than its horizon. Its rates and tap percentiles then leave out
  /// the time after the horizon.
  package var exceedsHorizon: Bool {
    guard let horizon, let total = metrics[.total] else { return false }
    return total > horizon
  }

  /// Whether the row is a counted cell's: it has counts of instructions and no times.
  package var isCounted: Bool {
    get { metrics[label: .phase] == Self.countPhase }
    set { metrics[label: .phase] = newValue ? Self.countPhase : nil }
  }

  /// In the column `phase`.
  package static let countPhase = "count"

  /// `total_ms` over `raw_sqlite_ms`, both from this cell.
  package var ratioToRawSQLite: Double? {
    guard let total = metrics[.total], let raw = metrics[.rawSQLite], raw > 0 else {
      return nil
    }
    return total / raw
  }
}
