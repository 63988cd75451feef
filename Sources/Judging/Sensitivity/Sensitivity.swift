import Foundation
import Measurement
import Support

// Main's charged time is Σ count × price of its events, linear in each price. So two topologies
// cross at most once:
//
//   charged ms │      ╱ notification-merge: many merged objects
//              │   ╳───── root-main-private: many push-ups
//              │ ╱
//              └───┴──────── price of a merged object ÷ price of a push-up

/// The price ratios at which the order of two topologies turns, from counted events.
///
/// One price changes at a time, against the price of a push-up. Main's waits are not computed.
package struct Sensitivity: Codable, Sendable, Equatable {
  package let scenario: String
  /// Such as `the device profile 'iphone-6-2018'`.
  package let source: String
  /// By event.
  package let pricesUs: [String: Double]
  /// In the order of their charged time.
  package let topologies: [ChargedTopology]
  /// The turn nearest to the given prices comes first.
  package var turns: [Turn]
  package var badCells = 0

  package static let reference = EventPrice.pushUp
  package static let ratios = 0.01...100.0
  package static let mostChecks = 5
  /// The least difference of two charged times at half and at twice a turn's ratio, as a share.
  static let leastDifference = 0.05
  /// For a scenario without prices: a hundred times the core's own costs. The machine's own time is
  /// then about a hundredth.
  package static let corePricesUs = Dictionary(
    uniqueKeysWithValues: EventPrice.all.compactMap { event in
      event.coreUs.map { (event.name, ($0 * 1000).rounded() / 10) }
    })
  package static let coreSource = "the storage core itself, a hundred times"
  private static let changed = EventPrice.all.map(\.name).filter { $0 != reference }

  /// - Precondition: a push-up has a price.
  package init(
    scenario: String, source: String, pricesUs: [String: Double], counts: [ChargedTopology]
  ) {
    self.scenario = scenario
    self.source = source
    self.pricesUs = pricesUs
    var charged = counts
    for index in charged.indices {
      // Sums in another order differ in the last digit, and would order equal topologies anew.
      let events = charged[index].main.sorted { $0.key < $1.key }
      charged[index].charged = events.reduce(0) { sum, event in
        sum + (pricesUs[event.key] ?? 0) * Double(event.value) / 1000
      }
    }
    topologies = charged.sorted { $0.charged < $1.charged }
    turns = []
    turns = Self.changed.flatMap(turns(of:)).sorted { $0.distance < $1.distance }
  }

  package struct ChargedTopology: Codable, Sendable, Equatable {
    package let topology: String
    /// Its events on main.
    package let main: [String: Int]
    /// The sum in ms of the prices of its events on main.
    package fileprivate(set) var charged = 0.0
    /// `main_blocked_ms` of the counted cell.
    package let blocked: Double?

    package init(_ topology: String, main: [String: Int], blocked: Double?) {
      self.topology = topology
      self.main = main
      self.blocked = blocked
    }
  }

  /// `overtaking` has less time on main than `overtaken` above the ratio, and more below it.
  package struct Turn: Codable, Sendable, Equatable {
    package let event: String
    /// The event's price, in push-ups.
    package let ratio: Double
    /// The ratio at the given prices.
    package let here: Double
    package let overtaking: String
    package let overtaken: String
    /// Nil unless sound cells checked the turn.
    package var check: Check?

    /// The ratios at which cells check the turn.
    package var sides: (lower: Double, upper: Double) { (ratio / 2, ratio * 2) }

    fileprivate var distance: Double { abs(log(ratio / here)) }
  }

  /// `main_blocked_ms` of cells at half and at twice the ratio.
  package struct Check: Codable, Sendable, Equatable {
    package let lower: Pair
    package let upper: Pair
    package let isConfirmed: Bool

    package struct Pair: Codable, Sendable, Equatable {
      package let overtaking: Double
      package let overtaken: Double

      package init(overtaking: Double, overtaken: Double) {
        self.overtaking = overtaking
        self.overtaken = overtaken
      }
    }

    package init(lower: Pair, upper: Pair) {
      self.lower = lower
      self.upper = upper
      isConfirmed = lower.overtaking > lower.overtaken && upper.overtaking < upper.overtaken
    }
  }
}

