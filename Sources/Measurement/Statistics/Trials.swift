package enum Trials {
  package static let alpha = 0.05

  /// The fewest trials for an interval of a median.
  private static let interval = 6

  /// The fewest trials that rank topologies. Each then has an interval, and topologies that do not
  /// overlap survive Holm's correction over all pairs: 2 / C(2n, n) ≤ α / pairs. Up to seven
  /// topologies need 6, thirteen 7, twenty 8.
  package static func needed(topologies: Int) -> Int {
    max(interval, unanimous(pairing: .unpaired, metrics: pairs(topologies)))
  }

  /// The fewest rounds in which signed ranks separate two topologies although one round contradicts
  /// all others. Two topologies need 12, four 16, twenty 22.
  package static func signedRanks(topologies: Int) -> Int {
    toleratingOne(metrics: pairs(topologies), alpha: alpha / 2)
  }

  private static func pairs(_ topologies: Int) -> Int { topologies * (topologies - 1) / 2 }

  /// The fewest pairs, or trials a side, with which unanimity survives Holm's correction. For pairs
  /// 2 / 2ⁿ ≤ α / metrics, for sides 2 / C(2n, n) ≤ α / metrics.
  ///
  /// The test is two-sided, so both directions need the same number. Over 1, 10 and 40 metrics: 6,
  /// 9, 11 pairs, or 4, 6, 7 trials a side.
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

  /// The fewest pairs that give a verdict although the most extreme one contradicts the others: a
  /// signed-rank sum of at most n then has a probability of at most α / metrics. Over 1 and 4
  /// metrics at α = 0.04: 11 and 14 pairs.
  ///
  /// With the pairs that unanimity needs, one disturbed pair leaves the verdict open, however large
  /// the change is.
  package static func toleratingOne(metrics: Int, alpha: Double) -> Int {
    var trials = 1
    while RankDistribution.ofSigns(Array(1...trials)).atMost(trials)
      > alpha / Double(max(1, metrics))
    {
      trials += 1
    }
    return trials
  }
}
