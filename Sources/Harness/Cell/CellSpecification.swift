package import Measurement
package import SQLiteStore

/// All that a process needs to know to run one cell. Versioned JSON, so that anything that can start
/// a process can run one.
package struct CellSpecification: Codable, Sendable, Equatable {
  /// Which form of specification and document this build speaks.
  package static let protocolVersion = "topobench-cell/1"

  package var `protocol` = CellSpecification.protocolVersion
  package var runID: String
  package var gitSHA = ""
  package var label = ""
  package var hostID = ""
  /// The scenario file, as an absolute path.
  package var scenarioFile: String
  /// What was set over the file's fields, `KEY=VALUE` each, in order.
  package var overrides: [String] = []
  /// What was swept or set, as a JSON object; empty if nothing was.
  package var parameters = ""
  package var scenario: String
  /// What the runner found the digest to be; the cell refuses another.
  package var scenarioDigest: String
  package var topology: String
  package var store: String
  /// Which round of the run this cell belongs to, from 1.
  package var trial: Int
  /// The cell's place in the run, from 1.
  package var order: Int
  package var seed: UInt64
  /// Where the cell puts its stores: an existing folder of its own, which the runner removes. Empty
  /// in a line of a plan: who runs the cell gives it one.
  package var folder: String
  /// Where the last repeat's store is left; nil to remove it.
  package var keepStore: String?
  /// Where the events of the cell's median repeat are left; nil to record none.
  package var recordTo: String?
  /// When the runner started the process, in nanoseconds of the system's monotonic clock.
  package var spawnedAt: Int64?
  /// The most seconds that the cell may take, for who runs a line of a plan; nil if the runner knows.
  package var timeLimit: Double?

  package init(
    runID: String, scenarioFile: String, scenario: String, scenarioDigest: String,
    topology: String, store: StoreMode, trial: Int, order: Int, seed: UInt64, folder: String
  ) {
    self.runID = runID
    self.scenarioFile = scenarioFile
    self.scenario = scenario
    self.scenarioDigest = scenarioDigest
    self.topology = topology
    self.store = store.rawValue
    self.trial = trial
    self.order = order
    self.seed = seed
    self.folder = folder
  }
}

/// What a cell's process gives back: the row, and what it was made of.
package struct CellDocument: Codable, Sendable {
  package var `protocol` = CellSpecification.protocolVersion
  package var specification: CellSpecification
  package var result: CellResult
  /// One for each repeat, with its service gaps and busy periods.
  package var windows: [WindowSample] = []
  /// Milliseconds from the start of the process until the initial rows were loaded for the first
  /// time, less what the baseline took meanwhile; nil if nobody told when the process was started.
  package var startup: Double?
  /// Counts that should not depend on scheduling, but differed between repeats.
  package var unsteadyCounts: [String] = []
  /// Where it was measured; nil where a file of the run says so.
  package var environment: MachineEnvironment?

  enum CodingKeys: String, CodingKey {
    case `protocol`, specification, result, windows, environment
    case startup = "startup_ms"
    case unsteadyCounts = "unsteady_counts"
  }
}

extension CellResult {
  /// A row for this cell, its identity filled in.
  package init(_ specification: CellSpecification, startedAt: String, status: CellStatus) {
    self.init(
      runID: specification.runID, startedAt: startedAt, scenario: specification.scenario,
      topology: specification.topology, store: specification.store, trial: specification.trial,
      order: specification.order, seed: specification.seed, status: status)
    gitSHA = specification.gitSHA
    label = specification.label
    hostID = specification.hostID
    scenarioDigest = specification.scenarioDigest
    parameters = specification.parameters
  }
}
