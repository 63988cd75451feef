import Foundation
import Judging
import Measurement
import Support

/// The values of a policy file. Topologies are not checked here, because executables may add their
/// own, and a report may have another executable's.
extension LocatedNode {
  func gatedMetric() throws(InputError) -> Metric {
    let metric = try metric(try text())
    guard metric.better != .neither else {
      throw error("'\(metric.name)' is neither better higher nor lower, so it cannot be gated")
    }
    return metric
  }

  func topology() throws(InputError) -> String { try text("the name of a topology") }

  func rules() throws(InputError) -> [Metric: JudgingRule] {
    var rules: [Metric: JudgingRule] = [:]
    for (name, member) in try members() {
      let metric = try member.metric(name)
      rules[metric] = try member.rule(for: metric)
    }
    return rules
  }

  private func rule(for metric: Metric) throws(InputError) -> JudgingRule {
    var rule = JudgingRule(for: metric)
    for (name, member) in try members(named: PolicyFile.floorFields) {
      switch name {
      case "relative": rule.relativeFloor = try member.share()
      case "absolute": rule.absoluteFloor = try member.amount()
      default: rule.margin = try member.share()
      }
    }
    guard rule.margin > rule.relativeFloor else {
      throw error(
        "the margin must be above the relative floor: a change below the floor never fails, and a"
          + " pass excludes a change of the margin")
    }
    return rule
  }

  /// `root-main-private: main_longest_gap_ms <= 16.7`, as a mapping or in quotation marks.
  func limit() throws(InputError) -> Limit {
    let (target, condition) = try pair()
    let words = condition.split(separator: " ").map(String.init)
    guard let target, words.count == 3, let relation = Limit.Relation(rawValue: words[1]),
      let bound = Double(words[2]), bound.isFinite
    else {
      throw error(
        "must read 'TOPOLOGY: METRIC <= NUMBER' or '>=', for every topology 'all: …', "
          + "for one scenario 'TOPOLOGY@SCENARIO: …'")
    }
    let (topology, scenario) = Self.splitAtScenario(target)
    return Limit(
      topology: topology == "all" ? nil : topology, scenario: scenario,
      metric: try metric(words[0]), relation: relation, bound: bound)
  }

  /// `notification-merge < root-main-private`, or with a metric before it.
  func expectation() throws(InputError) -> Judging.Expectation {
    let (target, order) = try pair()
    let words = order.split(separator: " ").map(String.init)
    guard words.count == 3, words[1] == "<", words[0] != words[2] else {
      throw error(
        "must read 'TOPOLOGY < TOPOLOGY', the better one first, or 'METRIC: TOPOLOGY < TOPOLOGY', "
          + "for one scenario 'METRIC@SCENARIO: …'")
    }
    let (name, scenario) = Self.splitAtScenario(target ?? Metric.mainBlocked.name)
    let metric = try metric(name)
    guard metric.better != .neither else {
      throw error("'\(metric.name)' is neither better higher nor lower")
    }
    return Judging.Expectation(
      better: words[0], worse: words[2], metric: metric, scenario: scenario)
  }

  func inexactCount() throws(InputError) -> InexactCount {
    let values = try values(named: PolicyFile.inexactFields)
    guard let name = values["metric"], let reason = values["reason"] else {
      throw error("needs metric and reason; may have topology, scenario")
    }
    return InexactCount(
      metric: try name.exactCount(else: "so it is judged by statistics as it is"),
      topology: try values["topology"]?.text(), scenario: try values["scenario"]?.text(),
      reason: try reason.text())
  }

  func waiver() throws(InputError) -> Waiver {
    let values = try values(named: PolicyFile.waiverFields)
    guard let name = values["metric"], let reason = values["reason"], let until = values["until"]
    else { throw error("needs metric, reason and until; may have topology, scenario, at_most") }
    guard let day = CalendarDay(try until.text()) else {
      throw until.error("must be the last day on which it holds, such as 2027-01-31")
    }
    return Waiver(
      metric: try name.exactCount(else: "and only those have waivers; a time has its floors"),
      topology: try values["topology"]?.text(), scenario: try values["scenario"]?.text(),
      limit: try values["at_most"]?.amount(), reason: try reason.text(), until: day)
  }

  private func values(named names: [String]) throws(InputError) -> [String: LocatedNode] {
    Dictionary(uniqueKeysWithValues: try members(named: names))
  }

  private func exactCount(else consequence: String) throws(InputError) -> Metric {
    let metric = try metric(try text())
    guard metric.isIndependentOfScheduling else {
      throw error("'\(metric.name)' is no exact count, \(consequence)")
    }
    return metric
  }

  /// `a: b`, as a mapping with one member or as text. Without a colon, the first part is nil.
  private func pair() throws(InputError) -> (String?, String) {
    if isMapping {
      let members = try members()
      guard members.count == 1 else { throw error("one 'name: condition' for each '- '") }
      return (members[0].name, try members[0].node.text())
    }
    let parts = try text().split(separator: ":", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : (nil, parts[0])
  }

  /// `NAME@SCENARIO`
  private static func splitAtScenario(_ text: String) -> (name: String, scenario: String?) {
    let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count == 2 ? parts[1] : nil)
  }

  private func metric(_ name: String) throws(InputError) -> Metric {
    if let metric = Metrics.named(name), metric.kind != .label { return metric }
    let names = Metrics.all.filter { $0.kind != .label }.map(\.name)
    let nearest = NearestName.closest(to: name, in: names)
    let hint = nearest.map { "Did you mean '\($0)'?" } ?? "`topobench list metrics` shows them."
    throw error("unknown metric \(name.quoted). \(hint)")
  }

  private func amount() throws(InputError) -> Double {
    try number(in: 0...Double.greatestFiniteMagnitude, "a number, 0 or more, without a unit")
  }

  /// `3 %`, as 0.03.
  private func share() throws(InputError) -> Double {
    let parts = try text().split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].isEmpty,
      let number = Double(parts[0].trimmingCharacters(in: .whitespaces)),
      (0...1000).contains(number)
    else { throw error("must be a percentage such as '3 %', from 0 to 1000 %") }
    return number / 100
  }
}
