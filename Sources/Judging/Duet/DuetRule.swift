package import Measurement

package struct DuetRule: Codable, Sendable, Equatable {
  /// Judged by statistics, separately in every target.
  package var metrics = [Metric.mainBlocked]
  /// Counts that do not depend on scheduling.
  package var counts = Metrics.exactCounts
  /// Pairs of a target after which its spread is estimated.
  package private(set) var firstPairs = 14
  /// The most pairs of a target at its second look.
  package private(set) var mostPairs = 80
  /// The planned probability that the second look flags a worsening by the margin.
  package var power = 0.975
  /// Rules that replace `JudgingRule(for:)`.
  package var rules: [Metric: JudgingRule] = [:]

  package init() {}

  /// - Parameter mostPairs: of a target at its second look. It limits the first pairs, too.
  package mutating func limit(toPairs mostPairs: Int) {
    self.mostPairs = mostPairs
    firstPairs = min(firstPairs, mostPairs)
  }

  package func rule(for metric: Metric) -> JudgingRule {
    rules[metric] ?? JudgingRule(for: metric)
  }

  /// How many times are judged together.
  package func family(targets: Int) -> Int { targets * metrics.count }

  /// The fewest pairs of a target with which a verdict on so many targets is possible.
  package func fewestPairs(targets: Int) -> Int {
    TwoLooks.judge(look: 0).fewestTrials(metrics: family(targets: targets))
  }
}
