package import Measurement

/// Decides which pairs are measured next. The runner measures them.
package protocol PairCourse {
  /// The next phase, with the number of pairs of each target; nil at the end.
  mutating func next() -> (phase: DuetPhase, pairs: [Int])?

  mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase)
}

/// Two consecutive cells, one of each build.
package struct DuetPair: Sendable {
  package let baseline: CellResult
  package let candidate: CellResult

  package init(baseline: CellResult, candidate: CellResult) {
    self.baseline = baseline
    self.candidate = candidate
  }

  package subscript(side: Side) -> CellResult { side == .baseline ? baseline : candidate }

  /// Whether both cells ended `ok`.
  package var isOK: Bool { baseline.status == .ok && candidate.status == .ok }

  /// Both values of a metric; nil if a cell did not measure it.
  package func values(_ metric: Metric) -> (baseline: Double, candidate: Double)? {
    guard let left = baseline.metrics[metric], let right = candidate.metrics[metric] else {
      return nil
    }
    return (left, right)
  }
}
