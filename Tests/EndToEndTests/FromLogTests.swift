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
    let made = try command.run(
      "scenario", "from-log", "notes.jsonl", "--longest-pause", "0.02", expecting: 0,
      saying: "Next: topobench --scenario ./notes.yaml")
    #expect(made.output.isEmpty)
    try command.run(
      "--scenario", "./notes.yaml", "--topology", "notification-merge", "--trials", "1",
      "--output", "a.csv", expecting: 0)
    let cell = try #require(try command.cells("a.csv").first)
    #expect(cell.status == .ok && cell.metrics["save_late_max_ms"] != nil)
    #expect(cell.metrics["total_ms"] ?? 0 >= 80)
    try command.run(
      "scenario", "from-log", "notes.jsonl", expecting: 64, saying: "'notes.saves.csv' exists")
  }

  @Test func `a wrong line is told with file, line and remedy, and nothing is written`() throws {
    try command.write(Self.log + "{\"time\": 9}\n", to: "notes.jsonl")
    try command.run(
      "scenario", "from-log", "notes.jsonl", expecting: 64,
      saying: "notes.jsonl:6: field 'context' is missing; save-log-1.schema.json describes a line")
    #expect(!command.exists("notes.yaml"))
    try command.run(
      "scenario", "from-log", "notes.jsonl", "--longest-pause", "0", expecting: 64,
      saying: "--longest-pause: must be above 0")
  }
}
