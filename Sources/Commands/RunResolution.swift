import Foundation
package import Harness
import Judging
import Measurement
import Repeats
import SQLiteStore
import Support
package import Topologies
package import Workload

// From options to a plan: scenarios → topologies → variants → trials → this machine's share. Every
// mistake is found before anything is measured.

extension WorkOptions {
  func resolvedPlan(_ cells: CellOptions) throws -> (scenarios: [RunScenario], plan: Plan) {
    let scenarios = try resolvedScenarios()
    let topologies = try targets.resolvedTopologies()
    let plan = Plan(
      variants: try targets.variants(scenarios, topologies),
      trials: try resolvedTrials(scenarios, topologies: topologies.count), seed: targets.seed)
    return (scenarios, try cells.part(of: plan))
  }

  func resolvedScenarios() throws -> [RunScenario] {
    try targets.scenarioRequest(smoke ? .smoke : .full).load()
  }

  func resolvedTrials(_ scenarios: [RunScenario], topologies: Int) throws -> Int {
    guard let trials = trials ?? scenarios.compactMap(\.scenario.trials).max() else {
      return Trials.needed(topologies: topologies)
    }
    guard (1...10_000).contains(trials) else {
      throw UsageError("--trials: \(trials) is not a whole number from 1 to 10000")
    }
    return trials
  }
}

package struct ScenarioRequest {
  var names: [String]
  package var set: [String] = []
  var seed: UInt64 = 1
  var folder: String?
  var size = ScenarioSize.full

  /// Loads the scenarios, one for each swept value, and checks their data.
  package func load() throws -> [RunScenario] { try load { scenario, _ in scenario } }

  /// - Parameter finish: gets each scenario, and the check that has read its data.
  func load<Loaded>(
    _ finish: (RunScenario, inout WorkloadCheck) throws -> Loaded
  ) throws -> [Loaded] {
    let library = try ScenarioLibrary.find(folder: folder)
    guard !names.isEmpty else {
      let known = library.entries().map(\.name).joined(separator: ", ")
      throw UsageError(
        "--scenario is missing. Type: topobench --scenario 5000-cities. Scenarios: \(known)."
          + " `topobench list scenarios` shows what each asks")
    }
    var seen: Set<String> = []
    var check = WorkloadCheck()
    let scenarios = try names.flatMap { name -> [Loaded] in
      let loaded = try Scenario.load(file: library.file(of: name), set: set, size: size)
      guard loaded.first.map({ seen.insert($0.name).inserted }) ?? true else {
        throw UsageError("--scenario: '\(name)' is named twice; for more trials, give --trials")
      }
      for scenario in loaded { try FileName.check(scenario.name) }
      return try loaded.map { try finish(resolve($0, &check), &check) }
    }
    for note in check.notes { Messages.say(note) }
    return scenarios
  }

  /// Checks the text of a scenario file that is not there yet, and its data.
  ///
  /// - Parameter file: the path that the scenario will have.
  static func check(_ yaml: String, as file: String) throws {
    var check = WorkloadCheck()
    for scenario in try Scenario.decode(yaml: yaml, file: file, set: []) {
      _ = try ScenarioRequest(names: [file]).resolve(scenario, &check)
    }
  }

  private func resolve(_ scenario: Scenario, _ check: inout WorkloadCheck) throws -> RunScenario {
    let model = try StoreModel(scenario)
    let digest = try check.digest(of: scenario, seed: seed) { (tables) throws(InputError) in
      try model.check(tables, of: scenario)
    }
    return RunScenario(scenario: scenario, digest: digest)
  }
}

extension ScenarioLibrary {
  static func find(folder: String?) throws -> ScenarioLibrary {
    try ScenarioLibrary(
      folder: folder, executable: Executable.path, environment: ProcessInfo.processInfo.environment)
  }
}

extension TargetOptions {
  package func scenarioRequest(_ size: ScenarioSize = .full) -> ScenarioRequest {
    ScenarioRequest(names: scenario, set: set, seed: seed, folder: scenariosFolder, size: size)
  }

