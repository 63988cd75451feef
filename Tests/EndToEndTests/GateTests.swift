import Foundation
import Judging
import Measurement
import Testing

@Suite("The exit status of the gate")
struct GateTests {
  private let command = CommandRun()

  /// Ten trials of two topologies, with noise of ± 1 %.
  private func cells(
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

  private func gate(
    _ candidate: [CellResult], baseline: [CellResult]? = nil, _ arguments: String...
  ) throws -> CommandRun.Outcome {
    try command.write(CellCSV.text(baseline ?? cells("old")), to: "old.csv")
    try command.write(CellCSV.text(candidate), to: "new.csv")
    return try command.run(
      ["gate", "--baseline", "old.csv", "--candidate", "new.csv"] + arguments)
  }

  @Test func `0 and 2: equal reports pass, a slower topology or one more statement fails`() throws {
    let same = try gate(cells("new"))
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    #expect(same.output.contains("Pass: none of 4 gated figures is worse."))
    let slower = try gate(cells("new", slower: 1.15))
    #expect(slower.status == 2)
    #expect(slower.output.isFailing("parent-child"), "\(slower.output)")
    let more = try gate(cells("new") { $0.metrics["main_statements"] = 3645 }, "--format", "github")
    #expect(more.status == 2)
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
    try command.write(CellCSV.text(duet(slower: 1.06)), to: "slower.csv")
    let slower = try command.run("gate", "--duet", "slower.csv")
    #expect(slower.status == 2, "\(slower.output)\(slower.errors)")
    #expect(slower.output.isFailing("parent-child"), "\(slower.output)")
    try command.write(CellCSV.text(duet(slower: 1)), to: "same.csv")
    #expect(try command.run("gate", "--duet", "same.csv").status == 0)

    try command.write(CellCSV.text(cells("old")), to: "apart.csv")
    let apart = try command.run("gate", "--duet", "apart.csv")
    #expect(apart.status == 1 && apart.errors.contains("belong to no duet"), "\(apart.errors)")
    let both = try command.run("gate", "--duet", "same.csv", "--candidate", "apart.csv")
    #expect(both.status == 64 && both.errors.contains("--duet: its file holds both sides"))
  }

  @Test func `1 and 5: the candidate or the baseline cannot be read`() throws {
    let junk = try gate(cells("new"))
    #expect(junk.status == 0)
    for text in ["", "\u{0}\u{1}junk", CellCSV.header] {
      try command.write(text, to: "junk.csv")
      let candidate = try command.run(
        "gate", "--baseline", "old.csv", "--candidate", "junk.csv")
      #expect(candidate.status == 1 && candidate.output.isEmpty, "\(candidate)")
      #expect(candidate.errors.contains("junk.csv"))
      let baseline = try command.run(
        "gate", "--baseline", "junk.csv", "--candidate", "new.csv")
      #expect(baseline.status == 5 && baseline.output.isEmpty, "\(baseline)")
    }
    let missing = try command.run("gate", "--baseline", "none.csv", "--candidate", "new.csv")
    #expect(missing.status == 5 && missing.errors.contains("none.csv"))
  }

  @Test(arguments: ["main_blocked_ms", "main_statements"])
  func `1 and 5: a figure below zero is malformed`(metric: String) throws {
    try command.write(CellCSV.text(cells("old")), to: "old.csv")
    let text = CellCSV.text(cells("new") { if $0.trial == 2 { $0.metrics[metric] = -30 } })
    try command.write(text, to: "negative.csv")
    let candidate = try command.run(
      "gate", "--baseline", "old.csv", "--candidate", "negative.csv")
    #expect(candidate.status == 1 && candidate.output.isEmpty, "\(candidate)")
    #expect(candidate.errors.contains("negative.csv: line 4, column"), "\(candidate.errors)")
    #expect(candidate.errors.contains("\(metric): `-30"), "\(candidate.errors)")
    let baseline = try command.run("gate", "--baseline", "negative.csv", "--candidate", "old.csv")
    #expect(baseline.status == 5 && baseline.output.isEmpty, "\(baseline)")
  }

  @Test func `1 and 5: a cell that occurs twice with different values is malformed`() throws {
    var doubled = cells("new")
    doubled.append(doubled[3])
    #expect(try gate(doubled).status == 0)
    doubled[doubled.count - 1].metrics["main_blocked_ms"] = 1
    try command.write(CellCSV.text(doubled), to: "doubled.csv")
    for name in ["gate", "compare"] {
      let candidate = try command.run(name, "--baseline", "old.csv", "--candidate", "doubled.csv")
      #expect(candidate.status == 1 && candidate.output.isEmpty, "\(candidate)")
      #expect(
        candidate.errors.contains(
          "doubled.csv: line 22, column 1: parent-child, trial 2 of 5000-cities, pool store, repeats"
            + " line 5 with different values of main_blocked_ms;"), "\(candidate.errors)")
    }
    var changed = cells("new")
    changed[3].metrics["main_blocked_ms"] = 1
    try command.write(CellCSV.text(changed), to: "changed.csv")
    let two = try command.run(
      "gate", "--baseline", "old.csv", "--candidate", "new.csv", "changed.csv")
    #expect(two.status == 1 && two.errors.contains("changed.csv: line 5, column 1: "))
    #expect(two.errors.contains("repeats line 5 of 'new.csv'"), "\(two.errors)")
    let baseline = try command.run("gate", "--baseline", "doubled.csv", "--candidate", "old.csv")
    #expect(baseline.status == 5, "\(baseline)")
  }

