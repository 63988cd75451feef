import Foundation
import Harness
@testable import Judging
import Measurement
import Support
import Testing
import Workload

@Suite struct PolicyFileTests {
  private func decode(_ yaml: String) throws -> Policy {
    try PolicyFile.decode(yaml, file: "policy.yaml")
  }

  private func problem(_ yaml: String) -> String { message { _ = try decode(yaml) } }

  @Test func `a policy with every kind of entry is decoded`() throws {
    let policy = try decode(
      """
      gate: [main_longest_gap_ms, changes_per_s]
      floors:
        main_blocked_ms: {relative: 5 %, absolute: 0.2, margin: 15%}
        main_faults_fired: {relative: 50 %, margin: 100 %}
      inexact:
        - metric: main_faults_fired
          topology: refetch
          scenario: 5000-cities
          reason: frames follow the clock
        - {metric: main_statements, reason: r}
      limits:
        - root-main-private: main_longest_gap_ms <= 16.7
        - "all@5000-cities: changes_per_s >= 1000"
      expectations:
        - notification-merge < root-main-private
        - main_longest_gap_ms@import: parent-child < main-only
      waivers:
        - metric: main_statements
          topology: parent-child
          at_most: 3700
          reason: validation needs a fetch of its own
          until: 2027-01-31
      """)
    #expect(policy.gated == [.mainLongestGap, .changesPerSecond])
    let rule = JudgingRule(relativeFloor: 0.05, absoluteFloor: 0.2, margin: 0.15)
    let faults = JudgingRule(relativeFloor: 0.5, absoluteFloor: 1, margin: 1)
    #expect(policy.rules == [.mainBlocked: rule, .mainFaultsFired: faults])
    #expect(
      policy.inexactCounts == [
        InexactCount(
          metric: .mainFaultsFired, topology: "refetch", scenario: "5000-cities",
          reason: "frames follow the clock"),
        InexactCount(metric: .mainStatements, reason: "r"),
      ])
    let first = Limit(
      topology: "root-main-private", metric: .mainLongestGap, relation: .atMost, bound: 16.7)
    let second = Limit(
      topology: nil, scenario: "5000-cities", metric: .changesPerSecond, relation: .atLeast,
      bound: 1000)
    #expect(policy.limits == [first, second])
    #expect(
      policy.expectations == [
        Expectation(better: "notification-merge", worse: "root-main-private"),
        Expectation(
          better: "parent-child", worse: "main-only", metric: .mainLongestGap, scenario: "import"),
      ])
    let until = try #require(CalendarDay("2027-01-31"))
    let waiver = Waiver(
      metric: .mainStatements, topology: "parent-child", limit: 3700,
      reason: "validation needs a fetch of its own", until: until)
    #expect(policy.waivers == [waiver])
  }

  @Test func `the documentation's example is a policy`() throws {
    let page = try String(
      contentsOfFile: "\(ScenarioLibrary.sourceTree)/Documentation/Explanation/Judging.md",
      encoding: .utf8)
    let yaml = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
    let policy = try decode(yaml.components(separatedBy: "```")[0])
    #expect(policy.limits.count == 2 && policy.expectations.count == 2)
    #expect(policy.gated.count == 1 && policy.rules.count == 1 && policy.waivers.count == 1)
    #expect(policy.inexactCounts.count == 1)
  }

  @Test func `this project's own policy is valid, with a limit for each inexact count`() throws {
    let policy = try PolicyFile.read("\(ScenarioLibrary.sourceTree)/results/gate.yaml")
    #expect(!policy.inexactCounts.isEmpty && policy.waivers.isEmpty)
    // A limit holds such a count on every machine, even where statistics only advise.
    for count in policy.inexactCounts {
      let hasLimit = policy.limits.contains {
        $0.metric == count.metric && $0.topology == count.topology
      }
      #expect(hasLimit, "\(count.metric) of \(count.topology ?? "all")")
    }
  }

  @Test func `an empty file, and empty lists, ask for nothing`() throws {
    #expect(try decode("") == Policy())
    #expect(try decode("# nothing yet\n") == Policy())
    #expect(try decode("gate:\nlimits: []\n") == Policy())
  }

  @Test(arguments: [
    ("gates: []", ":1: field 'gates': unknown field. Did you mean 'gate'? Allowed: gate, floors"),
    ("gate: 5", ":1: field 'gate': '5' is of the wrong type; must be a list"),
    ("gate:\n  - main_blockd_ms", ":2: field 'gate[1]': unknown metric 'main_blockd_ms'. Did you"),
    ("gate: [frames_due]", "neither better higher nor lower"),
    ("floors:\n  main_blocked_ms:\n    relative: 5", ":3: field 'floors.main_blocked_ms.relative'"),
    ("floors:\n  main_blocked_ms: {absolute: -1}", "must be a number, 0 or more"),
    ("floors:\n  main_blocked_ms: {relative: 20 %}", "the margin must be above the relative floor"),
    ("floors:\n  total_ms: {relative: 5 %}", ":2: field 'floors.total_ms': is not gated; name it"),
    (
      "floors:\n  main_statements: {relative: 5 %}",
      ":2: field 'floors.main_statements': an exact count has no floor"
    ),
    (
      "floors:\n  main_commits: {relative: 5 %}\ninexact:\n  - {metric: main_statements, reason: r}",
      "an exact count has no floor"
    ),
    ("inexact:\n  - metric: main_statements", ":2: field 'inexact[1]': needs metric and reason"),
    ("inexact:\n  - {metric: total_ms, reason: r}", "is no exact count, so it is judged by"),
    ("inexact:\n  - {metric: main_statments, reason: r}", "Did you mean 'main_statements'?"),
    (
      "inexact:\n  - {metric: main_statements, reason: r, until: 2027-01-31}",
      "field 'inexact[1].until': unknown field. Allowed in 'inexact[1]': metric, topology, scenario, reason"
    ),
    ("limits:\n  - total_ms < 5", ":2: field 'limits[1]': must read 'TOPOLOGY: METRIC <= NUMBER'"),
    ("limits:\n  - a: total_ms <= 5 ms", "must read"),
    ("limits:\n  - a: longest_gap_cause <= 5", "unknown metric 'longest_gap_cause'"),
    ("limits:\n  a: total_ms <= 5", "must be a list"),
    ("expectations:\n  - a < a", "must read 'TOPOLOGY < TOPOLOGY'"),
    ("expectations:\n\n  - sync_ms: a < b", ":3: field 'expectations[1]': 'sync_ms' is neither"),
    ("waivers:\n  - metric: main_statements", "needs metric, reason and until"),
    ("waivers:\n  - {metric: total_ms, reason: r, until: 2027-01-01}", "is no exact count"),
    (
      "waivers:\n  - metric: main_statements\n    reason: r\n    until: soon",
      ":4: field 'waivers[1].until': must be the last day"
    ),
    ("a: [", "malformed YAML"),
    ("gate: []\ngate: []", "field 'gate': occurs twice"),
    ("- a", ":1: a list is of the wrong type; must be a mapping"),
    ("? [a]\n: b", "must be plain text"),
  ])
  func `an error has file, line, field and allowed values`(
    yaml: String, words: String
  ) {
    let problem = problem(yaml)
    #expect(problem.hasPrefix("policy.yaml:"), "\(problem)")
    #expect(problem.contains(words), "\(problem)")
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func `endless nesting is an error, not a crash`(opening: String) {
    let problem = problem("gate: " + String(repeating: opening, count: 50_000))
    #expect(problem.hasPrefix("policy.yaml"), "\(problem.prefix(200))")
    let open = String(repeating: "\(opening)\n", count: 50_000)
    #expect(self.problem("gate:\n" + open).hasPrefix("policy.yaml"))
    let lines = (0..<1_200).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
    #expect(self.problem(lines).hasPrefix("policy.yaml"))
  }

  @Test func `a missing policy file is an error with the system's reason`() throws {
    let missing = #expect(throws: InputError.self) { try PolicyFile.read("/nowhere/policy.yaml") }
    #expect(missing?.description.contains("no such file or directory") == true)
    let folder = FileManager.default.temporaryDirectory
    let url = folder.appendingPathComponent("policy \(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data([0xFF, 0xFE, 0x00]).write(to: url)
    #expect(throws: InputError.self) { try PolicyFile.read(url.path) }
    try Data("gate: [total_ms]".utf8).write(to: url)
    #expect(try PolicyFile.read(url.path).gated == [.total])
  }
}
