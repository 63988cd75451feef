package import Measurement

/// Decides which pairs are measured next, from those that were. Pure: the runner measures.
package protocol PairCourse {
  /// What to measure next: for what, and how many pairs of each target; nil once all is decided.
  mutating func next() -> (phase: DuetPhase, pairs: [Int])?

  /// A pair that was asked for.
  mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase)
}

/// Two cells that followed each other, one of each build.
package struct DuetPair: Sendable {
  package let baseline: CellResult
  package let candidate: CellResult

  package init(baseline: CellResult, candidate: CellResult) {
    self.baseline = baseline
    self.candidate = candidate
  }

  /// Whether both cells may enter statistics: one alone says nothing of a difference.
  package var isOK: Bool { baseline.status == .ok && candidate.status == .ok }

  /// Both values of a metric, where both cells measured it.
  package func values(_ metric: String) -> (baseline: Double, candidate: Double)? {
    guard let left = baseline.metrics[metric], let right = candidate.metrics[metric] else {
      return nil
    }
    return (left, right)
  }
}
