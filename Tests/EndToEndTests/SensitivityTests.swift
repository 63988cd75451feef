import Foundation
import Testing

@Suite("The sensitivity to prices, end to end")
struct SensitivityTests {
  private let command = CommandRun()

  private static let tiny = [
    "sensitivity", "--scenario", CommandRun.fewCities, "--set", "data.rows=20", "--topology",
    "main-only", "--topology", "notification-merge",
  ]

  @Test func `cells run on both sides of computed turns, and leave no files`() throws {
    // Main writes 13 rows in one topology; in the other it merges 9 objects and fires 7 faults. At
    // these prices, only the price of a merged object turns the order: 4 cells confirm it.
    let outcome = try command.run(
      Self.tiny + [
        "--set", "costs.push_up_us=1", "--set", "costs.row_written_us=58", "--format", "json",
      ], command: "topobench-lab", expecting: 0)
    try expectForm("topobench-sensitivity/1", outcome)
    let document = try outcome.json()
    let topologies = try #require(document["topologies"] as? [[String: Any]])
    let names = Set(topologies.compactMap { $0["topology"] as? String })
    #expect(names == ["main-only", "notification-merge"])
    let turns = try #require(document["turns"] as? [[String: Any]])
    // A busy machine may hide the turn itself.
    #expect(!turns.isEmpty && turns.prefix(5).allSatisfy { $0["check"] != nil })
    #expect(try command.files() == [])
    #expect(command.processesLeft() == [])
  }

  @Test func `it refuses what it cannot compare`() throws {
    for (options, words) in [
      (["--store", "both"], "one store mode"),
      (["--set", "changes.per_save=[1,2]"], "one scenario"),
      (["--set", "costs.commit_us=5"], "costs.push_up_us is 0"),
      (["--set", "asks_about=open"], "--set asks_about=open: sensitivity prices the window of"),
      (["--set", "asks_about=scroll"], "--set asks_about=scroll: sensitivity prices the window"),
    ] {
      try command.expectRefusal(of: Self.tiny + options, saying: [words], command: "topobench-lab")
    }
  }

  @Test func `it refuses a scenario that asks about another phase, and names the field`() throws {
    let file = CommandRun.root.appendingPathComponent("Scenarios/open-a-list.yaml").path
    try command.expectRefusal(
      of: ["sensitivity", "--scenario", file, "--smoke"],
      saying: [
        "open-a-list.yaml:4: field 'asks_about': sensitivity prices the window of changes; "
      ],
      command: "topobench-lab")
    #expect(try command.files() == [])
  }
}
