import Measurement

extension CellResult {
  static func sample(
    _ run: String, _ topology: String = "main-only", trial: Int,
    _ change: (inout CellResult) -> Void = { _ in }
  ) -> CellResult {
    var cell = CellResult(
      runID: run, startedAt: "2026-01-02T03:04:05Z", scenario: "5000-cities", topology: topology,
      store: "pool", trial: trial, order: trial, seed: 1, status: .ok)
    (cell.scenarioDigest, cell.hostID, cell.fingerprint) = ("d1", "h1", "f00d")
    change(&cell)
    return cell
  }
}
