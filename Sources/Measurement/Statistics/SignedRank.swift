// Wilcoxon's signed-rank test.
//
//   differences    −1   2   3   3   0
//   rank of size    2   3  4½  4½   1      ties share the mean of their ranks
//   W⁺                  3 + 4½ + 4½ = 12
//
// Without an effect, each rank has + or − with equal probability. The distribution of W⁺ over all
// 2ⁿ ways is counted rank by rank. Ranks are doubled, so that halves become whole numbers. The
// count is exact with ties, unlike tables and normal approximations.

/// The signed-rank test: whether the differences of pairs tend to one sign.
package struct SignedRank: Sendable, Equatable {
  /// The treatment of pairs without a difference.
  package enum Zeros: Sendable {
    /// Removed after the ranking (Pratt 1959).
    case ranked
    /// Removed before the ranking (Wilcoxon 1945).
    case dropped
  }

  /// Pairs that differ.
  package let pairs: Int
  /// W⁺: the sum of the ranks of positive differences.
  package let statistic: Double
  /// The probability, without an effect, of a W⁺ as small or smaller.
  package let pLess: Double
  /// The same for a W⁺ as large or larger.
  package let pGreater: Double
  /// True up to 100 pairs that differ. Beyond, the normal approximation is corrected for ties and
  /// continuity.
  package let isExact: Bool

  package var pTwoSided: Double { min(1, 2 * min(pLess, pGreater)) }

  /// - Parameters:
  ///   - differences: finite; one for each pair.
  ///   - zeros: `ranked` by default. With `dropped`, a difference that moves away from zero can
  ///     weaken the evidence for its own sign.
  package init(_ differences: [Double], zeros: Zeros = .ranked) {
    precondition(differences.allSatisfy(\.isFinite), "a difference is finite")
    let kept = zeros == .dropped ? differences.filter { $0 != 0 } : differences
    let ranks = Ranks.doubled(kept.map(abs))
    let signed = zip(kept, ranks).filter { $0.0 != 0 }
    let positive = signed.reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }
    let distribution = RankDistribution.ofSigns(signed.map(\.1))
    pairs = signed.count
    statistic = Double(positive) / 2
    pLess = distribution.atMost(positive)
    pGreater = distribution.atLeast(positive)
    isExact = distribution.isExact
  }
}
