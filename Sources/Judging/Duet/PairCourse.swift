package import Measurement

package protocol PairCourse {
  /// The number of pairs of each target. Nil at the end.
  mutating func next() -> (phase: DuetPhase, pairs: [Int])?

  mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase)
}

package struct DuetPair: Sendable {
  package let baseline: CellResult
  package let candidate: CellResult

  package init(baseline: CellResult, candidate: CellResult) {
    self.baseline = baseline
    self.candidate = candidate
  }

  package subscript(side: Side) -> CellResult { side == .baseline ? baseline : candidate }

  package var isOK: Bool { baseline.status == .ok && candidate.status == .ok }

  package func values(_ metric: Metric) -> (baseline: Double, candidate: Double)? {
    guard let left = baseline.metrics[metric], let right = candidate.metrics[metric] else {
      return nil
    }
    return (left, right)
  }
}
