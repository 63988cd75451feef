import Foundation
package import Measurement

// Topologies are ranked as far as their trials separate them.
//
//   sorted by median     w      x      y      z
//   separated pairs      w–y  w–z    x–z    y–z          (w–x and x–y are not)
//   letters              A      AB     B      C
//
// Two topologies are separated exactly if they have no letter in common.
//
// The numbers of rounds and pairs choose the test, never the data:
//
//   few rounds    the rank sum: p can reach 2 / C(2n, n), so 8 trials rank 20 topologies
//   many rounds   signed ranks within rounds: p can reach 2 / 2ⁿ, which would take 13 trials
//
// Signed ranks begin where one round may contradict all others: from 12 rounds over two topologies,
// from 16 over four. Before, a single disturbed round would leave a pair open. Rounds that share
// the machine's speed make the rank sum miss small differences, but not see false ones. In the 72
// settings of results/full and results/baseline.csv, with 6 to 8 trials, the rank sum separates
// 1,317 of 2,120 pairs, and signed ranks none.

/// Compares log ratios, or differences if a value is not above zero. The tests are exact and
/// two-sided, with Holm's correction over all pairs.
package struct Ranking: Codable, Sendable, Equatable {
  package struct Place: Codable, Sendable, Equatable {
    package let name: String
    package let median: Double
    /// `A`, `AB`. Empty without a second topology, with too few trials, or if not to be trusted.
    package fileprivate(set) var letters: String
  }

  /// The better median comes first.
  package struct Pair: Codable, Sendable, Equatable {
    package let better: String
    package let worse: String
    /// The rounds that both have.
    package let rounds: Int
    /// The worse median over the better one, if that is above zero.
    package let medianRatio: Double?
    /// Whether the test and its estimates compare within rounds.
    package let pairing: Pairing
    /// Hodges–Lehmann estimate of worse / better, if values are above zero.
    package let ratio: Double?
    /// Hodges–Lehmann estimate of worse − better.
    package let difference: Double
    package let p: Double
    /// Corrected over all pairs.
    package fileprivate(set) var adjustedP: Double
    /// Never with fewer rounds than the ranking needs.
    package fileprivate(set) var isSeparated: Bool
  }

  /// Best first.
  package private(set) var places: [Place]
  package let pairs: [Pair]

  /// - Parameter topologies: their values by round. Two are compared by the rounds that both have.
  package init(_ topologies: [(name: String, values: [Double?])]) {
    let entries = topologies.compactMap { name, values in
      Statistics.median(values.compactMap(\.self)).map {
        Entry(name: name, values: values, median: $0)
      }
    }
    let sorted = entries.sorted { ($0.median, $0.name) < ($1.median, $1.name) }
    pairs = Self.pairs(sorted)
    places = sorted.map { Place(name: $0.name, median: $0.median, letters: "") }
    guard places.count > 1, hasTrials else { return }
    let ranked = places.indices.filter { isRanked(places[$0].name) }
    let letters = CompactLetters.all(ranked.map { places[$0].name }, separated: separated)
    for (index, letters) in zip(ranked, letters) { places[index].letters = letters }
  }

  /// - Parameter cells: only `ok` ones are ranked.
  package init(_ cells: some Sequence<CellResult>, by value: (CellResult) -> Double?) {
    var rounds: [CellGroup.Round: Int] = [:]
    var values: [String: [Double?]] = [:]
    for cell in cells where cell.status == .ok {
      let round = rounds[cell.round] ?? rounds.count
      rounds[cell.round] = round
      values[cell.topology, default: []].set(value(cell), at: round)
    }
    self.init(values.map { ($0, $1) })
  }

  private struct Entry {
    let name: String
    let values: [Double?]
    let median: Double
  }

  private static func pairs(_ sorted: [Entry]) -> [Pair] {
    let signed = Trials.signedRanks(topologies: sorted.count)
    var pairs = sorted.indices.flatMap { index in
      sorted[(index + 1)...].map { compare(sorted[index], $0, signedFrom: signed) }
    }
    let needed = Trials.needed(topologies: sorted.count)
    let hasTrials = pairs.contains { $0.rounds >= needed }
    for (index, p) in zip(pairs.indices, Statistics.holm(pairs.map(\.p))) {
      pairs[index].adjustedP = p
      // A pair that medians and the test order differently is not separated.
      pairs[index].isSeparated = hasTrials && p <= Trials.alpha && pairs[index].shift > 0
    }
    return pairs
  }

  /// - Parameter signed: the rounds from which signed ranks compare within rounds.
  private static func compare(_ better: Entry, _ worse: Entry, signedFrom signed: Int) -> Pair {
    let (first, second) = Statistics.pairs(better.values, worse.values)
    let pairing: Pairing = first.count < signed ? .unpaired : .paired
    let differences = RankSample(from: first, to: second, pairing)
    let ratios = RankSample(ratiosFrom: first, to: second, pairing)
    return Pair(
      better: better.name, worse: worse.name, rounds: first.count,
      medianRatio: better.median > 0 ? worse.median / better.median : nil, pairing: pairing,
      ratio: ratios.flatMap { RankShift.estimate(of: $0) }.map { exp($0) },
      difference: RankShift.estimate(of: differences) ?? 0,
      p: first.isEmpty ? 1 : RankShift.pTwoSided(of: ratios ?? differences), adjustedP: 1,
      isSeparated: false)
  }
}

extension Ranking {
  /// Whether two topologies share the rounds that a ranking needs. A topology alone needs none.
  package var hasTrials: Bool {
    let needed = Trials.needed(topologies: places.count)
    return places.count < 2 || pairs.contains { $0.rounds >= needed }
  }

  /// Whether it shares enough rounds with another topology. A topology alone needs none.
  package func isRanked(_ name: String) -> Bool {
    let needed = Trials.needed(topologies: places.count)
    return places.count < 2
      || pairs.contains { $0.rounds >= needed && $0.names.contains(name) }
  }

  package func separates(_ first: String, _ second: String) -> Bool {
    pairs.contains {
      $0.isSeparated && ($0.names == [first, second] || $0.names == [second, first])
    }
  }

  /// The topologies that these trials do not separate from the first one, and that one.
  package var best: [Place] { places.filter { !separates(places[0].name, $0.name) } }

  /// For figures that are not to be trusted.
  var withoutLetters: Ranking {
    var copy = self
    for index in places.indices { copy.places[index].letters = "" }
    return copy
  }

  private var separated: Set<[String]> { Set(pairs.filter(\.isSeparated).map(\.names)) }
}

extension [Double?] {
  fileprivate mutating func set(_ value: Double?, at index: Int) {
    while count <= index { append(nil) }
    self[index] = value
  }
}

extension Ranking.Pair {
  /// Above zero if the second has larger values, on the tested scale.
  fileprivate var shift: Double { ratio.map { $0 - 1 } ?? difference }

  fileprivate var names: [String] { [better, worse] }
}