  @Test func `3: a cell of the candidate crashed`() throws {
    let crashed = try gate(
      cells("new", slower: 1.3) {
        guard $0.trial == 3 else { return }
        $0.status = .crashed
        $0.error = "ended by signal 11"
      })
    #expect(crashed.status == 3)
    #expect(crashed.output.contains("ended by signal 11"), "\(crashed.output)")
  }

  @Test func `4: too few trials are inconclusive, and the message says how many suffice`() throws {
    let short = try gate(cells("new", trials: 3), "--format", "json")
    #expect(short.status == 4)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(short.output.utf8)) as? [String: Any])
    #expect(json["exit_status"] as? Int == 4)
    #expect((json["needed_trials"] as? Int ?? 0) >= 6)
  }

  @Test func `4: a missing part of the baseline is named in every format`() throws {
    let half = cells("new").filter { $0.topology == "main-only" }
    for format in ["table", "markdown", "html", "json", "junit", "github"] {
      let outcome = try gate(half, "--format", format)
      #expect(outcome.status == 4, "\(outcome)")
      #expect(outcome.output.contains("parent-child"), "\(format): \(outcome.output)")
      #expect(outcome.output.words.contains("missing"), "\(format): \(outcome.output)")
    }
    let table = try gate(half)
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
    let loaded = try gate(measured("new", load: 1.72), baseline: measured("old", load: 1))
    #expect(loaded.status == 4, "\(loaded.output)")
    #expect(loaded.output.words.contains("SQLite alone took 1.72 times as long"))
    let calm = try gate(measured("new", load: 1), baseline: measured("old", load: 1))
    #expect(calm.status == 0, "\(calm.output)")
  }

  @Test func `--times advise shows times, and fails on counts alone`() throws {
    let slower = cells("new", slower: 3) { $0.hostID = "h2" }
    let shown = try gate(slower, "--times", "advise")
    #expect(shown.status == 0, "\(shown.output)")
    #expect(shown.output.words.contains("times advise only"), "\(shown.output)")
    let more = try gate(
      cells("new", slower: 3) { $0.metrics["main_statements"] = 4000 }, "--times", "advise")
    #expect(more.status == 2)
    #expect(try gate(slower, "--times", "never").status == 64)
  }

