import Foundation
import Judging
import Measurement
import Testing

@Suite("The exit status of the gate")
struct GateTests {
  private let command = CommandRun()

  /// Ten trials of two topologies, with noise of ± 1 %.
  func cells(
    _ run: String, slower: Double = 1, trials: Int = 10, edit: (inout CellResult) -> Void = { _ in }
  ) -> [CellResult] {
    (1...trials).flatMap { trial in
      ["main-only", "parent-child"].enumerated().map { index, topology in
        CellResult.sample(run, topology, trial: trial) {
          $0.order = 2 * trial + index
          let wobble = 1 + 0.01 * Double((trial * (run == "new" ? 3 : 7)) % 10 - 5) / 5
          $0.metrics["main_blocked_ms"] = 20 * wobble * (index == 1 ? slower : 1)
          $0.metrics["main_longest_gap_ms"] = 5 * wobble
          $0.metrics["main_statements"] = 3644
          edit(&$0)
        }
      }
    }
  }

  @discardableResult
  func gate(
    _ candidate: [CellResult], baseline: [CellResult]? = nil, _ arguments: String...,
    expecting status: Int32, saying words: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CommandRun.Outcome {
    try command.write(baseline ?? cells("old"), to: "old.csv")
    try command.write(candidate, to: "new.csv")
    return try judge(
      ["new.csv"] + arguments, expecting: status, saying: words, sourceLocation: sourceLocation)
  }

  @discardableResult
  private func judge(
    _ candidate: [String], baseline: String = "old.csv", expecting status: Int32,
    saying words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CommandRun.Outcome {
    try command.run(
      ["gate", "--baseline", baseline, "--candidate"] + candidate, expecting: status,
      saying: words, sourceLocation: sourceLocation)
  }

  @Test func `0 and 2: equal reports pass, a slower topology or one more statement fails`() throws {
    let same = try gate(cells("new"), "--times", "gate", expecting: 0)
    #expect(same.output.contains("Pass: none of 4 gated figures is worse."))
    let slower = try gate(cells("new", slower: 1.15), "--times", "gate", expecting: 2)
    #expect(slower.output.isFailing("parent-child"), "\(slower.output)")
    let more = try gate(
      cells("new") { $0.metrics["main_statements"] = 3645 }, "--format", "github", expecting: 2)
    #expect(more.output.hasPrefix("::error title=fail%3A main-only main_statements::3,644 → 3,645"))
  }

  @Test func `a duet's file holds both sides, which are judged in pairs`() throws {
    // Pairs differ by 30 %. In each pair the candidate is 6 % slower.
    func duet(slower: Double) -> [CellResult] {
      zip(cells("run"), cells("run")).enumerated().flatMap { index, pair in
        zip([pair.0, pair.1], [Side.baseline, .candidate]).map { cell, side in
          var cell = cell
          cell.duet = DuetMark(pair: cell.trial, side: side, phase: .first)
          cell.order = 2 * index + (side == .baseline ? 1 : 2)
          let spell = cell.trial.isMultiple(of: 2) ? 1.3 : 1
          cell.metrics["main_blocked_ms"] =
            20 * spell * (1 + 0.001 * Double(index % 7)) * (side == .candidate ? slower : 1)
          return cell
        }
      }
    }
    try command.write(duet(slower: 1.06), to: "slower.csv")
    let slower = try command.run("gate", "--duet", "slower.csv", expecting: 2)
    #expect(slower.output.isFailing("parent-child"), "\(slower.output)")
    try command.write(duet(slower: 1), to: "same.csv")
    try command.run("gate", "--duet", "same.csv", expecting: 0)

    try command.write(cells("old"), to: "apart.csv")
    try command.run("gate", "--duet", "apart.csv", expecting: 1, saying: "belong to no duet")
    try command.run(
      "gate", "--duet", "same.csv", "--candidate", "apart.csv", expecting: 64,
      saying: "--duet: its file holds both sides")
  }

  @Test func `1 and 5: the candidate or the baseline cannot be read`() throws {
    try gate(cells("new"), expecting: 0)
    for text in ["", "\u{0}\u{1}junk", CellCSV.header] {
      try command.write(text, to: "junk.csv")
      #expect(try judge(["junk.csv"], expecting: 1, saying: "junk.csv").output.isEmpty)
      #expect(try judge(["new.csv"], baseline: "junk.csv", expecting: 5).output.isEmpty)
    }
    try judge(["new.csv"], baseline: "none.csv", expecting: 5, saying: "none.csv")
  }

  @Test(arguments: ["main_blocked_ms", "main_statements"])
  func `1 and 5: a figure below zero is malformed`(metric: String) throws {
    try command.write(cells("old"), to: "old.csv")
    let negative = cells("new") { if $0.trial == 2 { $0.metrics[metric] = -30 } }
    try command.write(negative, to: "negative.csv")
    let candidate = try judge(
      ["negative.csv"], expecting: 1, saying: "negative.csv: line 4, column")
    #expect(candidate.output.isEmpty)
    #expect(candidate.errors.contains("\(metric): `-30"), "\(candidate.errors)")
    #expect(try judge(["old.csv"], baseline: "negative.csv", expecting: 5).output.isEmpty)
  }

  @Test func `1 and 5: a cell that occurs twice with different values is malformed`() throws {
    var doubled = cells("new")
    doubled.append(doubled[3])
    try gate(doubled, expecting: 0)
    doubled[doubled.count - 1].metrics["main_blocked_ms"] = 1
    try command.write(doubled, to: "doubled.csv")
    for name in ["gate", "compare"] {
      let candidate = try command.run(
        name, "--baseline", "old.csv", "--candidate", "doubled.csv", expecting: 1,
        saying: "doubled.csv: line 22, column 1: parent-child, trial 2 of 5000-cities, pool store,"
          + " repeats line 5 with different values of main_blocked_ms;")
      #expect(candidate.output.isEmpty)
    }
    var changed = cells("new")
    changed[3].metrics["main_blocked_ms"] = 1
    try command.write(changed, to: "changed.csv")
    let two = try judge(
      ["new.csv", "changed.csv"], expecting: 1, saying: "changed.csv: line 5, column 1: ")
    #expect(two.errors.contains("repeats line 5 of 'new.csv'"), "\(two.errors)")
    try judge(["old.csv"], baseline: "doubled.csv", expecting: 5)
  }

  @Test func `3: a cell of the candidate crashed`() throws {
    let cells = cells("new", slower: 1.3) {
      if $0.trial == 3 { ($0.status, $0.error) = (.crashed, "ended by signal 11") }
    }
    let crashed = try gate(cells, expecting: 3)
    #expect(crashed.output.contains("ended by signal 11"), "\(crashed.output)")
  }

  @Test func `4: too few trials are inconclusive, and the message says how many suffice`() throws {
    let json = try gate(cells("new", trials: 3), "--format", "json", expecting: 4).json()
    #expect(json["exit_status"] as? Int == 4 && json["times"] as? String == "advise")
    #expect((json["needed_trials"] as? Int ?? 0) >= 6)
  }

  @Test func `4: a missing part of the baseline is named in every format`() throws {
    let half = cells("new").filter { $0.topology == "main-only" }
    for format in ["table", "markdown", "html", "json", "junit", "github"] {
      let outcome = try gate(half, "--format", format, expecting: 4)
      #expect(outcome.output.contains("parent-child"), "\(format): \(outcome.output)")
      #expect(outcome.output.words.contains("missing"), "\(format): \(outcome.output)")
    }
    let table = try gate(half, expecting: 4)
    #expect(
      table.output.words.contains("1 part of the baseline is missing from the candidate"),
      "\(table.output)")
  }

  @Test func `4: a calm baseline and a loaded candidate are inconclusive, with the reason`() throws
  {
    func measured(_ run: String, load: Double) -> [CellResult] {
      cells(run) {
        $0.metrics["raw_sqlite_ms"] = 12 * load
        $0.metrics["main_blocked_ms"]? *= load
      }
    }
    let baseline = measured("old", load: 1)
    let loaded = try gate(
      measured("new", load: 1.72), baseline: baseline, "--times", "gate", expecting: 4)
    #expect(loaded.output.words.contains("SQLite alone took 1.72 times as long"))
    try gate(measured("new", load: 1), baseline: baseline, "--times", "gate", expecting: 0)
  }

  @Test func `times are shown and counts decide, unless --times gate lets times decide too`() throws
  {
    let slower = cells("new", slower: 3)
    for edit in [{ _ in }, { $0.hostID = "h2" }] as [(inout CellResult) -> Void] {
      let shown = try gate(cells("new", slower: 3, edit: edit), expecting: 0)
      #expect(
        shown.output.words.hasSuffix(
          "Pass: none of 2 gated figures is worse. Times advise only: 1 of 2 is worse"
            + " (--times gate lets them decide)."), "\(shown.output)")
    }
    try gate(slower, "--times", "gate", expecting: 2)
    let more = cells("new", slower: 3) { $0.metrics["main_statements"] = 4000 }
    try gate(more, expecting: 2)
    try gate(slower, "--times", "never", expecting: 64)
    try command.write("limits:\n  - all: main_longest_gap_ms <= 1\n", to: "policy.yaml")
    let limited = try gate(cells("new"), "--policy", "policy.yaml", expecting: 0)
    #expect(limited.output.words.contains("2 of 4 are worse"), "\(limited.output)")
    try gate(cells("new"), "--policy", "policy.yaml", "--times", "gate", expecting: 2)
  }

