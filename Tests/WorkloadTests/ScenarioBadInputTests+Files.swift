import Foundation
import Support
import Testing

@testable import Workload

// Whole files, and flags that do not go with them.

extension ScenarioBadInputTests {
  @Test func `a file's name that cannot be a scenario's is an error`() throws {
    let folder = try TemporaryFolder()
    _ = try Small.files(in: folder)
    let file = try folder.write("my file.yaml", Small.yaml.replacing("name: small\n", with: ""))
    let error = #expect(throws: InputError.self) { try Scenario.load(file: file) }
    #expect(
      error?.description
        == "\(file):1: field 'name': 'my file' may hold letters, digits, '-' and '_'"
        + " only; rename the scenario file")
  }

  @Test func `an override that does not fit the file is named, with the field`() throws {
    let old = "per_save: 2"
    let (error, file) = try Small.error(
      replacing: old, with: "\(old)\n  stream: arrivals\n  delete_where: id == 4",
      set: ["horizon_ms=900", "changes.stream=replace"])
    #expect(
      error?.description
        == "--set changes.stream=replace: does not go with \(file):17: field"
        + " 'changes.delete_where': 'id == 4' is for changes.stream arrivals")
  }

  @Test(arguments: ["main", "background"])
  func `an override that places questions is named where there are none`(place: String) throws {
    let flag = "user.asks_in=\(place)"
    let (error, _) = try Small.error(
      replacing: "small", with: "small", set: ["user.searches_per_s=0", flag])
    #expect(error?.origin == .flag("--set \(flag)"))
    #expect(error?.field == "user.asks_in")
    // The last override takes the file's only question away.
    let old = "per_save: 2"
    let (other, file) = try Small.error(
      replacing: old, with: "\(old)\nuser:\n  counts_per_s: 5\n  asks_in: \(place)",
      set: ["horizon_ms=900", "user.counts_per_s=0"])
    let message = try #require(other?.description)
    #expect(
      message.hasPrefix(
        "--set user.counts_per_s=0: does not go with \(file):18: field 'user.asks_in'"))
  }

  @Test(arguments: [
    "user.counts_per_s=5", "user.count_where=id > 1", "user.search_where=name == $text",
  ])
  func `a place of questions needs a rate or a predicate`(set: String) throws {
    let scenario = try Small.scenario(set: [set, "user.asks_in=background"])
    #expect(scenario.user.asksIn == .background)
    #expect(try Small.scenario(set: [set]).user.asksIn == .main)
  }

  @Test func `an override without work is named`() throws {
    let error = #expect(throws: InputError.self) {
      try Small.workload(after: Small.before + "9,Z,,1\n", set: ["data.rows=1"])
    }
    #expect(
      error?.description == "--set data.rows=1: the rows before and after are the same: nothing to"
        + " change")
  }

  @Test func `a field that occurs twice is an error`() throws {
    let (error, file) = try Small.error(
      replacing: "per_save: 2", with: "per_save: 2\n  per_save: 3")
    #expect(
      error?.description
        == "\(file):15: field 'per_save': occurs twice in one mapping; keep one of them")
  }

  @Test(arguments: [
    ("", ":1: the file is empty"), ("# nothing\n", ":1: the file is empty"),
    (
      "- a\n- b\n",
      ":1: a list is of the wrong type; must be a mapping of fields, `name: …` first"
    ),
    (
      "just text",
      ":1: 'just text' is of the wrong type; must be a mapping of fields, `name: …` first"
    ),
  ])
  func `a file that is no mapping is an error`(text: String, message: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("small.yaml", text)
    let error = #expect(throws: InputError.self) { try Scenario.load(file: file) }
    #expect(error?.description == file + message)
  }

  @Test func `a scenario file that is missing, a folder, unreadable or not text is an error`()
    throws
  {
    let folder = try TemporaryFolder()
    let gone = #expect(throws: InputError.self) {
      try Scenario.load(file: "\(folder.path)/gone.yaml")
    }
    #expect(gone?.description == "\(folder.path)/gone.yaml: no such file; check the path")
    let directory = #expect(throws: InputError.self) { try Scenario.load(file: folder.path) }
    #expect(directory?.description == "\(folder.path): a folder, not a file; check the path")
    #if os(Linux)
      let broken = #expect(throws: InputError.self) { try Scenario.load(file: "/proc/self/mem") }
      #expect(
        broken?.description == "/proc/self/mem: cannot be read: input/output error; check the path")
    #endif
    let binary = "\(folder.path)/small.yaml"
    try Data(Array("name: é\nasks: \n".utf8) + [0x6E, 0xFF, 0xFE])
      .write(to: URL(fileURLWithPath: binary))
    let error = #expect(throws: InputError.self) { try Scenario.load(file: binary) }
    #expect(error?.description == "\(binary):3: is not UTF-8; save the file as UTF-8")
  }
}
