import Measurement

/// What makes a comparison doubtful. Reports find the words; each has its remedy there.
package enum ComparisonDoubt: Codable, Sendable, Equatable {
  /// Times of two machines say more of the machines than of what ran on them.
  case otherMachine(baseline: [String], candidate: [String])
  case unknownMachine
  /// Runs whose rows stand on both sides.
  case sharedRuns([String])
  /// Rows that stood twice on a side.
  case repeatedRows(Comparison.Role, rows: Int)
  /// Cells of one seed and topology that did not end with the same rows.
  case unequalWork(topology: String)
  /// Streams of changes were drawn from other seeds.
  case otherSeeds
  /// SQLite's C API alone took this many times as long on the candidate's side, for the same work.
  case otherSpeed(ratio: Double)
  /// Fewer trials than any verdict over so many metrics needs.
  case fewTrials(trials: Int, needed: Int, metrics: Int)
  /// A side's share of cells whose clocks disagreed.
  case suspects(Comparison.Role, share: Double)
}
