import Foundation
import Support
import Testing

@testable import Workload

struct ScenarioTextTests {
  @Test func `a byte order mark is no part of the text`() throws {
    let folder = try TemporaryFolder()
    let file = try Small.files(in: folder, yaml: "\u{FEFF}" + Small.yaml)
    #expect(try Scenario.load(file: file).map(\.name) == ["small"])
  }

  @Test func `a tag makes a number or null a text`() throws {
    try ScenarioBadInputTests.check(
      ScenarioBadInputTests.Mistake(
        "per_save: 2", "per_save: !!str 5",
        ":15: field 'changes.per_save': the text '5' is of the wrong type; must be all, or a whole"
          + " number from 1 to 10000000"))
    for text in ["!!str null", "! null", "!!str 5"] {
      let folder = try TemporaryFolder()
      let yaml = Small.yaml.replacing("Does it work?", with: text)
      let scenario = try #require(
        try Scenario.load(file: Small.files(in: folder, yaml: yaml)).first)
      #expect(scenario.asks == text.split(separator: " ").last.map(String.init))
    }
  }

  @Test(arguments: [
    ("per_save: 2", "per_save: LONG"), ("per_save: 2", "LONG: 2"), ("id: int64", "id: LONG"),
    ("id: int64", "LONG: int64"), ("sort: [name]", "sort: [LONG]"), ("name: small", "name: LONG"),
    ("per_save: 2", "per_save: [LONG, LONG]"), ("key: id", "key: LONG"),
  ])
  func `an error quotes at most 200 characters`(old: String, new: String) throws {
    // YAML allows names of up to 1,024 characters.
    let long = String(repeating: "a'\" ", count: 190)
    let quoted = "'" + long.replacing("'", with: "''") + "'"
    let (found, file) = try Small.error(replacing: old, with: new.replacing("LONG", with: quoted))
    let error = try #require(found).description.replacing(file, with: "")
    #expect(error.contains("a'\" a'\""), "\(error)")
    // The field's path and its value are two quotations.
    #expect(error.count { $0 == "a" } < 200, "\(error)")
  }

  @Test func `the error of a missing data file has the line that names it`() throws {
    let (error, file) = try Small.error(replacing: "after: after.csv", with: "after: x/gone.csv")
    let folder = file.dropLast("/small.yaml".count)
    let missing = "field 'data.after': no such file: \(folder)/x/gone.csv"
    #expect(
      error?.description == "\(file):13: \(missing); the path is relative to the scenario file")
    let (other, _) = try Small.error(replacing: "after: after.csv", with: "after: .")
    #expect(other?.message.hasPrefix("a folder, not a file: ") == true)
  }

  @Test func `the error's parts can be read one by one`() throws {
    let (error, file) = try Small.error(replacing: "per_save: 2", with: "per_save: 0")
    #expect(error?.origin == .file(file, line: 15) && error?.field == "changes.per_save")
  }
}