  package func resolvedTopologies() throws -> [TopologyDescriptor] {
    let known = KnownTopologies.all
    let names = topology.isEmpty ? Topologies.founding : topology
    let named = try names.unique.filter { $0 != "all" }.map { name in
      guard let found = known.first(where: { $0.name == name }) else {
        let all = known.map(\.name)
        try refuseList(name)
        throw UsageError(
          "--topology: unknown topology '\(name)'.\(NearestName.hint(for: name, in: all))"
            + " Known: \(all.joined(separator: ", ")), all")
      }
      return found
    }
    return names.contains("all") ? known : named
  }

  private func refuseList(_ text: String) throws {
    let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard names.count > 1 else { return }
    let options = names.map { "--topology \($0)" }.joined(separator: " ")
    throw UsageError("--topology: '\(text)' is a list; name each by itself: \(options)")
  }

  /// The variants of one round. A topology that cannot do a setting's work is left out of it, with
  /// a message.
  ///
  /// - Throws: `UsageError` if a topology was named that can do no setting of a scenario.
  package func variants(
    _ scenarios: [RunScenario], _ topologies: [TopologyDescriptor]
  ) throws -> [Variant] {
    var leftOut = LeftOut()
    defer { leftOut.say() }
    return try scenarios.indices.flatMap { scenario in
      try topologies.flatMap { topology in
        let work = scenarios[scenario].scenario
        let reason = topology.refusal(of: work.workKinds)
        // Costs a check of each setting, so only a refusal asks for it.
        let canDoOthers =
          reason != nil
          && scenarios.contains {
            $0.scenario.name == work.name && topology.refusal(of: $0.scenario.workKinds) == nil
          }
        if try leavesOut(
          topology.name, of: work.name, reason, canDoOthers: canDoOthers, told: &leftOut)
        {
          return [Variant]()
        }
        return (topology.fixedStoreMode.map { [$0] } ?? store.modes).map {
          Variant(scenario: scenario, topology: topology.name, store: $0)
        }
      }
    }
  }

  /// Whether a topology is left out of a setting whose work it cannot do.
  ///
  /// - Parameters:
  ///   - reason: why it cannot; nil if it can.
  ///   - canDoOthers: whether it can do other settings of the scenario.
  /// - Throws: `UsageError` if the topology was named, and can do none.
  func leavesOut(
    _ topology: String, of scenario: String, _ reason: String?, canDoOthers: Bool = false,
    told: inout LeftOut
  ) throws -> Bool {
    guard let reason else { return false }
    guard canDoOthers || !self.topology.contains(topology) else {
      throw UsageError("--topology: '\(topology)' cannot do '\(scenario)': \(reason)")
    }
    told.add(
      topology,
      canDoOthers ? "each setting of '\(scenario)' with \(reason)" : "'\(scenario)': \(reason)")
    return true
  }
}

/// The topologies that are left out, by setting and reason.
struct LeftOut {
  private static let mostNamed = 4

  private var reasons: [(of: String, topologies: [String])] = []

  mutating func add(_ topology: String, _ reason: String) {
    let index = reasons.firstIndex { $0.of == reason }
    guard let index else { return reasons.append((reason, [topology])) }
    if !reasons[index].topologies.contains(topology) { reasons[index].topologies.append(topology) }
  }

  func say() {
    for (reason, topologies) in reasons {
      let verb = topologies.count == 1 ? "is" : "are"
      let named = topologies.prefix(Self.mostNamed).map { "'\($0)'" }.joined(separator: ", ")
      let others = topologies.count - Self.mostNamed
      Messages.say(
        "\(named)\(others > 0 ? " and \(others) more" : "") \(verb) left out of \(reason)")
    }
  }
}

extension CellOptions {
  fileprivate func part(of plan: Plan) throws -> Plan {
    guard let text = shard else { return plan }
    guard let shard = Shard(text) else {
      throw UsageError(
        "--shard: '\(text)' is not I/N, such as 2/8 for the second of eight machines;"
          + " at most \(Shard.largestCount) machines")
    }
    let part = plan.part(shard)
    guard !part.cells.isEmpty else {
      throw UsageError(
        "--shard: \(shard) has no round, because the run has \(plan.trials.count);"
          + " name fewer machines, or more --trials")
    }
    return part
  }
}
