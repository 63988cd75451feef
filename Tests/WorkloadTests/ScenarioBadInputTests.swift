import Foundation
import Support
import Testing

@testable import Workload

/// The small scenario's lines: 1 name, 2 asks, 3 entity (4 name, 5 key, 6 attributes 7…10), 11 data
/// (12, 13), 14 changes (15), 16 list (17).
struct ScenarioBadInputTests {
  struct Mistake: CustomTestStringConvertible {
    let old: String
    let new: String
    /// After the file's name.
    let message: String

    var testDescription: String { "\(old) → \(new)" }

    init(_ old: String, _ new: String, _ message: String) {
      self.old = old
      self.new = new
      self.message = message
    }
  }

  static func check(_ mistake: Mistake) throws {
    let (error, file) = try Small.error(replacing: mistake.old, with: mistake.new)
    #expect(error?.description == file + mistake.message)
  }

  private static let changes = ScenarioField.names(in: "changes").joined(separator: ", ")
  private static let noQuestions =
    "field 'user.asks_in': is for counts and searches, and the scenario has none;"
    + " set user.counts_per_s or user.searches_per_s, or leave it out"
  private static let top = ScenarioField.names(in: nil).joined(separator: ", ")
  private static let streams = StreamKind.allCases.map(\.rawValue).joined(separator: " | ")

  @Test(arguments: [
    Mistake(
      "per_save: 2", "per_svae: 2",
      ":15: field 'changes.per_svae': unknown field. Did you mean 'changes.per_save'? "
        + "Allowed in 'changes': \(changes)"),
    Mistake(
      "per_save: 2", "save_every: 2",
      ":15: field 'changes.save_every': unknown field. Allowed in 'changes': \(changes)"),
    Mistake(
      "changes:\n  per_save: 2", "chnages:\n  per_save: 2",
      ":14: field 'chnages': unknown field. Did you mean 'changes'? Allowed at the top: "
        + top),
    Mistake(
      "changes:\n  per_save: 2", "per_save: 2",
      ":14: field 'per_save': unknown field. Did you mean 'changes.per_save'? Allowed at the top: "
        + top),
    Mistake(
      "changes:\n  per_save: 2", "changes.per_save: 2",
      ":14: field 'changes.per_save': a dotted name is for --set; write 'per_save' inside 'changes:'"
    ),
  ])
  func `the error of an unknown field names the nearest one`(mistake: Mistake) throws {
    try Self.check(mistake)
  }

