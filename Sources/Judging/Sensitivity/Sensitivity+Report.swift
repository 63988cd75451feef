import Measurement

extension Sensitivity {
  /// The events that a report counts on main, without inserted objects.
  private static let reported: [(event: String, metric: Metric)] = [
    ("statement", .mainStatements), ("row_decoded", .mainRowsRead),
    ("row_written", .mainRowsWritten), ("commit", .mainCommits), ("fault", .mainFaultsFired),
    ("push_up", .mainObjectsCopied), ("refresh", .mainObjectsRefreshed),
  ]
  private static let mostReported = 4

  /// From the exact counts of a report's best four topologies, at the core's own costs. Nil without
  /// counts of two, and for a run with prices.
  package init?(_ section: SummarySection) {
    let isPriced = section.topologies.contains { $0.median(.mainPriced) ?? 0 > 0 }
    let counts = section.topologies.compactMap(Self.counts).prefix(Self.mostReported)
    guard !isPriced, counts.count > 1 else { return nil }
    self.init(
      scenario: section.scenario, source: Self.coreSource, pricesUs: Self.corePricesUs,
      counts: Array(counts))
  }

  private static func counts(_ topology: TopologySummary) -> CountedEvents? {
    let medians = reported.compactMap { event, metric in
      topology.median(metric).flatMap { Int(exactly: $0.rounded()) }.map { (event, $0) }
    }
    guard medians.count == reported.count else { return nil }
    return CountedEvents(
      topology.name, main: Dictionary(uniqueKeysWithValues: medians.filter { $1 > 0 }),
      blocked: topology.median(.mainBlocked))
  }
}

extension Sensitivity {
  /// The prices of one event, in push-ups, between which the order stays.
  package struct StableRange: Sendable, Equatable {
    package let event: String
    package let here: Double
    /// Nil without a bound.
    package let lower: Double?
    package let upper: Double?
  }

  /// Of each event whose price turns the order, the nearest turn first.
  package var stableRanges: [StableRange] {
    var events: [String] = []
    for turn in turns where !events.contains(turn.event) { events.append(turn.event) }
    return events.compactMap { event in
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
