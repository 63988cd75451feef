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

extension Trials {
  /// The smallest number of pairs, or of trials a side, with which unanimity survives Holm's
  /// correction over so many metrics: 2 / 2ⁿ ≤ α / metrics, or 2 / C(2n, n) ≤ α / metrics.
  ///
  /// Two-sided, so that a judge of either direction never says more than the same data allow the
  /// other one. Over 1, 10 and 40 metrics: 6, 9, 11 pairs; 4, 6, 7 a side.
  package static func unanimous(
    pairing: Pairing, metrics: Int = 1, alpha: Double = Trials.alpha
  ) -> Int {
    var trials = 1
    var probability = 0.5  // 1 / 2¹ and 1 / C(2, 1)
    while 2 * probability > alpha / Double(max(1, metrics)) {
      trials += 1
      let n = Double(trials)
      // C(2n, n) = C(2n − 2, n − 1) · (2n)(2n − 1) / n²
      probability *= pairing == .paired ? 0.5 : n / (2 * (2 * n - 1))
    }
    return trials
  }
}

extension Trials {
  /// The smallest number of pairs with which all but the wildest one, pointing the other way, survive
  /// Holm's correction: the probability of a signed-rank sum of n or less is at most α / metrics. Over
  /// 1 and 4 metrics at α = 0.04: 11 and 14 pairs.
  ///
  /// With as many as unanimity needs, one pair in whose middle the machine changed its pace leaves the
  /// verdict open, however large the change is.
  package static func toleratingOne(metrics: Int, alpha: Double) -> Int {
    var trials = 1
    while atMost(trials, of: trials) > alpha / Double(max(1, metrics)) { trials += 1 }
    return trials
  }

  /// The probability that the signed ranks of so many pairs sum up to at most `limit`: the subsets of
  /// 1…n whose sum is no more, among 2ⁿ.
  private static func atMost(_ limit: Int, of pairs: Int) -> Double {
    var shares = [1.0] + Array(repeating: 0, count: limit)
    for rank in 1...pairs {
      for sum in stride(from: limit, through: 0, by: -1) {
        shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2
      }
    }
    return shares.reduce(0, +)
  }
}