  @Test(arguments: ["burst: 5", "burst_every_ms: 5"])
  func `a burst is gone, and its error names the rate`(old: String) throws {
    let (error, _) = try Small.error(replacing: "per_save: 2", with: "per_save: 2\n  \(old)")
    #expect(
      error?.message
        == "is gone; give the saves a steady rate by changes.rate_per_s, in saves per second")
  }

  @Test func `a span needs a rate, and lists of another entity need one`() throws {
    for (line, message) in [
      ("coalesce_ms: 5", "needs changes.rate_per_s, the rate of the saves"),
      ("rate_per_s: 5\nworker:\n  history: read", "needs store.age, the transactions of a history"),
      ("unrelated: true", "needs an entity in `others` that the lists can show"),
      (
        "compare_before_setting: false", "'false' is for changes.stream arrivals"
      ),
    ] {
      let (error, _) = try Small.error(replacing: "per_save: 2", with: "per_save: 2\n  \(line)")
      #expect(error?.message == message)
    }
  }

  @Test(arguments: [
    Mistake("asks: Does it work?\n", "", ":1: field 'asks': is missing; must be text"),
    Mistake("  key: id\n", "", ":3: field 'entity.key': is missing; must be text"),
    Mistake(
      "  after: after.csv\n", "",
      ":11: field 'data.after': is missing; must be the path of a file, relative to the scenario file"
    ),
    Mistake(
      "data:\n  before: before.csv\n  after: after.csv\n", "",
      ":1: field 'data.before': is missing; must be the path of a file, relative to the scenario file"
    ),
    Mistake("asks: Does it work?", "asks:", ":2: field 'asks': is empty; must be text"),
    Mistake("asks: Does it work?", "asks: \"\"", ":2: field 'asks': is empty; must be text"),
  ])
  func `the error of a missing field names its place`(mistake: Mistake) throws {
    try Self.check(mistake)
  }

  @Test(arguments: [
    Mistake(
      "per_save: 2", "per_save: two",
      ":15: field 'changes.per_save': 'two' is of the wrong type; "
        + "must be all, or a whole number from 1 to 10000000"),
    Mistake(
      "per_save: 2", "per_save: 2.5",
      ":15: field 'changes.per_save': '2.5' is of the wrong type; "
        + "must be all, or a whole number from 1 to 10000000"),
    Mistake(
      "per_save: 2", "per_save: \"2\"",
      ":15: field 'changes.per_save': the text '2' is of the wrong type; "
        + "must be all, or a whole number from 1 to 10000000"),
    Mistake(
      "per_save: 2", "per_save: { a: 1 }",
      ":15: field 'changes.per_save': a mapping is of the wrong type; "
        + "must be all, or a whole number from 1 to 10000000"),
    Mistake(
      "per_save: 2", "per_save:\n    - 1\n    - x",
      ":17: field 'changes.per_save[2]': 'x' is of the wrong type; "
        + "must be all, or a whole number from 1 to 10000000"),
    Mistake(
      "per_save: 2", "per_save:",
      ":15: field 'changes.per_save': is empty; "
        + "must be all, or a whole number from 1 to 10000000"),
    Mistake(
      "per_save: 2", "stream: 5",
      ":15: field 'changes.stream': unknown value '5'. Allowed: \(streams)"),
    Mistake(
      "per_save: 2", "deletions: 5",
      ":15: field 'changes.deletions': unknown value '5'. "
        + "Allowed: explicit | by-rule | without-rules"),
    Mistake(
      "changes:\n  per_save: 2", "user: { asks_in: 5 }",
      ":14: field 'user.asks_in': unknown value '5'. Allowed: main | background"),
    Mistake(
      "changes:\n  per_save: 2", "store: { version: 5 }",
      ":14: field 'store.version': unknown value '5'. Allowed: current | previous"),
    Mistake(
      "changes:\n  per_save: 2", "worker: { undo: 5 }",
      ":14: field 'worker.undo': unknown value '5'. Allowed: true | false"),
    Mistake(
      "changes:\n  per_save: 2", "horizon_ms: soon",
      ":14: field 'horizon_ms': 'soon' is of the wrong type; must be a number from 1 to 3600000"),
    Mistake(
      "changes:\n  per_save: 2", "horizon_ms: .nan",
      ":14: field 'horizon_ms': '.nan' is of the wrong type; must be a number from 1 to 3600000"),
    Mistake(
      "changes:\n  per_save: 2", "changes: 2",
      ":14: field 'changes': '2' is of the wrong type; must be a mapping of fields: \(changes)"),
    Mistake(
      "changes:\n  per_save: 2", "changes:",
      ":14: field 'changes': is empty; must be a mapping of fields: \(changes)"),
    Mistake(
      "name: small", "name: [small]", ":1: field 'name': a list is of the wrong type; must be text"),
    Mistake(
      "  sort: [name]", "  sort: { name: down }",
      ":17: field 'list.sort': a mapping is of the wrong type; "
        + "must be a list of attributes, such as [country_code, -population]"),
  ])
  func `the error of a wrong type names the right one`(mistake: Mistake) throws {
    try Self.check(mistake)
  }

  @Test(arguments: [
    (
      "changes: { per_save: -1 }", "changes.per_save", "-1",
      "all, or a whole number from 1 to 10000000"
    ),
    (
      "changes: { per_save: 0 }", "changes.per_save", "0",
      "all, or a whole number from 1 to 10000000"
    ),
    ("user: { edits_per_s: -0.5 }", "user.edits_per_s", "-0.5", "a number from 0 to 10000"),
    ("user: { fetches_per_s: 1e9 }", "user.fetches_per_s", "1e9", "a number from 0 to 10000"),
    ("user: { counts_per_s: -1 }", "user.counts_per_s", "-1", "a number from 0 to 10000"),
    ("user: { searches_per_s: 1001 }", "user.searches_per_s", "1001", "a number from 0 to 1000"),
    ("drawing: { cell_us: -3 }", "drawing.cell_us", "-3", "a number from 0 to 1000000"),
    ("horizon_ms: 0", "horizon_ms", "0", "a number from 1 to 3600000"),
    ("repeat_for_ms: -1", "repeat_for_ms", "-1", "a number from 0 to 600000"),
    ("trials: 0", "trials", "0", "auto, or a whole number from 1 to 1000"),
    ("trials: 1001", "trials", "1001", "auto, or a whole number from 1 to 1000"),
  ])
  func `the error of a number out of bounds names the bounds`(
    text: String, field: String, value: String, allowed: String
  ) throws {
    try Self.check(
      Mistake(
        "changes:\n  per_save: 2", text,
        ":14: field '\(field)': \(value) is out of bounds; must be \(allowed)"))
  }

  @Test(arguments: [
    Mistake(
      "key: id", "key: ids",
      ":5: field 'entity.key': unknown attribute 'ids'. Did you mean 'id'? "
        + "Known: id, name, region, size"),
    Mistake(
      "key: id", "key: region",
      ":5: field 'entity.key': 'region' is string?; a key must be int64, string or uuid"),
    Mistake(
      "key: id", "key: size",
      ":5: field 'entity.key': 'size' is double; a key must be int64, string or uuid"),
    Mistake(
      "    size: double", "    size: real",
      ":10: field 'entity.attributes.size': unknown type 'real'. "
        + "Types: int64, double, bool, string, date, data, decimal, uuid, uri; with '?' for an optional one"
    ),
    Mistake(
      "    size: double", "    NAME: double",
      ":10: field 'entity.attributes.NAME': 'NAME' occurs twice; case makes no difference to SQLite"
    ),
    Mistake(
      "    size: double", "    2size: double",
      ":10: field 'entity.attributes.2size': '2size' is not a name; use letters, digits and '_'"),
    Mistake(
      "    size: double", "    si-ze: double",
      ":10: field 'entity.attributes.si-ze': 'si-ze' is not a name; use letters, digits and '_'"),
    Mistake(
      "  name: City", "  name: My City",
      ":4: field 'entity.name': 'My City' is not a name; use letters, digits and '_' only"),
    Mistake("sort: [name]", "sort: [name, -name]", ":17: field 'list.sort': 'name' occurs twice"),
    Mistake(
      "sort: [name]", "sort: [-nam]",
      ":17: field 'list.sort': unknown attribute 'nam'. Did you mean 'name'? "
        + "Known: id, name, region, size"),
    Mistake(
      "sort: [name]", "sort: [size localized]",
      ":17: field 'list.sort': 'size' is no text; leave out the second word"),
    Mistake(
      "sort: [name]", "sort: [name loc]",
      ":17: field 'list.sort': 'name loc' is no order; write an attribute, or an attribute and "
        + "'bytes' or 'localized' or 'localized-case-insensitive'"),
    Mistake(
      "sort: [name]", "visible_rows: 0\n  scroll_rows_per_s: 5",
      ":18: field 'list.scroll_rows_per_s': a list without visible rows cannot scroll; "
        + "set list.visible_rows"),
    Mistake(
      "per_save: 2", "stream: replace\nuser: { edits_per_s: 1 }",
      ":16: field 'user.edits_per_s': must be 0 with changes.stream replace; choose incremental, "
        + "whose worker leaves rows for edits"),
    Mistake(
      "per_save: 2", "per_save: 2\nuser: { edited: id }",
      ":16: field 'user.edited': 'id' is the key, which never changes"),
    Mistake("per_save: 2", "per_save: 2\nuser: { asks_in: main }", ":16: \(noQuestions)"),
    Mistake(
      "per_save: 2", "per_save: 2\nuser:\n  counts_per_s: 0\n  asks_in: [main, background]",
      ":18: \(noQuestions)"),
    Mistake(
      "name: small", "name: other",
      ":1: field 'name': 'other' must be the file's name without .yaml: 'small'; or leave it out"),
  ])
  func `fields that do not fit together are an error`(mistake: Mistake) throws {
    try Self.check(mistake)
  }

  @Test(arguments: [
    Mistake("per_save: 2", "per_save: [1, 2", ":16: malformed YAML: "),
    Mistake(
      "per_save: 2", "per_save: 2\n\tstream: replace",
      ":16: malformed YAML: a tab begins the line; indent it by spaces"),
    Mistake("asks: Does it work?", "asks: \"Does", ":17: malformed YAML: "),
    Mistake("per_save: 2", "per_save: *nowhere", ":15: malformed YAML: "),
  ])
  func `the error of malformed YAML names the line`(mistake: Mistake) throws {
    let (error, file) = try Small.error(replacing: mistake.old, with: mistake.new)
    let message = try #require(error?.description)
    #expect(message.hasPrefix(file + mistake.message), "\(message)")
    #expect(!message.contains("\n"))
  }
}
