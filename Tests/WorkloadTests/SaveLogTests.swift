import DataModel
import Foundation
import JSONSchemas
import Support
import Testing

@testable import Workload

struct SaveLogTests {
  private static func line(
    _ time: String = "0", inserted: String = #"{"Note": 1}"#, thread: String = "background"
  ) -> String {
    """
    {"time": \(time), "context": "sync", "thread": "\(thread)", "inserted": \(inserted), \
    "updated": {}, "deleted": {}, "registered_on_main": 7}
    """
  }

  private static func scenario(
    _ log: String, _ choices: LoggedScenario.Choices = .init(), set: [String] = [],
    size: ScenarioSize = .full
  ) throws -> Workload {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/notes.yaml"
    let made = try LoggedScenario(SaveLog(text: log, file: "notes.jsonl"), file: file, choices)
    try folder.write("notes.saves.csv", made.saves)
    try folder.write("notes.yaml", made.yaml)
    let scenario = try #require(try Scenario.load(file: file, set: set, size: size).first)
    return try Workload.make(scenario, seed: 1)
  }

  @Test func `saves are ordered by time from 0 on, and empty ones left out`() throws {
    let log = try SaveLog(
      text: [
        Self.line("12.5", inserted: #"{"Note": 2, "Tag": 0}"#), "", Self.line("11.25"),
        Self.line("1", inserted: "{}"),
      ].joined(separator: "\n"), file: "notes.jsonl")
    let note = { RecordedSave(at: $0, counts: ["Note": ChangeCounts(inserts: $1)]) }
    #expect(log.saves == [note(.zero, 1), note(.milliseconds(1250), 2)])
  }

  @Test func `lines may end in a carriage return too`() throws {
    let log = [Self.line("1"), "", Self.line("3"), ""].joined(separator: "\r\n")
    #expect(try SaveLog(text: log, file: "a.jsonl").saves.map(\.at) == [.zero, .seconds(2)])
    let error = #expect(throws: InputError.self) {
      try SaveLog(text: log + "{}\r\n", file: "a.jsonl")
    }
    #expect(error?.origin == .file("a.jsonl", line: 4))
  }

  @Test(arguments: [
    #"{"time": 2.0, "context": "sy"#, #"{"time": 2.0, "context": "}", "ins"#,
    #"{"time": 2, "context": "s", "inserted": {"Note": 4}"#, "{",
  ])
  func `a last line that is cut off is left out`(torn: String) throws {
    let log = try SaveLog(text: Self.line() + "\n" + torn, file: "a.jsonl")
    #expect(log.saves.count == 1 && log.tornLine == 2)
    #expect(throws: InputError.self) { try SaveLog(text: torn + "\n", file: "a.jsonl") }
    #expect(try SaveLog(text: Self.line() + "\n", file: "a.jsonl").tornLine == nil)
  }

  @Test func `a whole last line is kept, whatever braces its texts hold`() throws {
    let last = Self.line("1").replacing("sync", with: "{{")
    let log = try SaveLog(text: Self.line() + "\n" + last, file: "a.jsonl")
    #expect(log.saves.count == 2 && log.tornLine == nil)
  }

