// The test of Mann and Whitney, or Wilcoxon's rank sum.
//
//   first     10   12   13
//   second              13   15   16
//   rank       1    2   3½   5    6           R₂ = 3½ + 5 + 6,  U = R₂ − 3·4/2 = 8½
//
// If the samples do not differ, every choice of three of the six ranks is equally probable for the
// second. The distribution over all choices is counted on the given ranks, conditional on the ties.
// Above 100 observations together, the normal approximation is used.

/// The rank-sum test: whether one of two unpaired samples tends to larger values.
package struct RankSum: Sendable, Equatable {
  /// U: the pairs of a first and a second value in which the second is larger; ties count half.
  package let statistic: Double
  /// The probability, if the samples do not differ, of a second sample as low or lower.
  package let pLess: Double
  /// The same for a second sample as high or higher.
  package let pGreater: Double
  /// True up to 100 observations together. Beyond, the normal approximation is corrected for ties
  /// and continuity.
  package let isExact: Bool

  package var pTwoSided: Double { min(1, 2 * min(pLess, pGreater)) }

  /// - Parameters: finite values. If a sample is empty, every p is 1.
  package init(_ first: [Double], _ second: [Double]) {
    let both = first + second
    precondition(both.allSatisfy(\.isFinite), "a value is finite")
    let ranks = Ranks.doubled(both)
    // Count for the smaller sample; the sum of the larger one follows.
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
