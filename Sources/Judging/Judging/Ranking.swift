import Foundation
package import Measurement

// Topologies are ranked as far as their trials separate them.
//
//   sorted by median     A      B      C      D
//   separated pairs      A–C  A–D    B–D    C–D          (A–B and B–C are not)
//   ranks                1=     1=     1=     4
//
// A rank begins only where every topology before it is separated from every one after it. So
// topologies that are not separated share a rank, and so do A and C, which only B links. The pairs
// still say that A and C are separated.

/// Each pair is compared within rounds, by log ratios, or by differences if a value is not above
/// zero. The test is the exact two-sided signed-rank test, with Holm's correction over all pairs.
package struct Ranking: Codable, Sendable, Equatable {
  package struct Place: Codable, Sendable, Equatable {
    package let name: String
    package let median: Double
    /// From 1. If n topologies share rank r, the next rank is r + n.
    package let rank: Int
    package let isShared: Bool
  }

  /// The better median comes first.
  package struct Pair: Codable, Sendable, Equatable {
    package let better: String
    package let worse: String
    /// The rounds that both have.
    package let rounds: Int
    /// The worse median over the better one, if that is above zero.
    package let medianRatio: Double?
    /// Hodges–Lehmann estimate of worse / better within rounds, if values are above zero.
    package let ratio: Double?
    /// Hodges–Lehmann estimate of worse − better.
    package let difference: Double
    package let p: Double
    /// Corrected over all pairs.
    package fileprivate(set) var adjustedP: Double
    package fileprivate(set) var isSeparated: Bool
  }

  /// Best first.
  package let places: [Place]
  package let pairs: [Pair]

  /// - Parameter topologies: their values by round. Two are compared by the rounds that both have.
  package init(
    _ topologies: [(name: String, values: [String: Double])], better: Metric.Direction = .lower
  ) {
    let sign = better == .higher ? -1.0 : 1.0
    let entries = topologies.compactMap { name, values in
      Statistics.median(Array(values.values)).map { Entry(name: name, values: values, median: $0) }
    }
    let sorted = entries.sorted { ($0.median * sign, $0.name) < ($1.median * sign, $1.name) }
    var pairs = sorted.indices.flatMap { index in
      sorted[(index + 1)...].map { Self.compare(sorted[index], $0) }
    }
    let adjusted = Statistics.holm(pairs.map(\.p))
    for index in pairs.indices {
      pairs[index].adjustedP = adjusted[index]
      // A pair that medians and rounds order differently is not separated.
      pairs[index].isSeparated = adjusted[index] <= Trials.alpha && sign * pairs[index].shift > 0
    }
    self.pairs = pairs
    places = Self.places(of: sorted, separated: Set(pairs.filter(\.isSeparated).map(\.names)))
  }

  /// - Parameter cells: only `ok` ones are ranked.
  init(_ cells: some Sequence<CellResult>, by value: (CellResult) -> Double?) {
    var values: [String: [String: Double]] = [:]
    for cell in cells where cell.status == .ok {
      values[cell.topology, default: [:]][cell.round] = value(cell)
    }
    self.init(values.map { ($0, $1) })
  }

  private struct Entry {
    let name: String
    let values: [String: Double]
    let median: Double
  }

  private static func compare(_ better: Entry, _ worse: Entry) -> Pair {
    let rounds = better.values.keys.filter { worse.values[$0] != nil }.sorted()
    let values = rounds.map { (better.values[$0] ?? 0, worse.values[$0] ?? 0) }
    let differences = values.map { $1 - $0 }
    let hasRatios = !values.isEmpty && values.allSatisfy { $0 > 0 && $1 > 0 }
    let ratios = hasRatios ? values.map { log($1) - log($0) } : []
    let (ratio, difference) = (RankShift(paired: ratios), RankShift(paired: differences))
    return Pair(
      better: better.name, worse: worse.name, rounds: rounds.count,
      medianRatio: better.median > 0 ? worse.median / better.median : nil,
      ratio: ratio.map { exp($0.estimate) }, difference: difference?.estimate ?? 0,
      p: (ratio ?? difference)?.pTwoSided ?? 1, adjustedP: 1, isSeparated: false)
  }

  private static func places(of sorted: [Entry], separated: Set<[String]>) -> [Place] {
    var starts: [Int] = []
    for index in sorted.indices {
      let isCut = sorted[..<index].allSatisfy { above in
        sorted[index...].allSatisfy { separated.contains([above.name, $0.name]) }
      }
      starts.append(isCut ? index : starts[index - 1])
    }
    return sorted.indices.map { index in
      Place(
        name: sorted[index].name, median: sorted[index].median, rank: starts[index] + 1,
        isShared: starts.count { $0 == starts[index] } > 1)
    }
  }
}

extension Ranking {
  func separates(_ first: String, _ second: String) -> Bool {
    pairs.contains { $0.isSeparated && Set([$0.better, $0.worse]) == [first, second] }
  }
}

extension Ranking.Pair {
  /// Above zero if the second has larger values, on the tested scale.
  fileprivate var shift: Double { ratio.map { $0 - 1 } ?? difference }

  fileprivate var names: [String] { [better, worse] }
}
