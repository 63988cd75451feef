import Foundation
import Measurement
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness

/// The error of `body` as text, or nothing.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return "\(error)"
  }
}

extension Scenario {
  static let fewCities = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/few-cities.yaml"
}

extension CellSpecification {
  static func sample(topology: String, order: Int = 1) -> CellSpecification {
    CellSpecification(
      runID: "run", scenarioFile: "/scenarios/5000-cities.yaml", scenario: "5000-cities",
      scenarioDigest: "digest", topology: topology, store: "pool", trial: 1, order: order, seed: 1,
      folder: "/nowhere")
  }
}

extension CellRunner {
  static func run(
    _ topology: TopologyDescriptor, of file: String, set overrides: [String] = [],
    store: StoreMode = .pool, in folder: TemporaryFolder,
    configure: (inout CellSpecification) -> Void = { _ in }
  ) async throws -> CellDocument {
    let scenario = try #require(try Scenario.load(file: file, set: overrides).first)
    var specification = CellSpecification(
      runID: "run", scenarioFile: file, scenario: scenario.name,
      scenarioDigest: try Workload.make(scenario, seed: 1).digest, topology: topology.name,
      store: store.rawValue, trial: 1, order: 1, seed: 1, folder: folder.url.path)
    specification.overrides = overrides
    configure(&specification)
    return await CellRunner(topologies: [topology], baselineRuns: (1, 0)).run(specification)
  }
}

extension TopologyDescriptor {
  static func named(_ name: String) throws -> TopologyDescriptor {
    try #require(Topologies.builtIn.first { $0.name == name })
  }
}

extension MachineEnvironment {
  static func sample(in folder: TemporaryFolder) -> MachineEnvironment {
    capture(version: "1", gitSHA: "a", storesIn: folder.url, scenarios: [])
  }
}

extension Workload {
  /// From the data files alone.
  var fingerprintOfFiles: String {
    var fingerprint = Fingerprint(tables[0].after.rows)
    for table in tables.dropFirst() { fingerprint.add(table.after.rows, of: table.entity.name) }
    return fingerprint.hex
  }
}

extension CellDocument {
  static func sample(topology: String, order: Int = 1, status: CellStatus = .ok) -> CellDocument {
    let specification = CellSpecification.sample(topology: topology, order: order)
    var result = CellResult(specification, startedAt: "2026-01-01T00:00:00Z", status: status)
    result.metrics["total_ms"] = 1.5
    return CellDocument(specification: specification, result: result)
  }
}

/// Removed with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench test \(UUID().uuidString)", isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch { fatalError("the tests have no folder: \(error)") }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// - Returns: the path of an executable script.
  func script(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    return path(name)
  }
}
