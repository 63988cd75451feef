/// How many trials a verdict needs.
package enum Trials {
  /// The family-wise error rate of a ranking.
  package static let alpha = 0.05

  /// The smallest number of trials in which unanimity (one topology ahead of another in every
  /// round) survives Holm's correction over all pairs: 2 / 2ⁿ ≤ α / pairs. Two topologies need 6,
  /// four 8.
  ///
  /// With fewer, no ranking is possible, whatever was measured. One topology needs as many as an
  /// interval of its median does.
  package static func needed(topologies: Int) -> Int {
    let pairs = max(1, topologies * (topologies - 1) / 2)
    var trials = 1
    var unanimous = 1.0
    while unanimous > alpha / Double(pairs) {
      trials += 1
      unanimous /= 2
    }
    return trials
  }
}
