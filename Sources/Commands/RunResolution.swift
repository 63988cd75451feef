import Support
import Foundation
import Harness
import Measurement
import SQLiteStore
import Topologies
import Workload

// From options to a request. Every mistake is found here, before anything is measured.

func isScenarioError(_ error: any Error) -> Bool { error is ScenarioError }

/// Options that name scenarios.
protocol ScenarioOptions {
  var scenario: [String] { get }
  var set: [String] { get }
  var seed: UInt64 { get }
  var scenariosFolder: String? { get }
  var smoke: Bool { get }
}

extension WorkOptions: ScenarioOptions {}

extension ScenarioOptions {
  var smoke: Bool { false }

  /// The scenarios asked for, each swept value one of its own, with their work made once so that a
  /// mistake in the data is found now.
  func resolvedScenarios() throws -> [RunScenario] {
    guard !scenario.isEmpty else {
      throw UsageError(
        "--scenario: name what to measure, such as --scenario 5000-cities;"
          + " `topobench list scenarios` shows what there is")
    }
    let library = try scenarioLibrary()
    var seen: Set<String> = []
    return try scenario.flatMap { name in
      let loaded = try Scenario.load(
        file: library.file(of: name), set: set, size: smoke ? .smoke : .full)
      guard loaded.first.map({ seen.insert($0.name).inserted }) ?? true else {
        throw UsageError(
          "--scenario: '\(name)' is there twice; rows are told apart by the scenario's name."
            + " To measure more often, give --trials")
      }
      return try loaded.map { scenario in
        _ = try StoreModel(scenario)
        return RunScenario(
          scenario: scenario, digest: try Workload.make(scenario, seed: seed).digest)
      }
    }
  }

  func scenarioLibrary() throws -> ScenarioLibrary {
    try ScenarioLibrary(
      folder: scenariosFolder, executable: Executable.path,
      environment: ProcessInfo.processInfo.environment)
  }
}

extension WorkOptions {
  func resolvedTopologies() throws -> [TopologyDescriptor] {
    let known = Topobench.topologies
    let names = topology.isEmpty ? Topologies.founding : topology
    if names.contains("all") { return known }
    var seen: Set<String> = []
    return try names.filter { seen.insert($0).inserted }.map { name in
      guard let found = known.first(where: { $0.name == name }) else {
        let hint = NearestName.hint(for: name, in: known.map(\.name))
        throw UsageError(
          "--topology: unknown topology '\(name)'.\(hint)"
            + " Known: \(known.map(\.name).joined(separator: ", ")), all")
      }
      return found
    }
  }

  /// Everything once in a round. A topology of a fixed store mode runs in that alone; one that
  /// cannot do what a scenario asks for is left out of it, and this is said.
  ///
  /// - Throws: if it was asked for by name.
  func variants(
    _ scenarios: [RunScenario], _ topologies: [TopologyDescriptor]
  ) throws -> [Variant] {
    var told: Set<String> = []
    return try scenarios.indices.flatMap { scenario in
      try topologies.flatMap { topology in
        if let refusal = try refusal(of: scenarios[scenario].scenario, by: topology) {
          if told.insert(refusal).inserted { Messages.say(refusal) }
          return [Variant]()
        }
        return
          (topology.fixedStoreMode.map { [$0] } ?? store.modes).map {
            Variant(scenario: scenario, topology: topology.name, store: $0)
          }
      }
    }
  }

  private func refusal(
    of scenario: Scenario, by topology: TopologyDescriptor
  ) throws -> String? {
    guard let reason = topology.refusal(of: scenario.workKinds) else { return nil }
    guard !self.topology.contains(topology.name) else {
      throw UsageError(
        "--topology: '\(topology.name)' cannot do '\(scenario.name)': \(reason)")
    }
    return "'\(topology.name)' is left out of '\(scenario.name)': \(reason)"
  }

  /// What was asked for, or what a scenario says, or as many as can separate all topologies.
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

extension FileOptions {
  /// A folder of this run's own, on the disk to measure on. The caller removes it.
  func makeFolder() throws -> URL { try Self.makeFolder(on: disk) }

  /// - Parameter disk: a folder on it; nil for the system's for temporary files.
  static func makeFolder(on disk: String?) throws -> URL {
    let parent = disk.map { URL(fileURLWithPath: $0, isDirectory: true) }
    return try makeFolder(in: parent ?? FileManager.default.temporaryDirectory)
  }

  static func makeFolder(in parent: URL) throws -> URL {
    guard FileSystem.isFolder(parent) else {
      throw UsageError("--disk: '\(parent.path)' is no folder; make it, or name another")
    }
    do {
      return try RunFolder.make(in: parent)
    } catch {
      throw UsageError("--disk: cannot write in '\(parent.path)': \(error)")
    }
  }

  func keepFolder() throws -> URL? {
    guard let keepStores else { return nil }
    let folder = URL(fileURLWithPath: keepStores, isDirectory: true)
    do {
      try FileSystem.makeFolder(at: folder)
      let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      if !force, !resume, let store = there.first(where: { $0.hasSuffix(".sqlite") }) {
        throw UsageError(
          "--keep-stores: '\(keepStores)' holds '\(store)' already; name another folder, or --force"
        )
      }
    } catch let error as UsageError {
      throw error
    } catch {
      throw UsageError("--keep-stores: cannot use '\(keepStores)': \(error)")
    }
    return folder
  }
}
