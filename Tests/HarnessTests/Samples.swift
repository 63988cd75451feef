import Foundation
import Measurement
import SQLiteStore
import Workload

@testable import Harness

extension Scenario {
  /// The path of a scenario that is read and measured in milliseconds.
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

extension CellDocument {
  static func sample(
    topology: String, order: Int = 1, status: CellStatus = .ok
  ) -> CellDocument {
    let specification = CellSpecification.sample(topology: topology, order: order)
    var result = CellResult(specification, startedAt: "2026-01-01T00:00:00Z", status: status)
    result.metrics["total_ms"] = 1.5
    return CellDocument(specification: specification, result: result)
  }
}
