package import Measurement

/// Everything that the answer of a run consists of: tables, sentences and files are made from it
/// alone.
package struct Summary: Sendable {
  /// What is known beside the cells.
  package struct Context: Sendable, Equatable {
    package var isDebugBuild = false
    /// What could disturb a cell, before the run: `MachineReading.disturbingLoad`.
    package var load: Double?
    package var cores: Int?
    /// How many cells each section was to have, where the run ended early.
    package var plannedCells: Int?
    /// What a scenario's choices are that decide the answer, each a short clause such as `the user
    /// was idle`. Where nothing stands for the parameters, what stands for none of them counts.
    package var defaults: [Setting: [String]] = [:]

    package init() {}

    func defaults(for setting: Setting) -> [String] {
      defaults[setting] ?? defaults[Setting(scenario: setting.scenario)] ?? []
    }
  }

  /// A scenario and what was set or swept in it.
  package struct Setting: Hashable, Sendable {
    package let scenario: String
    /// As in the column: a JSON object, or empty.
    package let parameters: String

    package init(scenario: String, parameters: String = "") {
      self.scenario = scenario
      self.parameters = parameters
    }
  }

  package let cells: [CellResult]
  package let context: Context
  /// One for each scenario, parameters and store mode, in the order in which they first appear.
  package let sections: [SummarySection]
  /// One for each scenario, store mode and field of which there is more than one value.
  package let sweeps: [Sweep]

  package init(cells: [CellResult], context: Context = Context()) {
    self.cells = cells
    self.context = context
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

/// What cells must have in common to be compared.
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
