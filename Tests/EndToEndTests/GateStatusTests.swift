import Foundation
import Measurement
import Testing

/// The table of `Documentation/Explanation/Judging.md`: each report is made, and judged by the
/// command.
@Suite("What a dishonest or unlucky report ends with")
struct GateStatusTests {
  private let command = CommandRun()
  typealias Edit = (inout CellResult) -> Void

  /// Eight trials of two topologies, with counts and steady times.
  private func cells(_ run: String, trials: Int = 8, edit: Edit = { _ in }) -> [CellResult] {
    (1...trials).flatMap { trial in
      ["main-only", "parent-child"].map { topology in
        CellResult.sample(run, topology, trial: trial) {
          $0.order = 2 * trial + (topology == "main-only" ? 0 : 1)
          $0.metrics["main_blocked_ms"] = 20 + 0.01 * Double((trial * 3) % 8)
          $0.metrics["raw_sqlite_ms"] = 12
          $0.metrics["main_statements"] = 100
          edit(&$0)
        }
      }
    }
  }

  private func new(trials: Int = 8, _ edit: @escaping Edit = { _ in }) -> [CellResult] {
    cells("new", trials: trials, edit: edit)
  }

  private func gate(
    _ candidate: [CellResult], baseline: [CellResult]? = nil, policy: String? = nil,
    _ options: String...
  ) throws -> Int32 {
    try command.write(candidate, to: "new.csv")
    try command.write(baseline ?? cells("old"), to: "old.csv")
    if let policy { try command.write(policy, to: "policy.yaml") }
    return try judge(
      "old.csv", "new.csv", options + (policy == nil ? [] : ["--policy", "policy.yaml"]))
  }

  private func judge(
    _ baseline: String, _ candidate: String, _ options: [String] = []
  ) throws -> Int32 {
    try command.run(["gate", "--baseline", baseline, "--candidate", candidate] + options).status
  }

  /// Of unreadable texts on one side.
  private func statuses(of texts: [String], asCandidate: Bool) throws -> [Int32] {
    try command.write(cells(asCandidate ? "old" : "new"), to: "sound.csv")
    return try texts.map { text in
      try command.write(text, to: "text.csv")
      return try asCandidate ? judge("sound.csv", "text.csv") : judge("text.csv", "sound.csv")
    }
  }

  private static let malformed = ["", "\u{0}junk", "mine,and,not,a,report\n", CellCSV.header]

  private func with(
    _ edit: @escaping Edit, where condition: @escaping (CellResult) -> Bool
  ) -> [CellResult] {
    new { if condition($0) { edit(&$0) } }
  }

  private func reports() throws -> [String: [Int32]] {
    try passing().merging(failing()) { $0 + $1 }.merging(inconclusive()) { $0 + $1 }
      .merging(refused()) { $0 + $1 }
  }

  private func passing() throws -> [String: [Int32]] {
    let crashed = cells("old") { if $0.trial == 1 { $0.status = .crashed } }
    return [
      "no count rose": [try gate(new()), try gate(new { $0.metrics["main_statements"] = 99 })],
      "only the candidate has a topology": [
        try gate(new(), baseline: cells("old").filter { $0.topology == "main-only" })
      ],
      "a cell of the baseline crashed, and six others are `ok`": [
        try gate(new(), baseline: crashed)
      ],
      "times rose, and advise": [try gate(new { $0.metrics["main_blocked_ms"]? *= 3 })],
      "the baseline's rows under another run's name, which nobody can see": [
        try gate(cells("old") { $0.runID = "new" })
      ],
    ]
  }

  private func failing() throws -> [String: [Int32]] {
    let more = new { $0.metrics["main_statements"] = 101 }
    let waiver = "waivers:\n  - {metric: main_statements, reason: a, until: 2020-01-01}\n"
    let limit = "limits:\n  - all: main_statements <= 99\n"
    let strangers = cells("old") { $0.topology = "my-\($0.topology)" }
    var twice = new()
    twice.append(twice[0])
    twice[twice.count - 1].metrics["main_statements"] = 1
    return [
      "the candidate is missing or malformed": [try judge("old.csv", "none.csv")]
        + (try statuses(of: Self.malformed, asCandidate: true)),
      "the candidate has a figure below zero, or two different rows of one cell": [
        try gate(new { $0.metrics["main_statements"] = -1 }), try gate(twice),
      ],
      "a count rose": [try gate(more)],
      "a count rose, and its waiver has ended": [try gate(more, policy: waiver)],
      "a limit on a count is broken, also where nothing is compared": [
        try gate(new(), policy: limit), try gate(new(), baseline: strangers, policy: limit),
        try gate(cells("old"), policy: limit),
      ],
      "with `--times gate`, a time rose": [
        try gate(new { $0.metrics["main_blocked_ms"]? *= 1.2 }, "--times", "gate")
      ],
      "a cell of the candidate crashed, or all did": [
        try gate(with({ $0.status = .crashed }) { $0.trial == 3 }),
        try gate(new { $0.status = .crashed }), try gate(new { $0.status = .timeout }),
      ],
    ]
  }

