package import Foundation
package import Judging
import Measurement
package import Workload

/// The machine, the program and the options of a run, for `NAME.env.json`.
package struct MachineEnvironment: Codable, Sendable {
  /// The members of both stand side by side in the file.
  package var machine: MachineReading
  package var run: RunDescription

  package init(from decoder: any Decoder) throws {
    machine = try MachineReading(from: decoder)
    run = try RunDescription(from: decoder)
    machine.isPriced = run.isPriced
  }

  package func encode(to encoder: any Encoder) throws {
    try machine.encode(to: encoder)
    try run.encode(to: encoder)
  }

  private init(_ machine: MachineReading, _ run: RunDescription) {
    (self.machine, self.run) = (machine, run)
    self.machine.isPriced = run.isPriced
  }

  package static func capture(
    version: String, gitSHA: String, storesIn folder: URL, scenarios: [Scenario],
    keepsAwake: Bool = false
  ) -> MachineEnvironment {
    var machine = MachineProbe.reading(
      version: version, gitSHA: gitSHA, storesIn: folder, keepsAwake: keepsAwake)
    let diagnoses = machine.diagnoses
    machine.steal = Machine.stealPercent
    return MachineEnvironment(
      machine, RunDescription(scenarios, keepsAwake: keepsAwake, diagnoses: diagnoses))
  }
}

package struct RunDescription: Codable, Sendable {
  package var schema = CellResult.schema
  package var id: String?
  package var diagnoses: [Diagnosis]?
  package var commandLine: [String]
  /// Each field as JSON.
  package var scenarios: [[String: String]]
  /// The scenarios' settings that decide the answers; nil in files of older versions.
  package var choices: [ScenarioChoices]?
  /// Nil without a plan, and in files of older versions.
  private var plannedCells: [PlannedCells]?
  package var resumptions: [Resumption]?
  package var otherMachines: [MachineEnvironment]?

  enum CodingKeys: String, CodingKey {
    case schema, diagnoses, scenarios, choices, resumptions
    case plannedCells = "planned_cells"
    case id = "run_id"
    case otherMachines = "other_machines"
    case commandLine = "command_line"
  }

  fileprivate init(_ scenarios: [Scenario], keepsAwake: Bool, diagnoses: [Diagnosis]) {
    self.diagnoses = diagnoses
    commandLine = CommandLine.arguments
    self.scenarios = scenarios.map(\.described)
    choices = scenarios.map { scenario in
      ScenarioChoices(
        scenario: scenario.name, parameters: scenario.parametersJSON,
        choices: scenario.choices(keepsAwake: keepsAwake))
    }
  }

  fileprivate var isPriced: Bool? {
    choices?.contains { setting in
      setting.choices.contains { $0.hasPrefix(RunContext.priced) }
    }
  }

  private struct PlannedCells: Codable, Sendable {
    let scenario: String
    let parameters: String
    let store: String
    let cells: Int

    var section: CellKey {
      CellKey(scenario: scenario, parameters: parameters, topology: "", store: store)
    }
  }

  /// The number of planned cells of each section. Empty if unknown.
  package var planned: [CellKey: Int] {
    get {
      Dictionary((plannedCells ?? []).map { ($0.section, $0.cells) }, uniquingKeysWith: +)
    }
    set {
      plannedCells = newValue.map {
        PlannedCells(
          scenario: $0.scenario, parameters: $0.parameters, store: $0.store, cells: $1)
      }.sorted { ($0.scenario, $0.parameters, $0.store) < ($1.scenario, $1.parameters, $1.store) }
    }
  }

  /// Adds another run's work on the same machine.
  mutating func add(_ other: RunDescription) {
    scenarios += other.scenarios.filter { !scenarios.contains($0) }
    let known = choices ?? []
    choices = known + (other.choices ?? []).filter { !known.contains($0) }
    if let cells = other.plannedCells { plannedCells = (plannedCells ?? []) + cells }
  }

  package var defaults: [Setting: [String]] {
    let all = (choices ?? []).map { one in
      (Setting(scenario: one.scenario, parameters: one.parameters), one.choices)
    }
    return Dictionary(all) { first, _ in first }
  }

  /// Each scenario's fields, by its name. Words are not quoted.
  package var fields: [String: [String: String]] {
    let quote = CharacterSet(charactersIn: "\"")
    let all = scenarios.map { $0.mapValues { $0.trimmingCharacters(in: quote) } }
    return Dictionary(all.map { ($0["name"] ?? "", $0) }) { first, _ in first }
  }
}

extension MachineEnvironment {
  /// Keeps the machine's state before another shard, which may be a busier one.
  mutating func noteState(before shard: MachineEnvironment) {
    run.resumptions =
      (run.resumptions ?? []) + [Resumption(in: shard)] + (shard.run.resumptions ?? [])
  }
}

/// The machine's state when an interrupted run continued, or when another shard was collected.
package struct Resumption: Codable, Sendable {
  package let at: String
  package var machine: MachineReading

  enum CodingKeys: String, CodingKey { case at }

  init(in now: MachineEnvironment) { (at, machine) = (Date().formatted(.iso8601), now.machine) }

  package init(from decoder: any Decoder) throws {
    at = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .at)
    machine = try MachineReading(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    try machine.encode(MachineReading.properties.filter { $0.variation == .state }, to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(at, forKey: .at)
  }
}

extension Scenario {
  fileprivate var described: [String: String] {
    Dictionary(fields.map { ($0.path, $0.value.json) }, uniquingKeysWith: { first, _ in first })
  }
}
