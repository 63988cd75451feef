import Foundation
import Queues

package enum RankSample: Sendable {
  case paired([Double])
  case unpaired([Double], [Double])

  /// - Parameter first: as many values as `second` if they are paired.
  package init(from first: [Double], to second: [Double], _ pairing: Pairing) {
    switch pairing {
    case .paired: self = .paired(zip(first, second).map { $1 - $0 })
    case .unpaired: self = .unpaired(first, second)
    }
  }

  /// The logs of the values. Nil if one is not above zero.
  package init?(ratiosFrom first: [Double], to second: [Double], _ pairing: Pairing) {
    guard (first + second).allSatisfy({ $0 > 0 }) else { return nil }
    self.init(from: first.map { log($0) }, to: second.map { log($0) }, pairing)
  }
}

/// A rank test, repeated for many shifts.
struct RankTest: Sendable {
  private struct Null: Sendable {
    let ranks: [Int]
    let distribution: RankDistribution
  }

  private let sample: RankSample
  // Kept, because without ties every shift has the same null distribution.
  private var null: Null?

  init(_ sample: RankSample) { self.sample = sample }

  var isExact: Bool { null?.distribution.isExact ?? true }

  /// The probabilities, at this shift, of data as low or lower and as high or higher.
  mutating func tails(at shift: Double) -> (less: Double, greater: Double) {
    let (sum, ranks, size) = ranks(at: shift)
    let sorted = ranks.sorted()
    let distribution: RankDistribution
    if let null, null.ranks == sorted {
      distribution = null.distribution
    } else {
      distribution = .null(ofChoices: size, from: sorted)
      null = Null(ranks: sorted, distribution: distribution)
    }
    return (distribution.atMost(sum), distribution.atLeast(sum))
  }

  /// The first of `tails(at:)`. Faster with ties.
  mutating func less(at shift: Double) -> Double {
    let (sum, ranks, size) = ranks(at: shift)
    let part = size.flatMap { RankDistribution.atMost(sum, ofTiedChoices: $0, from: ranks) }
    return part ?? tails(at: shift).less
  }

  /// The second of `tails(at:)`. Faster with ties.
  mutating func greater(at shift: Double) -> Double {
    let (sum, ranks, size) = ranks(at: shift)
    // Counted from the largest rank, a large sum is a small one.
    let ends = 2 * (ranks.count + 1)
    let part = size.flatMap {
      RankDistribution.atMost($0 * ends - sum, ofTiedChoices: $0, from: ranks.map { ends - $0 })
    }
    return part ?? tails(at: shift).greater
  }

  /// The doubled rank sum above the shift, all ranks, and the number of summed ranks if fixed.
  private func ranks(at shift: Double) -> (sum: Int, ranks: [Int], size: Int?) {
    switch sample {
    case .paired(let differences):
      let left = differences.map { $0 - shift }
      let ranks = Ranks.doubled(left.map(abs))
      let signed = zip(left, ranks).filter { $0.0 != 0 }
      return (signed.reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }, signed.map(\.1), nil)
    case .unpaired(let first, let second):
      let ranks = Ranks.doubled(first + second.map { $0 - shift })
      return (ranks[first.count...].reduce(0, +), ranks, second.count)
    }
  }

  /// The number of steps below the bound, by the normal approximation. It ignores ties within a
  /// sample, which widens the interval a little.
  func stepsBelowBound(tail: Double) -> Int {
    let z = Normal.quantile(1 - tail)
    let (half, deviation): (Double, Double)
    switch sample {
    case .paired(let differences):
      let n = Double(differences.count)
      half = n * (n + 1) / 4
      deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
    case .unpaired(let first, let second):
      let (m, n) = (Double(first.count), Double(second.count))
      half = m * n / 2
      deviation = (m * n * (m + n + 1) / 12).squareRoot()
    }
    return Int((half - z * deviation - 0.5).rounded(.down))
  }
}

extension RankDistribution {
  private struct Size: Hashable {
    let ranks: Int
    let chosen: Int?
  }

  // Without ties, the sizes of the samples determine the ranks, so many figures need few
  // distributions.
  private static let untied = Lock<[Size: RankDistribution]>([:])
  private static let mostUntied = 64

  /// - Parameters:
  ///   - size: the number of chosen ranks. Nil for signed ranks.
  ///   - ranks: doubled and sorted.
  fileprivate static func null(ofChoices size: Int?, from ranks: [Int]) -> RankDistribution {
    func made() -> RankDistribution { size.map { ofChoices($0, from: ranks) } ?? ofSigns(ranks) }
    guard ranks.count <= exactLimit, Ranks.areUntied(ranks) else { return made() }
    let key = Size(ranks: ranks.count, chosen: size)
    if let kept = untied.withLock({ $0[key] }) { return kept }
    let distribution = made()
    untied.withLock { if $0.count < mostUntied { $0[key] = distribution } }
    return distribution
  }

  /// Faster than the whole distribution, because it does not count larger sums.
  ///
  /// - Returns: nil if the whole distribution is kept, as without ties, or is not exact.
  fileprivate static func atMost(
    _ sum: Int, ofTiedChoices size: Int, from ranks: [Int]
  ) -> Double? {
    let ranks = ranks.sorted()
    guard ranks.count <= exactLimit, !Ranks.areUntied(ranks) else { return nil }
    let all = (1...size).reduce(1.0) { $0 * Double(ranks.count - size + $1) / Double($1) }
    return min(1, waysToChoose(size, from: ranks, most: sum).reduce(0) { $0 + $1 / all })
  }
}
