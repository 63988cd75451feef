package import Measurement

extension CellResult {
  /// An `ok` cell with `main_blocked_ms`, the given values and a change.
  package static func sample(
    _ topology: String = "main-only", trial: Int = 1, blocked: Double? = 12.5,
    scenario: String = "5000-cities", store: String = "pool", metrics: [String: Double] = [:],
    _ change: (inout CellResult) -> Void = { _ in }
  ) -> CellResult {
    var cell = CellResult(
      runID: "r1", startedAt: "2026-01-02T03:04:05Z", scenario: scenario, topology: topology,
      store: store, trial: trial, order: trial, seed: 1, status: .ok)
    cell.fingerprint = "f00d"
    cell.hostID = "h1"
    cell.metrics["main_blocked_ms"] = blocked
    for (name, value) in metrics { cell.metrics[name] = value }
    change(&cell)
    return cell
  }
}