  private func inconclusive() throws -> [String: [Int32]] {
    let part: (@escaping Edit) -> [CellResult] = { edit in
      cells("old") + cells("old", edit: edit)
    }
    let few = new(trials: 5)
    return [
      "fewer than six trials, or rows repeated to look like six": [
        try gate(few), try gate(few + few),
      ],
      "a count varies between trials": [
        try gate(new { $0.metrics["main_statements"] = Double(100 + $0.trial % 2) })
      ],
      "a topology, store mode, swept value or scenario of the baseline is missing": [
        try gate(new().filter { $0.topology == "main-only" }),
        try gate(new(), baseline: part { $0.store = "serial" }),
        try gate(new(), baseline: part { $0.parameters = #"{"data.rows":9}"# }),
        try gate(new(), baseline: part { $0.scenario = "import" }),
      ],
      "with `--times gate`, over a tenth of the cells are suspect": [
        try gate(with({ $0.status = .suspect }) { $0.trial == 3 }, "--times", "gate")
      ],
      "with `--times gate`, SQLite alone became slower": [
        try gate(new { $0.metrics["raw_sqlite_ms"] = 18 }, "--times", "gate")
      ],
    ]
  }

  private func refused() throws -> [String: [Int32]] {
    try command.link("dangling.csv", to: "gone.csv")
    let old = CellCSV.text(cells("old")).replacing("topobench/3", with: "topobench/9")
    let isChild = { (cell: CellResult) in cell.topology == "parent-child" }
    let limit = "limits:\n  - mian-only: main_statements <= 100\n"
    var shared = new()
    shared[3] = cells("old")[3]
    return [
      "the baseline is missing, a dangling link, empty, malformed or of another schema": [
        try judge("none.csv", "new.csv"), try judge("dangling.csv", "new.csv"),
      ] + (try statuses(of: Self.malformed + [old], asCandidate: false)),
      "one topology is of another version of the scenario, or of another seed": [
        try gate(with({ $0.scenarioDigest = "d2" }, where: isChild)),
        try gate(with({ $0.seed = 2 }, where: isChild)),
      ],
      "one topology ended with other rows": [
        try gate(with({ $0.fingerprint = "beef" }, where: isChild))
      ],
      "with `--times gate`, the machine is another or unknown": [
        try gate(new { $0.hostID = "h2" }, "--times", "gate"),
        try gate(new { $0.hostID = "" }, "--times", "gate"),
      ],
      "a cell of the candidate is the baseline's": [try gate(cells("old")), try gate(shared)],
      "no topology is in common, or nothing but times": [
        try gate(new { $0.topology = "my-\($0.topology)" }),
        try gate(new { $0.metrics["main_statements"] = nil }),
      ],
      "the policy or `--only` misspells a topology": [
        try gate(new(), policy: limit), try gate(new(), "--only", "mian-only"),
      ],
    ]
  }

  @Test(arguments: [true, false])
  func `a version or seed of one topology is another, though both sides hold both`(
    isVersion: Bool
  ) throws {
    func side(_ run: String, parentChildOf second: Bool) -> [CellResult] {
      let other = cells("\(run)-2") { cell in
        if isVersion { cell.scenarioDigest = "d2" } else { cell.seed = 2 }
        if cell.topology == "parent-child" { cell.metrics["main_statements"] = second ? 1000 : 100 }
      }
      return (cells(run) + other).filter { cell in
        cell.topology == "main-only" || (cell.runID == run) != second
      }
    }
    let baseline = side("old", parentChildOf: false)
    #expect(try gate(side("new", parentChildOf: true), baseline: baseline) == 5)
    #expect(try gate(side("new", parentChildOf: false), baseline: baseline) == 0)
  }

  @Test func `each report of the table ends with the status that the page says`() throws {
    let page = CommandRun.root.appendingPathComponent("Documentation/Explanation/Judging.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .drop { $0 != "| report | status |" }.dropFirst(2).prefix { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let reports = try reports()
    #expect(Set(rows.map { $0[0] }) == Set(reports.keys))
    for row in rows {
      let status = try #require(Int32(row[1]))
      let seen = reports[row[0]] ?? []
      #expect(seen.allSatisfy { $0 == status } && !seen.isEmpty, "\(row[0]): \(seen)")
    }
  }
}