extension Sensitivity {
  package func pricesUs(_ event: String, at ratio: Double) -> [String: Double] {
    pricesUs.merging([event: ratio * (pricesUs[Self.reference] ?? 0)]) { $1 }
  }

  private func turns(of event: String) -> [Turn] {
    topologies.indices.flatMap { first in
      topologies[(first + 1)...].compactMap { turn(of: event, topologies[first], $0) }
    }
  }

  private func turn(of event: String, _ one: ChargedTopology, _ other: ChargedTopology) -> Turn? {
    let unit = (pricesUs[Self.reference] ?? 0) / 1000
    func slope(_ topology: ChargedTopology) -> Double { Double(topology.main[event] ?? 0) * unit }
    func rest(_ topology: ChargedTopology) -> Double {
      topology.charged - Double(topology.main[event] ?? 0) * (pricesUs[event] ?? 0) / 1000
    }
    guard slope(one) != slope(other) else { return nil }
    let (gentle, steep) = slope(one) < slope(other) ? (one, other) : (other, one)
    let ratio = (rest(gentle) - rest(steep)) / (slope(steep) - slope(gentle))
    let turn = Turn(
      event: event, ratio: ratio, here: (pricesUs[event] ?? 0) / (unit * 1000),
      overtaking: gentle.topology, overtaken: steep.topology)
    func differ(at ratio: Double) -> Bool {
      let times = [gentle, steep].map { rest($0) + slope($0) * ratio }
      return abs(times[0] - times[1]) >= Self.leastDifference * times.max()!
    }
    let isClear = differ(at: turn.sides.lower) && differ(at: turn.sides.upper)
    return Self.ratios.contains(ratio) && isClear ? turn : nil
  }
}

extension Sensitivity {
  /// The events that a report counts on main.
  private static let reported = EventPrice.all.filter { !$0.counts.isEmpty }
  private static let mostReported = 4

  /// Uses exact counts of the four topologies that block main least, at `corePricesUs`. Nil if
  /// fewer than two topologies have counts, if the run charged a device's prices, or if the trials
  /// separate two of them in the opposite order.
  package init?(_ section: SummarySection) {
    // Other phases count statements and rows alone, so most prices cannot be applied to them.
    let isPriced = section.topologies.contains { $0.median(.mainPriced) ?? 0 > 0 }
    let counts = section.topologies.compactMap(Self.counts).prefix(Self.mostReported)
    let isAsked = section.question.phase == .change
    guard isAsked, !isPriced, counts.count > 1 else { return nil }
    self.init(
      scenario: section.scenario, source: Self.coreSource, pricesUs: Self.corePricesUs,
      counts: Array(counts))
    let names = topologies.map(\.topology)
    let isContradicted = section.ranking.pairs.contains { pair in
      guard let better = names.firstIndex(of: pair.better),
        let worse = names.firstIndex(of: pair.worse)
      else { return false }
      return pair.isSeparated && worse < better
    }
    if isContradicted { return nil }
  }

  private static func counts(_ topology: TopologySummary) -> ChargedTopology? {
    let medians = reported.compactMap { event -> (String, Int)? in
      // Older reports lack the later counts.
      let counts = event.counts.compactMap(topology.median)
      guard topology.median(event.counts[0]) != nil else { return nil }
      return Int(exactly: counts.reduce(0, +).rounded(.down)).map { (event.name, $0) }
    }
    guard medians.count == reported.count else { return nil }
    return ChargedTopology(
      topology.name, main: Dictionary(uniqueKeysWithValues: medians.filter { $1 > 0 }),
      blocked: topology.median(Question.change.blocked))
  }
}

extension Sensitivity {
  /// The range of one event's price, in push-ups, in which the order does not change.
  package struct StableRange: Sendable, Equatable {
    package let event: String
    package let here: Double
    /// Nil without a bound.
    package let lower: Double?
    package let upper: Double?
  }

  /// One range for each event whose price turns the order. The nearest turn comes first.
  package var stableRanges: [StableRange] {
    turns.map(\.event).unique.compactMap { event in
      let own = turns.filter { $0.event == event }
      return own.first.map { first in
        StableRange(
          event: event, here: first.here,
          lower: own.map(\.ratio).filter { $0 < first.here }.max(),
          upper: own.map(\.ratio).filter { $0 >= first.here }.min())
      }
    }
  }
}
