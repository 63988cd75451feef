import Foundation
import Measurement
import Testing

@Suite("Signals to a run and its cells", .serialized, .timeLimit(.minutes(2)))
struct SignalTests {
  private let command = CommandRun()
  /// A shell's function that prints the processes of a parent. Not every system has `pgrep`.
  private static let children = #"""
    children() { grep -lsE "^PPid:[[:space:]]+$1$" /proc/[0-9]*/status | cut -d/ -f3; }
    """#

  @Test(arguments: ["TERM", "INT", "HUP"])
  func `a signal to all processes of a run leaves no row for the interrupted cell`(
    signal: String
  ) throws {
    // A run would inherit that tests under `nohup` ignore SIGHUP. The cell is hit first, as the
    // kernel may do.
    try command.shell(
      """
      \(Self.children)
      env --default-signal=HUP "$topobench" --scenario \(CommandRun.fewCities) \
        --topology main-only --trials 300 \
        --set repeat_for_ms=30 --no-progress --output a.csv >/dev/null & run=$!
      while [ "$(wc -l < a.csv 2>/dev/null || echo 0)" -lt 3 ]; do sleep 0.02; done
      cells=$(children $run)
      for i in 1 2 3; do kill -\(signal) $cells 2>/dev/null; done; kill -\(signal) $run
      wait $run
      """, expecting: 130)
    let cells = try command.cells("a.csv")
    #expect(cells.count >= 2 && cells.allSatisfy { $0.status == .ok }, "\(cells.map(\.error))")
    #expect(command.processesLeft() == [])
  }

  @Test func `time in which the runner is stopped does not count for the time limit`() throws {
    try command.shell(
      """
      \(Self.children)
      "$topobench" --scenario \(CommandRun.fewCities) --topology main-only --trials 1 \
        --set repeat_for_ms=500 --no-progress --timeout 10 --output a.csv >/dev/null & run=$!
      while [[ -z $(children $run) ]]; do sleep 0.01; done
      cell=$(children $run | head -1)
      kill -STOP $run $cell; sleep 11; kill -CONT $run; sleep 0.2; kill -CONT $cell
      wait $run
      """, expecting: 0)
    #expect(try command.cells("a.csv").map(\.status) == [.ok])
  }

  @Test func `an early SIGTERM leaves no temporary folder`() throws {
    try command.makeFolder("tmp")
    for delay in stride(from: 0.0, through: 0.3, by: 0.06) {
      _ = try command.shell(
        """
        TMPDIR="$PWD/tmp" "$topobench" --scenario \(CommandRun.fewCities) --topology main-only \
          --output a.csv --force >/dev/null 2>&1 & run=$!
        sleep \(delay); kill -TERM $run; wait $run
        """)
      #expect(try command.files(in: "tmp") == [], "after \(delay) s")
    }
  }

  @Test func `a cell of a plan ends with its runner's status, and its child too`() throws {
    try command.write(
      try command.run(
        "plan", "--scenario", CommandRun.fewCities, "--topology", "main-only", "--trials", "1",
        "--set", "repeat_for_ms=20000"
      ).output, to: "plan.jsonl")
    try command.shell(
      """
      \(Self.children)
      "$topobench" cell < plan.jsonl > cell.json & run=$!
      while [[ -z $(children $run) ]]; do sleep 0.01; done
      sleep 0.3; kill -TERM $(children $run) $run; wait $run
      """, expecting: 130)
    #expect(try command.text("cell.json") == "")
    #expect(command.processesLeft() == [])
  }

  @Test(arguments: ["0", "-1", "86401", "1e300"])
  func `a cell with a wrong time limit is refused before work`(limit: String) throws {
    let plan = try command.run(
      "plan", "--scenario", CommandRun.fewCities, "--topology", "main-only", "--trials", "1"
    ).output.replacing(try Regex("\"timeLimit\":[0-9.]+"), with: "\"timeLimit\":\(limit)")
    #expect(plan.contains("\"timeLimit\":\(limit)"))
    try command.write(plan, to: "plan.jsonl")
    let outcome = try command.shell(
      "\"$topobench\" cell < plan.jsonl", expecting: 64, saying: "timeLimit")
    #expect(outcome.output == "")
  }

  @Test func `stores in the temporary folder are readable by their owner only`() throws {
    let outcome = try command.shell(
      """
      mkdir tmp; export TMPDIR="$PWD/tmp"
      "$topobench" --scenario \(CommandRun.fewCities) --topology main-only --trials 1 \
        --set repeat_for_ms=2000 --output a.csv --keep-stores kept >/dev/null & run=$!
      while ! ls tmp/topobench-*/cell-1/store-*-wal >/dev/null 2>&1; do sleep 0.01; done
      stat -c %a tmp/topobench-*; stat -c %a tmp/topobench-*/cell-1/template.sqlite
      wait $run; stat -c %a kept/*.sqlite
      """, expecting: 0)
    #expect(outcome.output == "700\n600\n644\n", "\(outcome.output)")
  }
}
