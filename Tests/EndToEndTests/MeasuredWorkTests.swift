import Foundation
import Measurement
import Testing

/// Runs whole cells, and looks at the work that their rows tell of.
@Suite("The work that a run measures")
struct MeasuredWorkTests {
  private let command = CommandRun()

  @Test func `statements off main and objects that a merge creates are counted`() throws {
    try command.run(CommandRun.small("notification-merge", "main-only"), expecting: 0)
    let cells = Dictionary(
      uniqueKeysWithValues: try command.cells("a.csv").map { ($0.topology, $0) })
    let merging = try #require(cells["notification-merge"]).metrics
    #expect(try #require(merging[.workerStatements]) > 0)
    let inserts = try #require(cells["notification-merge"]?.inserts)
    #expect(merging[.mainObjectsCreated] == Double(inserts))
    #expect(cells["main-only"]?.metrics[.workerStatements] == 0)
  }

  /// Three lists go, with 297 items and 900 parts. Two statements find the keys of lists and items,
  /// three delete parts, items and lists, and one fetches main's list again. None reads a part.
  @Test func `a peer deletes rows that own nothing by the keys of their owners`() throws {
    try command.run(
      "--scenario", "sign-out", "--topology", "grdb-pool", "--topology", "grdb-queue",
      "--topology", "sqlite-direct", "--trials", "1", "--set", "changes.per_save=all",
      "--set", "changes.deletions=by-rule", "--set", "changes.delete_where=none",
      "--set", "generate.percent=3", "--output", "a.csv", expecting: 0)
    let cells = try command.cells("a.csv")
    #expect(cells.map(\.deletes) == [1200, 1200, 1200], "\(cells.map(\.error))")
    #expect(cells.map { $0.metrics[.workerStatements] } == [6, 6, 6])
  }

  @Test func `each topology writes another composition of the same letter`() throws {
    try command.write("id,name\n1,caf\u{E9}\n2,b\n", to: "before.csv")
    try command.write("id,name\n1,cafe\u{301}\n2,c\n", to: "after.csv")
    try command.write(
      """
      asks: Is another composition written?
      entity: { name: Word, key: id, attributes: { id: int64, name: string } }
      data: { before: before.csv, after: after.csv }
      """, to: "words.yaml")
    try command.run(
      "--scenario", "words.yaml", "--topology", "all", "--trials", "1", "--set", "repeat_for_ms=1",
      "--output", "a.csv", "--quiet", expecting: 0)
    let wrong = try command.cells("a.csv").filter { $0.status == .wrong }
    #expect(wrong.map { "\($0.topology): \($0.error)" } == [])
  }
}
