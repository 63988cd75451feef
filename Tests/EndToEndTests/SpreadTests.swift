import Foundation
import Measurement
import Testing

@Suite("A sweep on several machines", .serialized, .timeLimit(.minutes(5)))
struct SpreadTests {
  private let command = CommandRun()

  private static let work = [
    "--scenario", CommandRun.fewCities, "--topology", "main-only", "--trials", "3",
    "--set", "data.rows=150", "--set", "repeat_for_ms=1",
  ]

  /// The fields that do not depend on where a cell runs.
  private func places(_ cells: [CellResult]) -> [String] {
    cells.sorted { $0.order < $1.order }.map { cell in
      [
        "\(cell.order)", "\(cell.trial)", cell.scenarioDigest, cell.parameters, cell.topology,
        cell.store, "\(cell.seed)", cell.fingerprint, "\(cell.status)",
      ].joined(separator: " ")
    }
  }

  @Test func `the files of N shards have the cells and fingerprints of one run`() async throws {
    let work = Self.work + ["--topology", "notification-merge", "--quiet"]
    var files = ""
    for shard in 1...2 {
      try await command.runAside(
        work + ["--shard", "\(shard)/2", "--output", "\(shard).csv"], expecting: 0)
      files += try command.text("\(shard).csv")
    }
    let outcome = try await command.runAside(
      work + ["--output", "whole.csv", "--explain"], expecting: 0)
    let whole = places(try command.cells("whole.csv"))
    #expect(whole.count == 6)
    #expect(places(try CellCSV.decode(files)) == whole)

    let collected = try await command.runAside(
      ["collect", "2.csv", "1.csv", "--output", "all.csv"], expecting: 0)
    #expect(collected.output.contains("3 trials"))
    #expect(try command.cells("all.csv").map(\.order) == Array(1...6))
    #expect(places(try command.cells("all.csv")) == whole)

    let again = try await command.runAside([
      "collect", "whole.csv", "--output", "again.csv", "--explain",
    ])
    let trust = [outcome, again].map {
      $0.output.split(separator: "\n").first { $0.hasPrefix("Trust") }
    }
    #expect(trust[0] != nil && trust[0] == trust[1])
  }

  @Test(arguments: ["4/2", "4/4", "half"])
  func `a shard without cells is refused`(shard: String) async throws {
    try await command.runAside(Self.work + ["--shard", shard], expecting: 64, saying: "--shard: ")
  }
}

// MARK: - Cell by cell

extension SpreadTests {
  private func plan() async throws {
    let outcome = try await command.runAside(
      ["plan"] + Self.work + ["--label", "spread"], expecting: 0)
    #expect(outcome.output.split(separator: "\n").count == 3)
    try command.write(outcome.output, to: "plan.jsonl")
  }

  /// In the script, `$0` is the command.
  private func shell(_ script: String) async throws {
    try await command.runAside(
      ["-c", script, CommandRun.executable("topobench").path],
      executable: URL(fileURLWithPath: "/bin/sh"), expecting: 0)
  }

  private func requireWholeRun(of files: [String]) async throws {
    try await command.runAside(
      ["collect", "--plan", "plan.jsonl", "--output", "a.csv"] + files, expecting: 0)
    let cells = try command.cells("a.csv")
    #expect(cells.map(\.order) == [1, 2, 3])
    #expect(cells.map(\.trial) == [1, 2, 3])
    #expect(Set(cells.map { "\($0.runID) \($0.fingerprint) \($0.label)" }).count == 1)
    #expect(cells.first?.label == "spread")
    #expect(cells.first?.fingerprint.isEmpty == false)
    #expect(command.exists("a.env.json"))
  }

  @Test func `cells of a plan that xargs runs in parallel are collected`() async throws {
    try await plan()
    try await shell(
      """
      seq 3 | xargs -P 2 -I{} sh -c 'sed -n {}p plan.jsonl | "$0" cell > {}.json' "$0"
      """)
    // Other systems end lines with a carriage return, too.
    let lines = try command.text("plan.jsonl").replacing("\n", with: "\r\n")
    try command.write(lines + "\r\n", to: "plan.jsonl")
    try await requireWholeRun(of: ["3.json", "1.json", "2.json"])
    try await command.runAside(
      ["collect", "--plan", "plan.jsonl", "2.json", "1.json", "--output", "some.csv"],
      expecting: 3, saying: "Missing: cell 3 (")
    #expect(try command.cells("some.csv").map(\.order) == [1, 2])
  }

  private static let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed: apt-get install parallel"))
  func `cells of a plan that GNU parallel runs are collected`() async throws {
    try await plan()
    try await shell(
      "parallel --will-cite -j 2 --pipe -N 1 \"'$0'\" cell < plan.jsonl > cells.jsonl")
    try await requireWholeRun(of: ["cells.jsonl"])
  }

  @Test func `a cell of a plan that crashes or hangs has a document`() async throws {
    let outcome = try await command.runAside(
      [
        "plan", "--scenario", CommandRun.fewCities, "--set", "data.rows=150", "--trials", "1",
        "--timeout", "10", "--topology", "crashing", "--topology", "deadlocking",
      ], command: "faulty-topobench")
    var documents = ""
    for line in outcome.output.split(separator: "\n") {
      try command.write(String(line), to: "line")
      documents += try await command.runAside(
        ["cell"], command: "faulty-topobench", reading: "line"
      ).output
    }
    try command.write(documents, to: "cells.jsonl")
    try await command.runAside(["collect", "cells.jsonl", "--output", "a.csv"], expecting: 3)
    let status = Dictionary(
      uniqueKeysWithValues: try command.cells("a.csv").map { ($0.topology, $0.status) })
    #expect(status == ["crashing": .crashed, "deadlocking": .timeout])
    #expect(command.processesLeft() == [])
  }
}
