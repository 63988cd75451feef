import Judging
import Measurement

extension CellResult {
  func with(_ change: (inout CellResult) -> Void) -> CellResult {
    var cell = self
    change(&cell)
    return cell
  }
}

extension Sequence<CellResult> {
  func with(_ change: (inout CellResult) -> Void) -> [CellResult] { map { $0.with(change) } }
}

/// Small runs with round numbers, for text that is pinned.
enum SampleSummaries {
  static func cell(
    _ topology: String, trial: Int, blocked: Double, executing: Double? = nil
  ) -> CellResult {
    var cell = CellResult(
      runID: "r1", startedAt: "2026-01-02T03:04:05Z", scenario: "5000-cities", topology: topology,
      store: "pool", trial: trial, order: trial, seed: 1, status: .ok)
    cell.fingerprint = "f00d"
    (cell.objects, cell.inserts, cell.updates, cell.deletes) = (5000, 901, 1826, 901)
    cell.saves = 8
    let executing = executing ?? blocked
    for (name, value) in [
      "main_blocked_ms": blocked, "main_executing_ms": executing,
      "main_waiting_ms": blocked - executing, "main_longest_gap_ms": blocked / 4,
      "frames_late": (blocked / 16).rounded(.down), "visible_ms": blocked + 40.5,
      "durable_ms": blocked + 22.25, "main_deferred_ms": 1.5, "total_ms": blocked + 41,
      "changes_per_s": 3628 / (blocked + 41) * 1000, "raw_sqlite_ms": 12, "sync_ms": 0.21,
    ] {
      cell.metrics[name] = value
    }
    cell.metrics[label: .longestGapCause] = executing < blocked ? "wait for parent" : "merge"
    return cell
  }

  /// The machine's mood: one factor a trial, the same for every topology.
  static let moods = [1.0, 1.02, 0.97, 1.05, 0.99, 1.01, 1.03, 0.98]

  static func cells(
    _ topology: String, _ blocked: Double, executing: Double? = nil, trials: Int = 8,
    moods: [Double] = moods
  ) -> [CellResult] {
    (0..<trials).map { trial in
      cell(
        topology, trial: trial + 1, blocked: blocked * moods[trial],
        executing: executing.map { $0 * moods[trial] })
    }
  }

  /// The best alone, two that cannot be separated, and the worst, with a crashed cell.
  static func four() -> Summary {
    let crashed = cell("main-only", trial: 9, blocked: 0).with {
      ($0.status, $0.error) = (.crashed, "ended by signal 11")
    }
    let worst = cells("main-only", 61.2, trials: 8) + [crashed]
    var context = RunContext()
    context.defaults[.init(scenario: "5000-cities")] = [
      "the user was idle", "drawing cost nothing", "12 visible rows were realised",
    ]
    let two = cells("parent-child", 45.1, executing: 30, moods: moods.reversed())
    return Summary(
      cells: worst + two + cells("root-main-private", 45.3, executing: 31)
        + cells("notification-merge", 12.34),
      context: context)
  }
}
