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
    try command.write(CellCSV.text(cells), to: "new.csv")
  }

  private func writeEnvironment() throws {
    let outcome = try command.run(
      "--scenario", CommandRun.fewCities, "--topology", "main-only", "--trials", "1",
      "--set", "data.rows=20", "--set", "repeat_for_ms=1", "--output", "some.csv", "--quiet")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try command.write(command.text("some.env.json"), to: "new.env.json")
  }

  private func gate(_ arguments: String...) throws -> CommandRun.Outcome {
    try command.run(
      ["gate", "--baseline", "results/baseline.csv", "--candidate", "new.csv"] + arguments)
  }

  @Test func `a baseline is created if missing, kept by the gate, and renewed with a summary`()
    throws
  {
    try writeEnvironment()
    try writeCandidate(statements: 100, run: "first")
    #expect(try gate().status == 5)
    #expect(!command.exists("results"))
    let made = try gate("--update-baseline")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("Baseline made: "))
    #expect(made.errors.contains("results/baseline.csv, 7 cells of commit first"))
    #expect(command.exists("results/baseline.env.json"))

    try writeCandidate(statements: 101, run: "second")
    let before = try command.text("results/baseline.csv")
    #expect(try gate().status == 2)
    #expect(try command.text("results/baseline.csv") == before)
    let renewed = try gate("--update-baseline")
    #expect(renewed.status == 0, "\(renewed.errors)")
    #expect(renewed.output.contains(/main_statements +100 +101/), "\(renewed.output)")
    #expect(renewed.errors.contains("7 cells of commit second; it was 7 cells of commit first"))

    try writeCandidate(statements: 101, run: "third")
    #expect(try gate().status == 0)
  }

  @Test func `an unsound candidate or an invalid baseline changes nothing`() throws {
    try writeEnvironment()
    try writeCandidate(statements: 100, run: "first")
    #expect(try gate("--update-baseline").status == 0)
    let before = try command.text("results/baseline.csv")
    try writeCandidate(statements: 100, status: .crashed)
    let bad = try gate("--update-baseline")
    #expect(bad.status == 3)
    #expect(bad.errors.contains("The baseline is not renewed"))
    try writeCandidate(statements: 100, status: .suspect)
    let suspect = try gate("--update-baseline")
    #expect(suspect.status == 1)
    #expect(suspect.errors.contains("is suspect"))
    #expect(try command.text("results/baseline.csv") == before)

    try writeCandidate(statements: 100)
    try command.write("mine\n", to: "results/baseline.csv")
    #expect(try gate("--update-baseline").status == 5)
    #expect(try command.text("results/baseline.csv") == "mine\n")
    let two = try command.run(
      "gate", "--baseline", "a.csv", "b.csv", "--candidate", "new.csv", "--update-baseline")
    #expect(two.status == 64)
    #expect(two.errors.contains("give one --baseline"))
  }

  @Test func `a baseline can be renewed after the scenario changed`() throws {
    try writeEnvironment()
    try writeCandidate(statements: 100, run: "first")
    #expect(try gate("--update-baseline").status == 0)
    try writeCandidate(statements: 90, run: "second", digest: "d2")
    #expect(try gate().status == 5)
    #expect(try gate("--update-baseline").status == 0)
    #expect(try gate().status == 6)
    try writeCandidate(statements: 90, run: "third", digest: "d2")
    #expect(try gate().status == 0)
  }
}
