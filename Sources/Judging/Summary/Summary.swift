package import Measurement

/// The answer of a run. Tables, sentences and files are made from it alone.
package struct Summary: Codable, Sendable {
  /// Facts about the run that its cells do not contain.
  package struct Context: Sendable, Equatable {
    package var isDebugBuild = false
    /// `MachineReading.disturbingLoad` before the run.
    package var load: Double?
    package var cores: Int?
    /// The planned cells of each section, if the run ended early.
    package var plannedCells: Int?
    /// The scenario's choices that decide the answer, each a short clause such as `the user was
    /// idle`. The entry without parameters is the fallback.
    package var defaults: [Setting: [String]] = [:]

    package init() {}

    func defaults(for setting: Setting) -> [String] {
      defaults[setting] ?? defaults[Setting(scenario: setting.scenario)] ?? []
    }
  }

  /// A scenario and what was set or swept in it.
  package struct Setting: Hashable, Codable, Sendable {
    package let scenario: String
    /// As in the column: a JSON object, or empty.
    package let parameters: String

    package init(scenario: String, parameters: String = "") {
      self.scenario = scenario
      self.parameters = parameters
    }
  }

  /// Not encoded: a report holds them.
  package private(set) var cells: [CellResult] = []
  /// One for each scenario, parameters and store mode, in the order of first appearance.
  package let sections: [SummarySection]
  /// One for each scenario, store mode and field with more than one value.
  package let sweeps: [Sweep]

  enum CodingKeys: String, CodingKey { case sections, sweeps }

  package init(cells: [CellResult], context: Context = Context()) {
    self.cells = cells
    var keys: [SectionKey] = []
    var groups: [SectionKey: [CellResult]] = [:]
    for cell in cells {
      let key = SectionKey(cell)
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(cell)
    }
    sweeps = Sweep.all(in: cells)
    sections = keys.map { SummarySection(cells: groups[$0, default: []], context: context) }
  }
}

/// The cells of one key are compared with each other.
private struct SectionKey: Hashable {
  let scenario: String
  let digest: String
  let parameters: String
  let store: String

  init(_ cell: CellResult) {
    scenario = cell.scenario
    digest = cell.scenarioDigest
    parameters = cell.parameters == "{}" ? "" : cell.parameters
    store = cell.store
  }
}
