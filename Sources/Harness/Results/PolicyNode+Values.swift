import Judging
import Support
import Measurement
import Workload
import Yams

// The values of a policy file, one at a time. Metrics are checked here; a topology is not, since
// executables may add their own: what is not measured is inconclusive when it is judged.

extension PolicyNode {
  /// A metric that can be judged by statistics.
  func gatedMetric() throws(UsageError) -> String {
    let metric = try metric(try text())
    guard metric.better != .neither else {
      throw error("'\(metric.name)' is neither better higher nor lower, so it cannot be gated")
    }
    return metric.name
  }

  func rules() throws(UsageError) -> [String: JudgingRule] {
    var rules: [String: JudgingRule] = [:]
    for (name, member) in try members() {
      rules[name] = try member.rule(for: try member.metric(name))
    }
    return rules
  }

  private func rule(for metric: Metric) throws(UsageError) -> JudgingRule {
    var rule = JudgingRule(for: metric)
    for (name, member) in try fields(allowed: ["relative", "absolute", "margin"]) {
      switch name {
      case "relative": rule.relativeFloor = try member.share()
      case "absolute": rule.absoluteFloor = try member.number()
      default: rule.margin = try member.share()
      }
    }
    guard rule.margin > rule.relativeFloor else {
      throw error(
        "the margin must be above the relative floor: between them lies what is tolerated")
    }
    return rule
  }

  /// `root-main-private: main_longest_gap_ms <= 16.7`, as a mapping or in quotation marks.
  func limit() throws(UsageError) -> Limit {
    let (place, condition) = try pair()
    let words = condition.split(separator: " ").map(String.init)
    guard let place, words.count == 3, let relation = Limit.Relation(rawValue: words[1]),
      let bound = Double(words[2]), bound.isFinite
    else {
      throw error(
        "must read 'TOPOLOGY: METRIC <= NUMBER' or '>=', for every topology 'all: …', "
          + "for one scenario 'TOPOLOGY@SCENARIO: …'")
    }
    let (topology, scenario) = Self.placed(place)
    return Limit(
      topology: topology == "all" ? nil : topology, scenario: scenario,
      metric: try metric(words[0]).name, relation: relation, bound: bound)
  }

  /// `notification-merge < root-main-private`, or with a metric before it.
  func expectation() throws(UsageError) -> Judging.Expectation {
    let (place, order) = try pair()
    let words = order.split(separator: " ").map(String.init)
    guard words.count == 3, words[1] == "<", words[0] != words[2] else {
      throw error(
        "must read 'TOPOLOGY < TOPOLOGY', the better one first, or 'METRIC: TOPOLOGY < TOPOLOGY', "
          + "for one scenario 'METRIC@SCENARIO: …'")
    }
    let (name, scenario) = Self.placed(place ?? Metric.mainBlocked.name)
    let metric = try metric(name)
    guard metric.better != .neither else {
      throw error("'\(metric.name)' is neither better higher nor lower")
    }
    return Judging.Expectation(
      better: words[0], worse: words[2], metric: metric.name, scenario: scenario)
  }

  func inexactCount() throws(UsageError) -> InexactCount {
    let fields = try fields(allowed: ["metric", "topology", "scenario", "reason"])
    let values = Dictionary(uniqueKeysWithValues: fields)
    guard let name = values["metric"], let reason = values["reason"] else {
      throw error("needs metric and reason; may have topology, scenario")
    }
    let metric = try name.metric(try name.text())
    guard metric.isIndependentOfScheduling else {
      throw name.error(
        "'\(metric.name)' is no exact count, so it is judged by statistics as it is")
    }
    return InexactCount(
      metric: metric.name, topology: try values["topology"]?.text(),
      scenario: try values["scenario"]?.text(), reason: try reason.text())
  }

  func waiver() throws(UsageError) -> Waiver {
    let allowed = ["metric", "topology", "scenario", "at_most", "reason", "until"]
    let fields = try fields(allowed: allowed)
    let values = Dictionary(uniqueKeysWithValues: fields)
    guard let name = values["metric"], let reason = values["reason"], let until = values["until"]
    else { throw error("needs metric, reason and until; may have topology, scenario, at_most") }
    let metric = try name.metric(try name.text())
    guard metric.isIndependentOfScheduling else {
      throw name.error(
        "'\(metric.name)' is no exact count: only those have waivers, a time has its floors")
    }
    guard let day = CalendarDay(try until.text()) else {
      throw until.error("must be the last day on which it holds, such as 2027-01-31")
    }
    return Waiver(
      metric: metric.name, topology: try values["topology"]?.text(),
      scenario: try values["scenario"]?.text(), limit: try values["at_most"]?.number(),
      reason: try reason.text(), until: day)
  }

  /// `a: b`, written as a mapping of one or as text; without a colon nothing stands before it.
  private func pair() throws(UsageError) -> (String?, String) {
    if node.mapping != nil {
      let members = try members()
      guard members.count == 1 else { throw error("one 'name: condition' for each '- '") }
      return (members[0].0, try members[0].1.text())
    }
    let parts = try text().split(separator: ":", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : (nil, parts[0])
  }

  /// `NAME@SCENARIO`
  private static func placed(_ text: String) -> (name: String, scenario: String?) {
    let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : nil)
  }

  private func metric(_ name: String) throws(UsageError) -> Metric {
    if let metric = Metrics.named(name), metric.kind != .label { return metric }
    let names = Metrics.all.filter { $0.kind != .label }.map(\.name)
    let nearest = NearestName.closest(to: name, in: names)
    let hint = nearest.map { "Did you mean '\($0)'?" } ?? "`topobench list metrics` shows them."
    throw error("unknown metric '\(name)'. \(hint)")
  }
}
