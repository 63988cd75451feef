import Foundation
import JSONSchemas
import Testing

@Suite("The JSON of the commands, end to end")
struct JSONFormTests {
  private let command = CommandRun()

  @Test func `run, compare and gate print JSON that matches their schemas`() throws {
    let run = try command.run(
      "--scenario", CommandRun.fewCities, "--topology", "main-only", "--topology", "crashing",
      "--trials", "1", "--set", "data.rows=[40,80]", "--set", "repeat_for_ms=1", "--output",
      "a.csv", "--format", "json", command: "faulty-topobench", expecting: 3)
    try expectForm("topobench-answer/3", run)
    let compared = try command.run("compare", "a.csv", "a.csv", "--format", "json", expecting: 0)
    try expectForm("topobench-comparison/2", compared)
    let gate = try command.run(
      "gate", "--baseline", "a.csv", "--candidate", "a.csv", "--format", "json", expecting: 3)
    try expectForm("topobench-gate/2", gate)
  }

  @Test(arguments: [
    ("topologies", "main-only"), ("scenarios", "5000-cities"), ("metrics", "sync_ms"),
  ])
  func `a list is printed as JSON`(kind: String, member: String) throws {
    let outcome = try command.run("list", kind, "--format", "json", expecting: 0)
    try expectForm("topobench-list/1", outcome)
    let entries = try #require(try outcome.json()[kind] as? [[String: Any]])
    #expect(entries.contains { $0["name"] as? String == member })
  }
}

/// Standard output must be one JSON document, without members that its schema lacks.
func expectForm(
  _ name: String, _ outcome: CommandRun.Outcome, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let schema = try JSONSchema.documented(name)
  #expect(schema.name == name, sourceLocation: sourceLocation)
  #expect(try schema.errors(in: outcome.output, strict: true) == [], sourceLocation: sourceLocation)
}
