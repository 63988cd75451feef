import Judging
import Support
import Measurement
import MeasurementSamples

/// Three topologies with blocked times around 10, 20 and 30 ms and steady counts.
struct GateReport {
  var run = "baseline"
  var trials = 12
  var scenario = "5000-cities"
  var digest = "d1"
  var host = "h1"
  var seed: UInt64 = 1
  var spread = 0.02
  /// Factors of the blocked time, by topology.
  var factors: [String: Double] = [:]
  /// Added to `main_statements`, by topology.
  var statements: [String: Double] = [:]
  var draws: UInt64 = 1
  var edit: (inout CellResult) -> Void = { _ in }

  static let topologies = ["notification-merge", "parent-child", "root-main-private"]

  static func candidate(_ change: (inout GateReport) -> Void = { _ in }) -> GateReport {
    var report = GateReport()
    report.run = "candidate"
    report.draws = 2
    change(&report)
    return report
  }

  var cells: [CellResult] {
    var random = Random(seed: draws)
    return (1...trials).flatMap { trial in
      Self.topologies.enumerated().map { index, topology in
        let blocked = random.times(1, spread: spread, factor: Double(index + 1))[0]
        return cell(topology, trial, blocked: blocked * (factors[topology] ?? 1))
      }
    }
  }

  private func cell(_ topology: String, _ trial: Int, blocked: Double) -> CellResult {
    .sample(topology, trial: trial, blocked: blocked, scenario: scenario) {
      ($0.runID, $0.scenarioDigest, $0.hostID, $0.seed) = (run, digest, host, seed)
      $0.metrics["main_statements"] = 100 + (statements[topology] ?? 0)
      $0.metrics["main_longest_gap_ms"] = blocked / 2
      edit(&$0)
    }
  }

  var side: SideCells { SideCells(cells) }
}

extension Gate {
  static func judging(
    _ baseline: GateReport = GateReport(), _ candidate: GateReport = .candidate(),
    times: Gate.Times = .gate, allowsOtherMachine: Bool = false, policy: Policy = Policy()
  ) -> GateResult {
    judging(
      baseline.cells, candidate.cells, times: times, allowsOtherMachine: allowsOtherMachine,
      policy: policy)
  }

  /// On the first of June 2026.
  static func judging(
    _ baseline: [CellResult], _ candidate: [CellResult], times: Gate.Times = .gate,
    allowsOtherMachine: Bool = false, policy: Policy
  ) -> GateResult {
    guard let today = CalendarDay("2026-06-01") else { preconditionFailure("it is a day") }
    return Gate(
      policy: policy, times: times, allowsOtherMachine: allowsOtherMachine, today: today
    )
    .judge(Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)))
  }
}