  @Test func `--only narrows both sides, by option or by policy, and says so`() throws {
    let half = cells("new").filter { $0.topology == "main-only" }
    for format in ["table", "markdown", "html", "json", "junit", "github"] {
      let outcome = try gate(half, "--only", "main-only", "--format", format)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.words.contains("Only main-only was looked at."), "\(format)")
    }
    try command.write("only: [main-only]\nlimits:\n  - parent-child: total_ms <= 1\n", to: "p.yaml")
    #expect(try gate(half, "--policy", "p.yaml").status == 0)
    #expect(try gate(cells("new", slower: 2), "--only", "main-only").status == 0)
    let nothing = try gate(half, "--only", "parent-child")
    #expect(nothing.status == 6, "\(nothing)")
    let unknown = try gate(half, "--only", "mian-only")
    #expect(unknown.status == 64 && unknown.errors.contains("no topology 'mian-only'"))
    #expect(try gate(half, "--only", "main-only", "--update-baseline").status == 64)
  }

  @Test func `5: a baseline of another machine is refused unless allowed`() throws {
    let elsewhere = cells("new", slower: 1.5) { $0.hostID = "h2" }
    let refused = try gate(elsewhere)
    #expect(refused.status == 5 && refused.output.contains("--allow-other-machine"))
    let allowed = try gate(elsewhere, "--allow-other-machine")
    #expect(
      allowed.status == 0 && allowed.output.words.contains("advises only"), "\(allowed.output)")
    let worse = cells("new") {
      $0.hostID = "h2"
      $0.metrics["main_statements"] = 4000
    }
    #expect(try gate(worse, "--allow-other-machine").status == 2)
    #expect(try gate(cells("new") { $0.scenarioDigest = "d2" }).status == 5)
  }

  @Test func `6: nothing was compared`() throws {
    let others = try gate(cells("new") { $0.topology = "my-\($0.topology)" })
    #expect(others.status == 6)
    let itself = try gate(cells("old"))
    #expect(itself.status == 6 && itself.output.words.contains("measure the candidate"))
  }

  @Test func `64: the command line or the policy is wrong`() throws {
    #expect(try command.run("gate", "--baseline", "old.csv").status == 64)
    #expect(try gate(cells("new"), "--metric", "main_blockd_ms").status == 64)
    #expect(try gate(cells("new"), "--format", "csv").status == 64)
    try command.write("limits:\n  - parent-child: total_ms\n", to: "policy.yaml")
    let policy = try gate(cells("new"), "--policy", "policy.yaml")
    #expect(policy.status == 64 && policy.output.isEmpty)
    #expect(policy.errors.contains("policy.yaml:2: field 'limits[1]': must read"))
    #expect(try gate(cells("new"), "--policy", "none.yaml").status == 64)
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
    let accepted = try gate(more, baseline: slower, "--policy", "policy.yaml")
    #expect(accepted.status == 0, "\(accepted.output)")
    #expect(accepted.output.words.contains("validation needs a fetch of its own"))
    #expect(try gate(more, baseline: slower).status == 2)
    let broken = cells("new", slower: 1.5) { $0.metrics["main_longest_gap_ms"] = 17 }
    #expect(try gate(broken, baseline: broken, "--policy", "policy.yaml").status == 6)
    #expect(try gate(broken, baseline: slower, "--policy", "policy.yaml").status == 2)
  }

  @Test
  func `4: a varying count is inconclusive, and can fail if the policy calls it inexact`()
    throws
  {
    func varying(_ run: String, more: Double = 0) -> [CellResult] {
      cells(run) { $0.metrics["main_statements"] = 3644 + Double($0.trial % 3) + more }
    }
    let open = try gate(varying("new"), baseline: varying("old"))
    #expect(
      open.status == 4 && open.output.words.contains("`inexact` in the policy"), "\(open.output)")
    try command.write(
      "inexact:\n  - metric: main_statements\n    reason: it follows the frames\n",
      to: "policy.yaml")
    let said = try gate(varying("new"), baseline: varying("old"), "--policy", "policy.yaml")
    #expect(said.status == 0 && said.output.words.contains("Held by statistics"), "\(said.output)")
    let worse = varying("new", more: 400)
    #expect(try gate(worse, baseline: varying("old"), "--policy", "policy.yaml").status == 2)
  }

  @Test(arguments: ["table", "markdown", "json", "junit", "github"])
  func `every format has the verdict and the same exit status`(format: String) throws {
    let outcome = try gate(cells("new", slower: 1.15), "--format", format)
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("parent-child") && outcome.errors.isEmpty, "\(outcome)")
  }
}
