import Foundation
import Measurement
import Testing

@Suite("A scenario from a log of saves, end to end")
struct FromLogTests {
  private let command = CommandRun()

  private static let log = (0..<5).map { number in
    """
    {"time": \(number), "context": "sync", "thread": "background", "inserted": {"Note": 3, "Tag": 1}, \
    "updated": {"Note": 2}, "deleted": {"Note": 1}, "registered_on_main": 20}

    """
  }.joined()

  @Test func `a log becomes a scenario that runs at the log's times`() throws {
    try command.write(Self.log, to: "notes.jsonl")
    let made = try command.run("scenario", "from-log", "notes.jsonl", "--longest-pause", "0.02")
    #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
    #expect(made.errors.contains("Next: topobench --scenario ./notes.yaml"))
    try command.run(
      "--scenario", "./notes.yaml", "--topology", "notification-merge", "--trials", "1",
      "--output", "a.csv", expecting: 0)
    let cell = try #require(try command.cells("a.csv").first)
    #expect(cell.status == .ok && cell.metrics["save_late_max_ms"] != nil)
    #expect(cell.metrics["total_ms"] ?? 0 >= 80)
    let again = try command.run("scenario", "from-log", "notes.jsonl")
    #expect(again.status == 64 && again.errors.contains("'notes.saves.csv' exists"))
  }

  @Test func `a wrong line is told with file, line and remedy, and nothing is written`() throws {
    try command.write(Self.log + "{\"time\": 9}\n", to: "notes.jsonl")
    let outcome = try command.run("scenario", "from-log", "notes.jsonl")
    #expect(outcome.status == 64 && !command.exists("notes.yaml"))
    #expect(
      outcome.errors.contains(
        "notes.jsonl:6: field 'context' is missing; save-log-1.schema.json describes a line"))
    let pause = try command.run("scenario", "from-log", "notes.jsonl", "--longest-pause", "0")
    #expect(pause.status == 64 && pause.errors.contains("--longest-pause: must be above 0"))
  }
}
