import Foundation
import Measurement
import Testing

// The first run in CI creates a baseline, later runs keep it, and `--update-baseline` renews it.

@Suite("Creating and renewing a baseline")
struct BaselineTests {
  private let command = CommandRun()

  private func writeCandidate(
    statements: Double, status: CellStatus = .ok, run: String = "new", digest: String = "d1"
  ) throws {
    let cells = (1...7).map { trial in
      CellResult.sample(run, trial: trial) {
        if trial == 7 { $0.status = status }
        ($0.startedAt, $0.gitSHA) = ("2026-01-0\(trial)T03:04:05Z", run)
        $0.scenarioDigest = digest
        $0.metrics["main_blocked_ms"] = 20 + 0.01 * Double(trial)
        $0.metrics["main_statements"] = statements
      }
    }
    try command.write(cells, to: "new.csv")
  }

  private func writeEnvironment() throws {
    try command.run(CommandRun.small(rows: 20, output: "some.csv") + ["--quiet"], expecting: 0)
    try command.write(command.text("some.env.json"), to: "new.env.json")
  }

  @discardableResult
  private func gate(
    _ arguments: String..., expecting status: Int32, saying words: String? = nil
  ) throws -> CommandRun.Outcome {
    try command.run(
      ["gate", "--baseline", "results/baseline.csv", "--candidate", "new.csv"] + arguments,
      expecting: status, saying: words)
  }

  @Test func `a missing baseline is created; the gate keeps it, or renews it on request`() throws {
    try writeEnvironment()
    try writeCandidate(statements: 100, run: "first")
    try gate(expecting: 5)
    #expect(!command.exists("results"))
    let made = try gate("--update-baseline", expecting: 0, saying: "Baseline made: ")
    #expect(made.errors.contains("results/baseline.csv, 7 cells of commit first"))
    #expect(command.exists("results/baseline.env.json"))

    try writeCandidate(statements: 101, run: "second")
    let before = try command.text("results/baseline.csv")
    try gate(expecting: 2)
    #expect(try command.text("results/baseline.csv") == before)
    let renewed = try gate(
      "--update-baseline", expecting: 0,
      saying: "7 cells of commit second; it was 7 cells of commit first")
    #expect(renewed.output.contains(/main_statements +100 +101/), "\(renewed.output)")

    try writeCandidate(statements: 101, run: "third")
    try gate(expecting: 0)
  }

  @Test func `an unsound candidate or an invalid baseline changes nothing`() throws {
    try writeEnvironment()
    try writeCandidate(statements: 100, run: "first")
    try gate("--update-baseline", expecting: 0)
    let before = try command.text("results/baseline.csv")
    try writeCandidate(statements: 100, status: .crashed)
    try gate("--update-baseline", expecting: 3, saying: "The baseline is not renewed")
    try writeCandidate(statements: 100, status: .suspect)
    try gate("--update-baseline", expecting: 1, saying: "is suspect")
    #expect(try command.text("results/baseline.csv") == before)

    try writeCandidate(statements: 100)
    try command.write("mine\n", to: "results/baseline.csv")
    try gate("--update-baseline", expecting: 5)
    #expect(try command.text("results/baseline.csv") == "mine\n")
    try command.run(
      "gate", "--baseline", "a.csv", "b.csv", "--candidate", "new.csv", "--update-baseline",
      expecting: 64, saying: "give one --baseline")
  }

  @Test func `a baseline can be renewed after the scenario changed`() throws {
    try writeEnvironment()
    try writeCandidate(statements: 100, run: "first")
    try gate("--update-baseline", expecting: 0)
    try writeCandidate(statements: 90, run: "second", digest: "d2")
    try gate(expecting: 5)
    try gate("--update-baseline", expecting: 0)
    try gate(expecting: 6)
    try writeCandidate(statements: 90, run: "third", digest: "d2")
    try gate(expecting: 0)
  }
}
