import Foundation
import Measurement
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

// Every shipped scenario × every topology at smoke size:
//
//   scenario ─▶ its settings ─▶ each topology, pool or serial ─▶ ok, and one fingerprint a setting
//
// The store modes alternate over scenarios, settings and topologies.
// `scripts/soak` runs both modes of each.
// Cells run one after the other: side by side they would delay each other's main thread.

@Suite("Every scenario in every topology", .serialized, .timeLimit(.minutes(5)))
struct SmokeMatrixTests {
  static let scenarios: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".yaml") }.sorted()

  private static let peers = ["grdb-pool", "grdb-pool-async", "grdb-queue", "sqlite-direct"]
  private static let folder = "\(ScenarioLibrary.sourceTree)/Scenarios"

  @Test func `the matrix is not empty`() {
    #expect(Self.scenarios.count > 9 && Topologies.builtIn.count > 4)
  }

  @Test func `a topology refuses a scenario only where its wiring cannot do it`() throws {
    var refused: [String] = []
    for scenario in Self.scenarios {
      for setting in try Scenario.load(file: "\(Self.folder)/\(scenario)", size: .smoke) {
        refused += Topologies.builtIn.filter { $0.refusal(of: setting.workKinds) != nil }
          .map { "\(setting.name), \($0.name)" }
      }
    }
    let peers = Self.peers
    let whole =
      peers + ["swiftdata", "swiftdata-autosave", "swiftdata-on-main", "sliced-merge"]
    let roots = ["root-main-private", "root-main-private-nowait"]
    let expected = [
      "earthquakes": roots, "aged-store": peers, "cells-with-relations": peers,
      "launch-after-update": peers, "open-a-list": whole, "sections": whole, "photos": whole,
      "sign-out": Topologies.builtIn.map(\.name).filter { $0 != "batch-insert" },
    ]
    let pairs = expected.flatMap { scenario, names in names.map { "\(scenario), \($0)" } }
    #expect(Set(refused) == Set(pairs))
  }

  @Test func `undo in workers is refused where no worker has a context`() throws {
    func refusing(_ undo: Bool) throws -> [String] {
      let setting = try #require(
        try Scenario.load(
          file: "\(Self.folder)/5000-cities.yaml", set: ["worker.undo=\(undo)"], size: .smoke
        ).first)
      return Topologies.builtIn.filter { $0.refusal(of: setting.workKinds) != nil }.map(\.name)
    }
    #expect(try Set(refusing(true)) == Set(Self.peers + ["main-only"]))
    #expect(try refusing(false) == [])
  }

  @Test(arguments: scenarios)
  func `every cell is ok, and all cells of a setting end with the same rows`(
    scenario: String
  ) async throws {
    let file = "\(Self.folder)/\(scenario)"
    let first = try #require(Self.scenarios.firstIndex(of: scenario))
    for (number, setting) in try Scenario.load(file: file, size: .smoke).enumerated() {
      let workload = try Workload.make(setting, seed: 1)
      var fingerprints: Set<String> = []
      for (index, topology) in Topologies.builtIn.enumerated()
      where topology.refusal(of: setting.workKinds) == nil {
        for store in stores(of: topology, turn: first + number + index) {
          let result = try await run(workload, topology, store)
          let cell = "\(topology.name), \(store), \(setting.parametersJSON)"
          #expect(result.status == .ok, "\(cell): \(result.error)")
          fingerprints.insert(result.fingerprint)
        }
      }
      #expect(fingerprints.count == 1 && fingerprints != [""], "\(setting.parametersJSON)")
    }
  }

  private func stores(of topology: TopologyDescriptor, turn: Int) -> [StoreMode] {
    let modes = topology.storeModes
    return isSoak ? modes : [modes[turn % modes.count]]
  }

  /// Whether `scripts/soak` runs this test.
  private let isSoak = ProcessInfo.processInfo.environment["TOPOBENCH_SOAK"] != nil

  /// As a run does: again if the two clocks disagree.
  private func run(
    _ workload: Workload, _ topology: TopologyDescriptor, _ store: StoreMode
  ) async throws -> CellResult {
    let run = RunScenario(scenario: workload.scenario, digest: workload.digest)
    var reruns = 0
    while true {
      let folder = TemporaryFolder()
      let variant = Variant(scenario: 0, topology: topology.name, store: store)
      let specification = CellSpecification(
        PlannedCell(variant: variant, trial: 1, order: 1), of: run, runID: "smoke", seed: 1,
        under: folder.url)
      try FileManager.default.createDirectory(
        atPath: specification.folder, withIntermediateDirectories: true)
      let runner = CellRunner(topologies: [topology], baselineRuns: (1, 0))
      let result = await runner.run(specification, of: workload).result
      if result.status != .suspect || reruns == 5 { return result }
      reruns += 1
    }
  }
}