  @Test func `--only narrows both sides, by option or by policy, and says so`() throws {
    let half = cells("new").filter { $0.topology == "main-only" }
    for format in ["table", "markdown", "html", "json", "junit", "github"] {
      let outcome = try gate(half, "--only", "main-only", "--format", format, expecting: 0)
      #expect(outcome.output.words.contains("Only main-only was looked at."), "\(format)")
    }
    try command.write("only: [main-only]\nlimits:\n  - parent-child: total_ms <= 1\n", to: "p.yaml")
    try gate(half, "--policy", "p.yaml", expecting: 0)
    try gate(cells("new", slower: 2), "--only", "main-only", "--times", "gate", expecting: 0)
    try gate(half, "--only", "parent-child", expecting: 6)
    try gate(half, "--only", "mian-only", expecting: 64, saying: "no topology 'mian-only'")
    try gate(half, "--only", "main-only", "--update-baseline", expecting: 64)
  }

  @Test func `5: a baseline of another machine is refused unless allowed`() throws {
    let elsewhere = cells("new", slower: 1.5) { $0.hostID = "h2" }
    let refused = try gate(elsewhere, "--times", "gate", expecting: 5)
    #expect(refused.output.contains("--allow-other-machine"))
    let allowed = try gate(elsewhere, "--times", "gate", "--allow-other-machine", expecting: 0)
    #expect(allowed.output.words.contains("advises only"), "\(allowed.output)")
    let worse = cells("new") {
      $0.hostID = "h2"
      $0.metrics["main_statements"] = 4000
    }
    try gate(worse, "--times", "gate", "--allow-other-machine", expecting: 2)
    let unknown = cells("new", slower: 1.5) { $0.hostID = "" }
    let baseline = cells("old") { $0.hostID = "" }
    try gate(unknown, baseline: baseline, "--times", "gate", expecting: 5)
    try gate(
      unknown, baseline: baseline, "--times", "gate", "--allow-other-machine", expecting: 0)
    try gate(cells("new") { $0.scenarioDigest = "d2" }, expecting: 5)
  }

