import Foundation
package import Measurement
package import Support

/// The contents of a project's policy file: its requirements beyond the defaults, and exceptions.
package struct Policy: Sendable, Equatable {
  /// In addition to the default metrics.
  package var gated: [Metric] = []
  /// They replace the default ones.
  package var rules: [Metric: JudgingRule] = [:]
  package var inexactCounts: [InexactCount] = []
  package var limits: [Limit] = []
  package var expectations: [Expectation] = []
  package var waivers: [Waiver] = []
  /// The topologies to gate, on both sides. Empty for all.
  package var only: [String] = []
  /// The topologies that entries of a file name.
  package var named: [NamedTopology] = []

  package struct NamedTopology: Sendable, Equatable {
    package let name: String
    /// Nil if the entry holds for every scenario.
    package let scenario: String?
    /// Of the entry, for errors.
    package let origin: InputError.Origin
    package let field: String

    package init(_ name: String, in scenario: String?, at origin: InputError.Origin, field: String)
    {
      (self.name, self.scenario, self.origin, self.field) = (name, scenario, origin, field)
    }
  }

  package init() {}

  /// Without entries of left-out topologies.
  var narrowed: Policy {
    guard !only.isEmpty else { return self }
    var policy = self
    policy.inexactCounts.removeAll { isLeftOut($0.topology) }
    policy.limits.removeAll { isLeftOut($0.topology) }
    policy.expectations.removeAll { isLeftOut($0.better) || isLeftOut($0.worse) }
    policy.waivers.removeAll { isLeftOut($0.topology) }
    return policy
  }

  private func isLeftOut(_ topology: String?) -> Bool {
    topology.map { !only.contains($0) } ?? false
  }

  package func rule(for metric: Metric) -> JudgingRule {
    rules[metric] ?? JudgingRule(for: metric)
  }

  /// The first entry that declares an exact count inexact for these cells.
  func inexact(_ metric: Metric, of key: CellKey) -> InexactCount? {
    guard metric.isIndependentOfScheduling else { return nil }
    return inexactCounts.first { $0.covers(key, metric: metric) }
  }
}

/// A count that is exact elsewhere, but depends on scheduling here. The policy names it, and
/// statistics judge it.
package struct InexactCount: Sendable, Equatable, Codable {
  package var metric: Metric
  /// Nil for every topology.
  package var topology: String?
  /// Nil for every scenario.
  package var scenario: String?
  package var reason: String

  package init(metric: Metric, topology: String? = nil, scenario: String? = nil, reason: String) {
    self.metric = metric
    self.topology = topology
    self.scenario = scenario
    self.reason = reason
  }

  func covers(_ key: CellKey, metric: Metric) -> Bool {
    self.metric == metric && key.isOf(topology: topology, scenario: scenario)
  }
}

/// `root-main-private: main_longest_gap_ms <= 16.7`
package struct Limit: Sendable, Equatable, Codable {
  package enum Relation: String, Sendable, Codable {
    case atMost = "<="
    case atLeast = ">="
  }

  /// Nil for every topology.
  package var topology: String?
  /// Nil for every scenario.
  package var scenario: String?
  package var metric: Metric
  package var relation: Relation
  /// In the metric's unit.
  package var bound: Double

  package init(
    topology: String?, scenario: String? = nil, metric: Metric, relation: Relation, bound: Double
  ) {
    self.topology = topology
    self.scenario = scenario
    self.metric = metric
    self.relation = relation
    self.bound = bound
  }
}

/// `notification-merge < root-main-private`, in the metric's better direction.
package struct Expectation: Sendable, Equatable, Codable {
  package var better: String
  package var worse: String
  package var metric: Metric
  package var scenario: String?

  package init(
    better: String, worse: String, metric: Metric = .mainBlocked, scenario: String? = nil
  ) {
    self.better = better
    self.worse = worse
    self.metric = metric
    self.scenario = scenario
  }
}

/// A higher exact count that is accepted for a while.
package struct Waiver: Sendable, Equatable, Codable {
  package var metric: Metric
  package var topology: String?
  package var scenario: String?
  /// The most that is accepted. Nil for any.
  package var limit: Double?
  package var reason: String
  /// The last day on which it holds.
  package var until: CalendarDay

  package init(
    metric: Metric, topology: String? = nil, scenario: String? = nil, limit: Double? = nil,
    reason: String, until: CalendarDay
  ) {
    self.metric = metric
    self.topology = topology
    self.scenario = scenario
    self.limit = limit
    self.reason = reason
    self.until = until
  }

  func covers(_ key: CellKey, _ judgement: CountJudgement, metric: Metric) -> Bool {
    self.metric == metric && key.isOf(topology: topology, scenario: scenario)
      && (judgement.candidate?.largest ?? 0) <= limit ?? .infinity
  }
}

/// A Gregorian day, written `2027-01-31`.
package struct CalendarDay: RawRepresentable, Sendable, Hashable, Comparable, Codable,
  CustomStringConvertible
{
  package let rawValue: String

  package init?(rawValue: String) {
    let style = Date.ISO8601FormatStyle.iso8601.year().month().day()
    guard let date = try? style.parse(rawValue), date.formatted(style) == rawValue else {
      return nil
    }
    self.rawValue = rawValue
  }

  package init?(_ text: String) { self.init(rawValue: text) }

  package var description: String { rawValue }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
