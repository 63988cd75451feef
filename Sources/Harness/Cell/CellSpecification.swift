package import Measurement
import Queues
import Support

/// All that a process needs to run one cell, as versioned JSON.
package struct CellSpecification: Codable, Sendable, Equatable {
  /// The version of specifications and documents that this build reads and writes.
  package static let protocolVersion = "topobench-cell/1"

  package var `protocol` = CellSpecification.protocolVersion
  package var runID: String
  package var gitSHA = ""
  package var label = ""
  package var hostID = ""
  /// The scenario file, as an absolute path.
  package var scenarioFile: String
  /// Overrides of the file's fields, `KEY=VALUE` each, in order.
  package var overrides: [String] = []
  /// The swept and overridden fields as a JSON object; empty if there are none.
  package var parameters = ""
  package var scenario: String
  /// The digest that the runner computed. The cell refuses a scenario with another digest.
  package var scenarioDigest: String
  package var topology: String
  package var store: String
  /// The round of the run, from 1.
  package var trial: Int
  /// The cell's position in the run, from 1.
  package var order: Int
  package var seed: UInt64
  /// An existing folder for this cell's stores, which the runner removes. Empty in a line of a
  /// plan, until a machine runs the line.
  package var folder: String
  /// Where the cells of a run share the template of an aged store; nil if each makes its own.
  package var templates: String?
  /// Where to keep the last repeat's store; nil to remove it.
  package var keepStore: String?
  /// Where to write the events of the median repeat; nil to record none.
  package var recordTo: String?
  /// `all`, or the slices of main whose instructions callgrind counts; nil in a timed cell.
  package var counted: String?
  /// The most repeats, at least 1; nil for as many as `repeat_for_ms` asks for.
  package var mostRepeats: Int?
  /// The runs of the baseline, all after the repeats; nil for nine, five of them before.
  package var baselineRuns: Int?
  /// When the runner started the process, in nanoseconds of the system's monotonic clock.
  package var spawnedAt: Int64?
  /// The time limit in seconds for a line of a plan; nil if the runner sets it.
  package var timeLimit: Double?

  /// Whether a cell can have this time limit: above 0 seconds, at most a day.
  package static func isTimeLimit(_ seconds: Double) -> Bool { seconds > 0 && seconds <= 86_400 }
}

extension CellSpecification {
  /// - Throws: `CellError` if a number of repeats or runs is too small.
  func validateRuns() throws {
    try validate(mostRepeats, "mostRepeats", atLeast: 1)
    try validate(baselineRuns, "baselineRuns", atLeast: 0)
  }

  private func validate(_ count: Int?, _ field: String, atLeast least: Int) throws {
    guard let count, count < least else { return }
    throw CellError(
      "'\(field)' of the specification is \(count); give \(least) or more, or leave it out")
  }

  /// - Throws: `CellError` if the name is unknown.
  func countedSlices() throws -> CountedSlices? {
    guard let counted else { return nil }
    if counted == "all" { return .all }
    guard let tag = SliceTag.allCases.first(where: { $0.name == counted }) else {
      throw CellError("unknown slices to count: \(counted.quoted)")
    }
    return .only(tag)
  }
}

/// The output of a cell's process: the row and the samples it was computed from.
package struct CellDocument: Codable, Sendable {
  package var `protocol` = CellSpecification.protocolVersion
  package var specification: CellSpecification
  package var result: CellResult
  /// One sample for each repeat, with its gaps and busy periods.
  package var windows: [WindowSample] = []
  /// The milliseconds of each run of the baseline.
  package var rawSQLite: [Double]?
  /// Milliseconds from the start of the process until the initial rows were first loaded, without
  /// the time of the baseline. Nil if the start of the process is not known.
  package var startup: Double?
  /// Counts that should not depend on scheduling but differed between repeats.
  package var unsteadyCounts: [String] = []
  /// The machine that measured the cell; nil if a file of the run describes it.
  package var environment: MachineEnvironment?

  enum CodingKeys: String, CodingKey {
    case `protocol`, specification, result, windows, environment
    case startup = "startup_ms"
    case rawSQLite = "raw_sqlite_ms"
    case unsteadyCounts = "unsteady_counts"
  }
}

extension CellResult {
  /// A row with the cell's identity filled in.
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