  @Test func `6: nothing was compared`() throws {
    try gate(cells("new") { $0.topology = "my-\($0.topology)" }, expecting: 6)
    let itself = try gate(cells("old"), expecting: 6)
    #expect(itself.output.words.contains("measure the candidate"))
  }

  @Test func `64: the command line or the policy is wrong`() throws {
    try command.run("gate", "--baseline", "old.csv", expecting: 64)
    try gate(cells("new"), "--metric", "main_blockd_ms", expecting: 64)
    try gate(cells("new"), "--format", "csv", expecting: 64)
    try command.write("limits:\n  - parent-child: total_ms\n", to: "policy.yaml")
    let policy = try gate(
      cells("new"), "--policy", "policy.yaml", expecting: 64,
      saying: "policy.yaml:2: field 'limits[1]': must read")
    #expect(policy.output.isEmpty)
    try gate(cells("new"), "--policy", "none.yaml", expecting: 64)
  }

  @Test func `a policy adds gated metrics, limits, expectations and waivers`() throws {
    try command.write(
      """
      gate: [main_longest_gap_ms]
      limits:
        - all: main_longest_gap_ms <= 16.7
      expectations:
        - main-only < parent-child
      waivers:
        - metric: main_statements
          reason: validation needs a fetch of its own
          until: 2999-12-31
      """, to: "policy.yaml")
    let slower = cells("old", slower: 1.5)
    let more = cells("new", slower: 1.5) { $0.metrics["main_statements"] = 3700 }
    let accepted = try gate(
      more, baseline: slower, "--policy", "policy.yaml", "--times", "gate", expecting: 0)
    #expect(accepted.output.words.contains("validation needs a fetch of its own"))
    #expect(
      accepted.output.words.contains("which a waiver accepts; no other is worse."),
      "\(accepted.output)")
    try gate(more, baseline: slower, expecting: 2)
    let broken = cells("new", slower: 1.5) { $0.metrics["main_longest_gap_ms"] = 17 }
    try gate(broken, baseline: slower, "--policy", "policy.yaml", "--times", "gate", expecting: 2)
  }

  @Test func `4: a varying count is inconclusive; called inexact by a policy it can fail`() throws {
    func varying(_ run: String, more: Double = 0) -> [CellResult] {
      cells(run) { $0.metrics["main_statements"] = 3644 + Double($0.trial % 3) + more }
    }
    let (old, new) = (varying("old"), varying("new"))
    let open = try gate(new, baseline: old, expecting: 4)
    #expect(open.output.words.contains("`inexact` in the policy"), "\(open.output)")
    try command.write(
      "inexact:\n  - metric: main_statements\n    reason: it follows the frames\n",
      to: "policy.yaml")
    let said = try gate(
      new, baseline: old, "--policy", "policy.yaml", "--times", "gate", expecting: 0)
    #expect(said.output.words.contains("Held by statistics"), "\(said.output)")
    let worse = varying("new", more: 400)
    try gate(worse, baseline: old, "--policy", "policy.yaml", "--times", "gate", expecting: 2)
  }

  @Test(arguments: ["table", "markdown", "json", "junit", "github"])
  func `every format has the verdict and the same exit status`(format: String) throws {
    let outcome = try gate(
      cells("new", slower: 1.15), "--format", format, "--times", "gate", expecting: 2)
    #expect(outcome.output.contains("parent-child") && outcome.errors.isEmpty, "\(outcome)")
  }
}
