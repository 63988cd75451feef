import Measurement

/// What a duet judges, and how far it goes for it.
package struct DuetRule: Codable, Sendable, Equatable {
  /// Judged by statistics, each for itself in every target.
  package var metrics = ["main_blocked_ms"]
  /// Counts that do not depend on scheduling.
  package var counts = Metrics.exactCounts
  /// Pairs of a target after which its spread is looked at.
  package private(set) var firstPairs = 14
  /// The most pairs of a target at its second look.
  package private(set) var mostPairs = 80
  /// How probable it is, as planned, that a worsening by the margin is flagged at the second look;
  /// confirmed it must be too.
  package var power = 0.975
  /// By metric; what is not here is judged by `JudgingRule(for:)`.
  package var rules: [String: JudgingRule] = [:]

  package init() {}

  /// - Parameter mostPairs: of a target at its second look. Never are more first pairs measured.
  package mutating func limit(toPairs mostPairs: Int) {
    self.mostPairs = mostPairs
    firstPairs = min(firstPairs, mostPairs)
  }

  package func rule(for metric: String) -> JudgingRule {
    rules[metric] ?? Metrics.named(metric).map { JudgingRule(for: $0) } ?? JudgingRule()
  }

  /// How many times are judged together.
  package func family(targets: Int) -> Int { targets * metrics.count }

  /// The fewest pairs of a target with which anything can be said of so many targets.
  package func fewestPairs(targets: Int) -> Int {
    TwoLooks.judge(look: 0).fewestTrials(metrics: family(targets: targets))
  }
}
