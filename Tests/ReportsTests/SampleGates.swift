import Judging
import Measurement
import Reports

/// Two reports of steady times. The last topology's candidate is slower by a factor.
struct GateSample {
  var topologies = ["main-only", "root-main-private"]
  var trials = 8
  var slower = 1.0
  /// Whether all candidates but the first are slower.
  var mostAreSlower = false
  /// Added to the last topology's `main_statements`.
  var statements = 0.0
  var varies = false
  var scenario = "5000-cities"
  var host = "here"
  /// `raw_sqlite_ms` of each side; empty if it was not measured.
  var speeds: [Double] = []
  /// Whether the speed and the times of each cell scatter.
  var scatters = false
  var crashes = false
  var error = "out of luck"
  var policy = Policy()
  var times = Gate.Times.gate
  var editBaseline: (inout CellResult) -> Void = { _ in }
  var editCandidate: (inout CellResult) -> Void = { _ in }

  fileprivate func cells(_ run: String, isCandidate: Bool) -> [CellResult] {
    (1...trials).flatMap { trial in
      topologies.enumerated().map { index, topology in
        let isChanged = isCandidate && index >= (mostAreSlower ? 1 : topologies.count - 1)
        // ± 1 %, in another order on either side.
        var wobble = 1 + 0.01 * Double((trial * (isCandidate ? 3 : 5)) % 8 - 4) / 4
        if scatters { wobble *= [1, 1.3, 2, 1.1, 1.7, 1, 1.2, 1.9][(trial + index) % 8] }
        var cell = CellResult(
          runID: run, startedAt: "2026-01-02T03:04:05Z", scenario: scenario, topology: topology,
          store: "pool", trial: trial, order: trial, seed: 1, status: .ok)
        cell.hostID = isCandidate ? host : "here"
        cell.metrics["main_blocked_ms"] =
          (index == 0 ? 20 : 10) * wobble * (isChanged ? slower : 1)
        if !speeds.isEmpty {
          cell.metrics["raw_sqlite_ms"] = speeds[isCandidate ? 1 : 0] * (scatters ? wobble : 1)
        }
        cell.metrics["total_ms"] = 50 * wobble * (isChanged ? slower : 1)
        cell.metrics["main_statements"] =
          100 + (isChanged ? statements : 0)
          + (varies && index == topologies.count - 1 ? Double(trial % 3) : 0)
        if crashes, isCandidate, trial == trials, index == 0 {
          cell.status = .crashed
          cell.error = error
        }
        (isCandidate ? editCandidate : editBaseline)(&cell)
        return cell
      }
    }
  }
}

extension GateReport {
  static func sample(_ change: (inout GateSample) -> Void = { _ in }) -> GateReport {
    var sample = GateSample()
    change(&sample)
    guard let today = CalendarDay("2026-06-01") else { preconditionFailure("it is a day") }
    let matching = Matching(
      baseline: SideCells(sample.cells("old", isCandidate: false)),
      candidate: SideCells(sample.cells("new", isCandidate: true)))
    let gate = Gate(policy: sample.policy, times: sample.times, today: today)
    return GateReport(
      gate.judge(matching),
      Comparison(
        matching, baselineFiles: ["old.csv"], candidateFiles: ["new.csv"],
        metrics: Comparison.answerMetrics))
  }
}

extension Policy {
  static var sample: Policy {
    guard let future = CalendarDay("2027-01-31"), let past = CalendarDay("2020-01-01") else {
      preconditionFailure("they are days")
    }
    var policy = Policy()
    policy.inexactCounts = [
      InexactCount(metric: .mainStatements, topology: "nested", reason: "it follows the frames")
    ]
    policy.limits = [
      Limit(topology: nil, metric: .total, relation: .atMost, bound: 55),
      Limit(topology: "nested", metric: .total, relation: .atMost, bound: 55),
    ]
    policy.expectations = [
      Expectation(better: "main-only", worse: "root-main-private"),
      Expectation(better: "main-only", worse: "nested"),
    ]
    policy.waivers = [
      Waiver(metric: .mainStatements, reason: "a fetch of its own", until: future),
      Waiver(metric: .mainCommits, reason: "long ago", until: past),
    ]
    return policy
  }
}
