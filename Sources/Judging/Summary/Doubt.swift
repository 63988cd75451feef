package import Measurement

/// Something that makes an answer doubtful. Reports find the words; each has its remedy there.
package enum Doubt: Codable, Sendable, Equatable {
  case debugBuild
  /// The topology with the fewest `ok` cells has `trials`; a ranking needs `needed`.
  case fewTrials(trials: Int, needed: Int)
  /// Cells of a topology that ended otherwise than `ok`.
  case notOk(topology: String, status: CellStatus, cells: Int)
  /// The run ended before all its cells were measured.
  case incomplete(measured: Int, planned: Int)
  /// The `ok` cells do not all prove the same rows.
  case unequalWork(fingerprints: Int)
  /// Exact counts that should not differ between trials of a topology, and do.
  case unsteadyCounts(topology: String, names: [String])
  /// Relative spread of `main_blocked_ms` between trials.
  case noisy(spread: Double)
  /// The machine syncs faster than a phone does.
  case fastSync(milliseconds: Double)
  /// What could disturb a cell, before the run.
  case busyMachine(load: Double, cores: Int)
  /// The share of main's blocked time for which another thread had its core.
  case shortOfCores(share: Double)
  /// How late the machine wakes a waiting thread up, 99th percentile.
  case slowWakeUps(milliseconds: Double)
  /// A topology that works longer than the horizon that its rates and tap percentiles count.
  case beyondHorizon(topology: String)
  case severalMachines(hosts: Int)
  /// What the harness found out about the machine or the run.
  case remark(String)
}
