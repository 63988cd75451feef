import Foundation
import Measurement
import Testing

@Suite("The exit statuses that the reference lists")
struct ExitStatusTests {
  private let command: CommandRun

  init() throws {
    command = CommandRun()
    try write("old.csv") { $0.runID = "old" }
    try write("new.csv") { _ in }
  }

  private func write(
    _ name: String, topologies: [String] = ["main-only", "parent-child"],
    _ edit: (inout CellResult) -> Void
  ) throws {
    let cells = (1...8).flatMap { trial in
      topologies.map { topology in
        CellResult.sample("new", topology, trial: trial) {
          $0.metrics[.mainBlocked] = 20 + 0.01 * Double(trial)
          $0.metrics["main_statements"] = 100
          edit(&$0)
        }
      }
    }
    try command.write(cells, to: name)
  }

  private func gate(_ candidate: String, baseline: String = "old.csv") throws -> Int32 {
    try command.run("gate", "--baseline", baseline, "--candidate", candidate).status
  }

  @Test func `each expected event occurs`() throws {
    try write("more.csv") { $0.metrics["main_statements"] = 101 }
    try write("bad.csv") { if $0.trial == 1 { $0.status = .wrong } }
    try write("half.csv", topologies: ["main-only"]) { _ in }
    try write("other.csv") { $0.scenario = "import" }
    let interrupted = try command.shell(
      """
      "$topobench" --scenario \(CommandRun.fewCities) --topology main-only --trials 300 \
        --output a.csv >/dev/null & run=$!
      while [ "$(wc -l < a.csv 2>/dev/null || echo 0)" -lt 2 ]; do sleep 0.02; done
      kill -TERM $run; wait $run
      """)
    let seen = [
      try gate("new.csv"), try gate("none.csv"), try gate("more.csv"), try gate("bad.csv"),
      try gate("half.csv"), try gate("new.csv", baseline: "none.csv"), try gate("other.csv"),
      try command.run("--frobnicate").status, interrupted.status,
    ]
    #expect(seen == [0, 1, 2, 3, 4, 5, 6, 64, 130])
    #expect(try documented() == seen)
  }

  @Test func `4: trials that spread too far are discarded with the reason, without ranks`() throws {
    try write("wide.csv") { $0.metrics[.mainBlocked] = $0.trial.isMultiple(of: 2) ? 10 : 90 }
    let runs = try ["old.csv", "wide.csv"].map {
      try command.run("collect", $0, "--output", "collected-\($0)")
    }
    #expect(runs.map(\.status) == [0, 4], "\(runs.map(\.errors))")
    #expect(runs[1].output.contains("Discard this run: trials spread by"), "\(runs[1].output)")
    #expect(runs[1].output.contains("\n–  main-only"), "\(runs[1].output)")
  }

  @Test func `4: one topology whose trials spread too far is discarded, too`() throws {
    try write("one.csv", topologies: ["main-only"]) {
      $0.metrics[.mainBlocked] = $0.trial.isMultiple(of: 2) ? 10 : 90
    }
    let run = try command.run("collect", "one.csv", "--output", "collected.csv", expecting: 4)
    #expect(run.output.contains("Discard this run"), "\(run.output)")
    #expect(run.output.contains("\n–  main-only"), "\(run.output)")
  }

  /// From the reference's table.
  private func documented() throws -> [Int32] {
    let page = CommandRun.root.appendingPathComponent("Documentation/Reference/Command-line.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    return lines.drop { $0 != "| status | meaning |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
      .compactMap { Int32($0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)) }
  }
}
