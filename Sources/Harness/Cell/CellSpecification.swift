package import Measurement
import Queues
import Support
import Workload

/// One cell's work, as versioned JSON.
package struct CellSpecification: Codable, Sendable, Equatable {
  package static let protocolVersion = "topobench-cell/1"

  package var `protocol` = CellSpecification.protocolVersion
  package var runID: String
  package var gitSHA = ""
  package var label = ""
  package var hostID = ""
  /// As an absolute path.
  package var scenarioFile: String
  /// `KEY=VALUE` each, in order.
  package var overrides: [String] = []
  /// The swept and overridden fields as a JSON object, or empty.
  package var parameters = ""
  package var scenario: String
  /// The cell refuses a scenario with another digest.
  package var scenarioDigest: String
  package var topology: String
  package var store: String
  /// From 1.
  package var trial: Int
  /// From 1.
  package var order: Int
  package var seed: UInt64
  /// An existing folder for the cell's stores, which the runner removes. Empty in a line of a plan.
  package var folder: String
  /// Where a run's cells share the template of an aged store; nil if they do not.
  package var templates: String?
  /// Where to keep the last repeat's store; nil to remove it.
  package var keepStore: String?
  /// Where to write the median repeat's events; nil to record none.
  package var recordTo: String?
  /// `all`, or the slices of main whose instructions callgrind counts, in the window of changes;
  /// `phase` for all slices of the phase that the scenario asks about. Nil in a timed cell.
  package var counted: String?
  /// At least 1; nil for as many as `repeat_for_ms` asks for.
  package var mostRepeats: Int?
  /// All run after the repeats; nil for five before and four after.
  package var baselineRuns: Int?
  /// The process's start, in nanoseconds of the system's monotonic clock.
  package var spawnedAt: Int64?
  /// In seconds, for a line of a plan; nil if the runner sets it.
  package var timeLimit: Double?

  /// Above 0 seconds, at most a day.
  package static func isTimeLimit(_ seconds: Double) -> Bool { seconds > 0 && seconds <= 86_400 }

  func validateRuns() throws {
    try validate(mostRepeats, "mostRepeats", atLeast: 1)
    try validate(baselineRuns, "baselineRuns", atLeast: 0)
  }

  private func validate(_ count: Int?, _ field: String, atLeast least: Int) throws {
    guard let count, count < least else { return }
    throw HarnessError(
      "'\(field)' of the specification is \(count); give \(least) or more, or leave it out")
  }

  func countedSlices() throws -> CountedSlices? {
    guard let counted else { return nil }
    if ["all", Callgrind.askedPhase].contains(counted) { return .all }
    guard let tag = SliceTag.allCases.first(where: { $0.name == counted }) else {
      throw HarnessError("unknown slices to count: \(counted.quoted)")
    }
    return .only(tag)
  }

  func loadScenario() throws -> Scenario {
    guard `protocol` == Self.protocolVersion else { throw HarnessError.otherProtocol(`protocol`) }
    let scenarios = try Scenario.load(file: scenarioFile, set: overrides)
    guard let scenario = scenarios.first, scenarios.count == 1 else {
      throw HarnessError.sweep(scenarioFile)
    }
    return scenario
  }
}

extension HarnessError {
  static func otherProtocol(_ found: String) -> HarnessError {
    HarnessError(
      "the cell speaks \(found.quoted), this build speaks '\(CellSpecification.protocolVersion)';"
        + " run both with one build")
  }

  static func sweep(_ file: String) -> HarnessError {
    HarnessError("\(file) sweeps a field; a cell needs one value for each, set by its overrides")
  }
}

package struct CellDocument: Codable, Sendable {
  package var `protocol` = CellSpecification.protocolVersion
  package var specification: CellSpecification
  package var result: CellResult
  package var windows: [WindowSample] = []
  /// In milliseconds.
  package var rawSQLite: [Double]?
  /// Milliseconds from the process's start until the initial rows were first loaded, without the
  /// baseline's time. Nil if the start is not known.
  package var startup: Double?
  /// Counts that should not depend on scheduling but differed between repeats.
  package var unsteadyCounts: [String] = []
  /// Nil if a file of the run describes the machine.
  package var environment: MachineEnvironment?

  enum CodingKeys: String, CodingKey {
    case `protocol`, specification, result, windows, environment
    case startup = "startup_ms"
    case rawSQLite = "raw_sqlite_ms"
    case unsteadyCounts = "unsteady_counts"
  }
}

extension CellResult {
  package init(_ specification: CellSpecification, startedAt: String, status: CellStatus) {
    self.init(
      runID: specification.runID, startedAt: startedAt, scenario: specification.scenario,
      topology: specification.topology, store: specification.store, trial: specification.trial,
      order: specification.order, seed: specification.seed, status: status)
    self.gitSHA = specification.gitSHA
    self.label = specification.label
    self.hostID = specification.hostID
    self.scenarioDigest = specification.scenarioDigest
    self.parameters = specification.parameters
  }
}
