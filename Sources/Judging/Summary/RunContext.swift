import Measurement

/// Facts about the run that its cells do not contain.
package struct RunContext: Sendable, Equatable {
  package var isDebugBuild = false
  /// `MachineReading.disturbingLoad` before the run.
  package var load: Double?
  package var cores: Int?
  /// The processors' time that other guests of the host took, as a share.
  package var steal: Double?
  /// The IDs of runs that several machines measured.
  package var spreadRuns: Set<String> = []
  /// By section. Empty if unknown.
  package var plannedCells: [CellKey: Int] = [:]
  /// The scenario's choices that decide the answer, as short clauses: `the user was idle`. The
  /// entry without parameters is the fallback.
  package var defaults: [Setting: [String]] = [:]
  /// Each scenario's fields, by its name. Empty if unknown.
  package var fields: [String: [String: String]] = [:]

  /// A part of the clause for a list with a batch size.
  package static let assumed = "(assumed: "

  /// The beginning of the clause for a scenario with prices.
  package static let priced = "events were charged at the prices"

  package init() {}

  var loadOnCores: (text: String, perCore: Double)? {
    guard let load, let cores, cores > 0 else { return nil }
    return ("\(Figures.short(load)) on \(Figures.counted(cores, "core"))", load / Double(cores))
  }

  func defaults(for setting: Setting) -> [String] {
    defaults[setting] ?? defaults[Setting(scenario: setting.scenario)] ?? []
  }
}

package struct Setting: Hashable, Codable, Sendable {
  package let scenario: String
  /// A JSON object, or empty.
  package let parameters: String

  package init(scenario: String, parameters: String = "") {
    self.scenario = scenario
    self.parameters = parameters
  }
}

extension CellResult {
  var setting: Setting { Setting(scenario: self.scenario, parameters: self.parameters) }
}