  @Test func `a last line may be cut off inside a character`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.jsonl", Self.line() + "\n{\"context\": \"é")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file)).dropLast()
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try SaveLog(reading: file).tornLine == 2)
  }

  @Test(arguments: ["null", "true", "-", "1e5", "5000-notes", "a-b"])
  func `a scenario of any name can be read`(name: String) throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/\(name).yaml"
    let made = try LoggedScenario(SaveLog(text: Self.line(), file: "notes.jsonl"), file: file)
    try folder.write("\(name).saves.csv", made.saves)
    try folder.write("\(name).yaml", made.yaml)
    #expect(try Scenario.load(file: file).map(\.name) == [name])
  }

  @Test func `the scenario makes the saves of the log`() throws {
    let log = """
      {"time":5,"context":"a","thread":"main","inserted":{"Note":1,"null":2},"updated":{"Note":9},"deleted":{},"registered_on_main":3}
      {"time":9,"context":"b","thread":"background","inserted":{},"updated":{},"deleted":{"Note":2},"registered_on_main":12}
      """
    let workload = try Self.scenario(log)
    #expect(workload.due == [.zero, .seconds(4)] && workload.scenario.horizon == .seconds(5))
    #expect(workload.batches.map { ChangeCounts($0.changes).total } == [12, 2])
    #expect(workload.tables.map(\.entity.name) == ["Note", "null"])
    #expect(workload.initialRows.count == 12 && workload.scenario.realisedShare == 1)
    let other = try Self.scenario(log, .init(longestPause: 0.5, list: "null", rows: 40))
    #expect(other.due.last == .milliseconds(500) && other.initialRows.count == 40)
    #expect(other.tables[1].before.rows.count == 9)
  }

  @Test(arguments: [
    (#"{"time": 1}"#, "field 'context' is missing"),
    ("[1, 2]", "'[1, 2]' is no JSON object"),
    ("time: 1", "'time: 1' is no JSON object"),
    (line("\"1\""), "field 'time' must be a number"),
    (line("1e400"), "'1e400' is too large or too small a number; write another"),
    (line("1e-400"), "'1e-400' is too large or too small a number; write another"),
    (
      line(String(repeating: "9", count: 400)),
      "'\(String(repeating: "9", count: 200))…' is too large or too small a number; write another"
    ),
    (line("1751373000123"), "field 'time': must be in seconds. If these are milliseconds, divide"),
    (line(inserted: "3"), "field 'inserted' must be an object of counts by entity"),
    (line(inserted: #"{"Note": 1.5}"#), "field 'inserted.Note': must be a whole number from 0 to"),
    (line(inserted: #"{"Note": null}"#), "field 'inserted.Note' must be a number"),
    (line(inserted: #"{"Note": -1}"#), "field 'inserted.Note': must be a whole number from 0 to"),
    (line(inserted: #"{"No te": 1}"#), "the entity's name may have letters, digits and '_' only"),
    (line(thread: "worker"), "field 'thread' must be main or background"),
    (String(repeating: "é", count: 500), "'\(String(repeating: "é", count: 200))…' is no JSON"),
  ])
  func `a mistake is told with its line, and quoted briefly`(line: String, message: String) {
    let error = #expect(throws: InputError.self) {
      try SaveLog(text: Self.line() + "\n\n" + line, file: "notes.jsonl")
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("notes.jsonl:3: ") && text.contains(message), "\(text)")
  }

  @Test func `a log that cannot be a scenario is refused`() throws {
    let long = [Self.line("0"), Self.line("4000")].joined(separator: "\n")
    for (log, choices, message) in [
      ("\n", .init(), "logs no save"), (Self.line(inserted: "{}"), .init(), "logs no save"),
      (long, .init(), "--longest-pause SECONDS"),
      (
        Self.line() + "\n" + Self.line(inserted: #"{"note": 1}"#), .init(),
        "notes.jsonl:2: field 'inserted.note': there is an entity 'Note' too"
      ),
      (
        "\n"
          + Self.line(inserted: #"{"Note": 2000000}"#)
          .replacing("\"updated\": {}", with: "\"updated\": {\"Tag\": 1000001}"), .init(),
        "notes.jsonl:2: field 'updated.Tag': needs 1000001 rows, but a scenario makes at most"
      ),
      (Self.line(), .init(list: "Nota"), "--list Nota: no save changes it. Did you mean 'Note'?"),
      (
        Self.line().replacing("\"deleted\": {}", with: "\"deleted\": {\"Note\": 4}"),
        .init(rows: 2), "--rows 2: the saves of Note need at least 4"
      ),
    ] as [(String, LoggedScenario.Choices, String)] {
      let error = #expect(throws: InputError.self) { try Self.scenario(log, choices) }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
    #expect(try Self.scenario(long, .init(longestPause: 1)).due.last == .seconds(1))
  }

  @Test func `the schema and the reader ask for the same fields`() throws {
    let schema = try JSONSchema.documented("topobench-save-log/1")
    #expect(try schema.errors(in: Self.line(), strict: true) == [])
    let fields = try #require(
      try JSONSerialization.jsonObject(with: Data(Self.line().utf8)) as? [String: Any])
    for name in fields.keys {
      for value in [nil, "text", -1.5] as [Any?] where name != "context" || value == nil {
        var changed = fields
        changed[name] = value
        guard name != "time" || value as? Double == nil else { continue }
        let text = String(
          decoding: try JSONSerialization.data(withJSONObject: changed), as: UTF8.self)
        #expect(try !schema.errors(in: text).isEmpty, "\(text)")
        #expect(throws: InputError.self, "\(text)") { try SaveLog(text: text, file: "a.jsonl") }
      }
    }
  }

  @Test(arguments: ["chat", "launch"])
  func `a shipped example is made of its log`(name: String) throws {
    let log = "\(Shipped.folder)/data/generated-\(name).jsonl"
    let file = "\(Shipped.folder)/generated-\(name).yaml"
    let text = try String(contentsOfFile: log, encoding: .utf8)
    let schema = try JSONSchema.documented("topobench-save-log/1")
    for line in text.split(separator: "\n") {
      #expect(try schema.errors(in: String(line), strict: true) == [])
    }
    let made = try LoggedScenario(SaveLog(reading: log), file: file, .init(rows: 5000))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == made.yaml)
    let saves = LoggedScenario.savesFile(of: file)
    #expect(try String(contentsOfFile: saves, encoding: .utf8) == made.saves)
    #expect(made.yaml.contains("generated-\(name).jsonl"))
  }
}
