package import Measurement

package struct DuetRule: Codable, Sendable, Equatable {
  /// Judged by statistics, in every target.
  package var metrics = [Metric.mainBlocked]
  package var counts = Metrics.exactCounts
  /// A target's pairs before its spread is estimated.
  package private(set) var firstPairs = 14
  /// The limit of a target at its second look.
  package private(set) var mostPairs = 80
  /// The planned probability that the second look flags a worsening by the margin.
  package var power = 0.975
  /// They replace `JudgingRule(for:)`.
  package var rules: [Metric: JudgingRule] = [:]

  package init() {}

  /// Limits the pairs that a target has at its second look, and its first pairs too.
  package mutating func limit(toPairs mostPairs: Int) {
    self.mostPairs = mostPairs
    firstPairs = min(firstPairs, mostPairs)
  }

  package func rule(for metric: Metric) -> JudgingRule {
    rules[metric] ?? JudgingRule(for: metric)
  }

  package func family(targets: Int) -> Int { targets * metrics.count }

  package func fewestPairs(targets: Int) -> Int {
    TwoLooks.judge(look: 0).fewestTrials(metrics: family(targets: targets))
  }
}

/// The size follows from the scatter of the first pairs' log ratios (or differences) about their
/// middle, which does not depend on which build is faster. At the first look the size may grow by
/// the same rule. It never shrinks.
package struct DuetSize: Codable, Sendable, Equatable {
  /// Pairs at the first look.
  package let first: Int
  package private(set) var last: Int
  /// Required by the scatter, before any limit.
  package private(set) var wanted: Int
  /// The spread of pairs, as a share of the baseline. Nil if unknown.
  package private(set) var spread: Double?

  init(_ looks: TwoLooks, measured: Int, spread: Double?) {
    first = max(looks.pairs[0], measured)
    last = max(looks.pairs[1], measured)
    wanted = max(looks.wanted, measured)
    self.spread = spread
  }

  mutating func grow(to later: DuetSize) {
    last = max(last, later.last)
    wanted = max(wanted, later.wanted)
    spread = later.spread
  }

  package var isLimited: Bool { wanted > last }
}
