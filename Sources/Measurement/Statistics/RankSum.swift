// The test of Mann and Whitney, or Wilcoxon's rank sum.
//
//   first     10   12   13
//   second              13   15   16
//   rank       1    2   3½   5    6           R₂ = 3½ + 5 + 6,  U = R₂ − 3·4/2 = 8½
//
// If nothing set the samples apart, any three of the six ranks could be the second's. The
// distribution over all choices is counted on the ranks at hand (conditional on the ties), up to 100
// observations together; beyond, the normal approximation stands in.

/// What two unpaired samples say about whether one tends to larger values.
package struct RankSum: Sendable, Equatable {
  /// U: in how many pairs of one value each the second's is larger; equal ones count half.
  package let statistic: Double
  /// The probability, if nothing set the samples apart, of a second sample this low or lower.
  package let pLess: Double
  /// The same, this high or higher.
  package let pGreater: Double
  /// Up to 100 observations together; from there on by the normal approximation, corrected for ties
  /// and continuity.
  package let isExact: Bool

  package var pTwoSided: Double { min(1, 2 * min(pLess, pGreater)) }

  /// - Parameters: finite values; where one sample is empty, every p is 1.
  package init(_ first: [Double], _ second: [Double]) {
    let both = first + second
    precondition(both.allSatisfy(\.isFinite), "a value is finite")
    let ranks = Ranks.doubled(both)
    // Counted for the smaller sample: the other's sum follows from it.
    let (all, own) = (ranks.reduce(0, +), ranks[first.count...].reduce(0, +))
    statistic = Double(own - second.count * (second.count + 1)) / 2
    if second.count <= first.count {
      let distribution = RankDistribution.ofChoices(second.count, from: ranks)
      pLess = distribution.atMost(own)
      pGreater = distribution.atLeast(own)
      isExact = distribution.isExact
    } else {
      let distribution = RankDistribution.ofChoices(first.count, from: ranks)
      pLess = distribution.atLeast(all - own)
      pGreater = distribution.atMost(all - own)
      isExact = distribution.isExact
    }
  }
}
