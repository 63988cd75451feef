import Judging
import Measurement

@testable import Reports

enum SampleProgress {
  static let topologies = ["main-only", "root-main-private", "notification-merge"]

  static func key(
    _ topology: String, scenario: String = "5000-cities", store: String = "pool",
    parameters: String = ""
  ) -> CellKey {
    CellKey(scenario: scenario, parameters: parameters, topology: topology, store: store)
  }

  static func cell(_ key: CellKey, blocked: Double, raw: Double = 12) -> CellResult {
    var cell = CellResult(
      runID: "r1", startedAt: "2026-01-02T03:04:05Z", scenario: key.scenario,
      topology: key.topology, store: key.store, trial: 1, order: 1, seed: 1, status: .ok)
    cell.parameters = key.parameters
    cell.metrics["main_blocked_ms"] = blocked
    cell.metrics["raw_sqlite_ms"] = raw
    return cell
  }

  static func failed(_ key: CellKey, _ status: CellStatus = .crashed) -> CellResult {
    cell(key, blocked: 0).with { $0.status = status }
  }

  /// Six cells each are planned. Every cell takes two seconds; the third of notification-merge
  /// crashed and the fourth has begun at 16 s.
  static func midway() -> RunProgress {
    var progress = RunProgress(topologies: topologies)
    let keys = topologies.map { key($0) }
    progress.plan(keys.flatMap { Array(repeating: $0, count: 6) })
    let course: [(Int, Double?)] = [
      (0, 36), (2, 2.5), (1, 8), (1, 9), (0, 38), (2, 2.6), (2, nil), (0, 36.1),
    ]
    for (place, (topology, blocked)) in course.enumerated() {
      let key = keys[topology]
      progress.begin(key, at: .seconds(2 * place))
      progress.end(
        key,
        as: blocked.map { cell(key, blocked: $0, raw: 12 + 0.1 * Double(place)) } ?? failed(key),
        at: .seconds(2 * place + 2))
    }
    progress.begin(keys[2], at: .seconds(16))
    progress.processor = ProcessorShare(others: 0.031, stolen: 0)
    return progress
  }
}
