// Wilcoxon's signed-rank test.
//
//   differences    −1   2   3   3   0
//   rank of size    2   3  4½  4½   1      ties share the mean of their ranks
//   W⁺                  3 + 4½ + 4½ = 12
//
// If there were no effect, each rank would carry + or − with equal probability. The distribution of
// W⁺ over all 2ⁿ ways is counted one rank after another, on doubled ranks so that halves become
// whole: this is exact with ties too, where tables and normal approximations are not.

/// What the differences of pairs say about whether they lean to one side.
package struct SignedRank: Sendable, Equatable {
  /// What becomes of pairs without a difference.
  package enum Zeros: Sendable {
    /// They take part in the ranking and are left out then (Pratt 1959).
    case ranked
    /// They are left out before (Wilcoxon 1945).
    case dropped
  }

  /// Pairs that differ.
  package let pairs: Int
  /// W⁺: the sum of the ranks of what is above zero.
  package let statistic: Double
  /// The probability, without an effect, of a W⁺ this small or smaller.
  package let pLess: Double
  /// The same, this large or larger.
  package let pGreater: Double
  /// Up to 100 pairs that differ; from there on by the normal approximation, corrected for ties and
  /// continuity.
  package let isExact: Bool

  package var pTwoSided: Double { min(1, 2 * min(pLess, pGreater)) }

  /// - Parameters:
  ///   - differences: finite; one for each pair.
  ///   - zeros: `ranked` by default: with `dropped`, a difference that moves away from zero can weaken
  ///     the evidence of its own sign, which `ranked` does not suffer from.
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
