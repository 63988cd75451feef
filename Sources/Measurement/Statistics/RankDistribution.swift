// The distribution of a sum of ranks when chance alone chooses its terms.
//
// Signed ranks (Wilcoxon): each rank has + or − with equal probability.
//
//   differences    −1   2   3   3   0
//   rank of size    2   3  4½  4½   1      ties share the mean of their ranks
//   sum of +            3 + 4½ + 4½ = 12   a zero is ranked, then removed (Pratt 1959)
//
// Rank sum (Mann and Whitney): every choice of three of the six ranks is equally probable.
//
//   first     10   12   13
//   second              13   15   16
//   rank       1    2   3½   5    6        sum of the second: 3½ + 5 + 6
//
// Ranks are doubled, so that halves become whole numbers. Counted over the given ranks, the
// distribution is exact with ties, unlike tables and normal approximations.

/// Ties share the mean of their ranks.
enum Ranks {
  static func doubled(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Int](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for index in order[start..<end] { ranks[index] = start + 1 + end }
      start = end
    }
    return ranks
  }

  /// - Parameter ranks: doubled and sorted.
  static func areUntied(_ ranks: [Int]) -> Bool {
    ranks.enumerated().allSatisfy { $1 == 2 * ($0 + 1) }
  }
}

enum RankDistribution: Sendable {
  /// P(at most) and P(at least) of every sum from 0.
  case exact(atMost: [Double], atLeast: [Double])
  /// Of doubled sums, which are 2 apart.
  case normal(mean: Double, deviation: Double)

  /// With more ranks: the normal approximation, corrected for ties and continuity. Its error is
  /// below 10⁻³ near the usual levels.
  static let exactLimit = 100

  var isExact: Bool {
    if case .exact = self { true } else { false }
  }

  func atMost(_ sum: Int) -> Double {
    switch self {
    case .exact(let atMost, _): atMost[sum]
    case .normal(let mean, let deviation):
      deviation > 0 ? Normal.below((Double(sum) - mean + 1) / deviation) : 1
    }
  }

  func atLeast(_ sum: Int) -> Double {
    switch self {
    case .exact(_, let atLeast): atLeast[sum]
    case .normal(let mean, let deviation):
      deviation > 0 ? Normal.above((Double(sum) - mean - 1) / deviation) : 1
    }
  }

  /// The sum of ranks with a plus, if plus and minus are equally probable.
  static func ofSigns(_ ranks: [Int]) -> RankDistribution {
    guard ranks.count <= exactLimit else {
      let squares = ranks.reduce(0.0) { $0 + Double($1) * Double($1) }
      return .normal(mean: Double(ranks.reduce(0, +)) / 2, deviation: (squares / 4).squareRoot())
    }
    var probabilities = [Double](repeating: 0, count: ranks.reduce(1, +))
    probabilities[0] = 1
    probabilities.withUnsafeMutableBufferPointer { probabilities in
      var reached = 0
      for rank in ranks {
        // Downwards, so that smaller sums do not contain this rank yet.
        reached += rank
        var sum = reached
        while sum >= 0 {
          let without = sum <= reached - rank ? probabilities[sum] : 0
          let with = sum >= rank ? probabilities[sum - rank] : 0
          probabilities[sum] = (without + with) / 2
          sum -= 1
        }
      }
    }
    return exact(probabilities)
  }

  /// The sum of `size` ranks, if every choice is equally probable.
  static func ofChoices(_ size: Int, from ranks: [Int]) -> RankDistribution {
    let total = Double(ranks.count)
    guard ranks.count <= exactLimit else {
      let mean = Double(ranks.reduce(0, +)) / total
      let squares = ranks.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      let variance = Double(size) * (total - Double(size)) / total / (total - 1) * squares
      return .normal(mean: Double(size) * mean, deviation: variance.squareRoot())
    }
    let ways = waysToChoose(size, from: ranks)
    return exact(ways, of: ways.reduce(0, +))
  }

  /// Adds up each tail from its thin end, so that small probabilities keep their digits. Divides
  /// sums instead of adding quotients: 3 of 120 choices are 0.025, and not more.
  private static func exact(_ ways: [Double], of all: Double = 1) -> RankDistribution {
    var (atMost, atLeast) = (ways, ways)
    var sum = 1
    while sum < ways.count {
      let mirrored = ways.count - 1 - sum
      atMost[sum] += atMost[sum - 1]
      atLeast[mirrored] += atLeast[mirrored + 1]
      sum += 1
    }
    return .exact(
      atMost: atMost.map { min(1, $0 / all) }, atLeast: atLeast.map { min(1, $0 / all) })
  }

  /// The number of choices for each sum up to `most`. Row k of the table counts choices of k ranks,
  /// from their smallest sum.
  static func waysToChoose(_ size: Int, from ranks: [Int], most: Int = .max) -> [Double] {
    let ranks = ranks.sorted()
    let sums = ranks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let largest = min(most, sums[ranks.count] - sums[ranks.count - size])
    guard largest >= sums[size] else { return [] }
    let width = largest - sums[size] + 1
    var ways = [Double](repeating: 0, count: (size + 1) * width)
    ways[0] = 1
    // A range costs a hundred times as much as `while` without optimisation, as in tests. Overflow
    // checks would keep the inner loop from being vectorised.
    ways.withUnsafeMutableBufferPointer { ways in
      for (offered, rank) in ranks.enumerated() {
        var row = min(size, offered + 1)
        // With fewer chosen, the following ranks could not make up `size`.
        let fewest = max(1, size - (ranks.count - 1 - offered))
        while row >= fewest {
          let into = row * width - sums[row]
          let from = (row - 1) * width - sums[row - 1] - rank
          // Only sums that this rank and `row - 1` smaller ones reach, and that do not exceed
          // `largest` later.
          var sum = sums[row - 1] + rank
          let rest = sums[offered + 1 + size - row] - sums[offered + 1]
          let end = min(sums[offered + 1] - sums[offered + 1 - row], largest - rest)
          while sum <= end {
            ways[into &+ sum] += ways[from &+ sum]
            sum &+= 1
          }
          row -= 1
        }
      }
    }
    return [Double](repeating: 0, count: sums[size]) + ways[(size * width)...]
  }
}
