import DataModel
import Foundation
import Support
import Testing

@testable import Workload

struct ScenarioLoadingTests {
  @Test func `a missing field has the documented default`() throws {
    let scenario = try Small.scenario(
      yaml: Small.yaml.replacing("changes:\n  per_save: 2\nlist:\n  sort: [name]", with: ""))
    #expect(scenario.data.rows == nil)
    #expect(scenario.changes == .init(stream: .incremental, perSave: 500))
    #expect(scenario.find == .perBatch)
    #expect(scenario.realised == .visible)
    #expect(scenario.list.order.terms == [.init(attribute: 0)])
    #expect(scenario.list.visibleRows == 12)
    #expect(scenario.list.scrollRowsPerSecond == 0)
    #expect(scenario.list.frameRate == 60)
    #expect(scenario.drawing == .init(delta: .zero, cell: .zero, reload: .zero, frame: .zero))
    #expect(scenario.user == .init(fetchesPerSecond: 0, editsPerSecond: 0, editedAttribute: 3))
    #expect(scenario.horizon == .seconds(1))
    #expect(scenario.repeatFor == .seconds(1))
    #expect(scenario.trials == nil)
    #expect(scenario.parameters.isEmpty)
    #expect(scenario.parametersJSON == "")
  }

  @Test func `fields are decoded as written`() throws {
    let scenario = try Small.scenario(
      yaml: Small.yaml.replacing("  sort: [name]", with: "  sort: [-region, name]") + """

          visible_rows: 3
          scroll_rows_per_s: 600.5
          frame_rate_hz: 120
        worker: { find: per-object }
        main: { realised: all }
        drawing: { delta_us: 1, cell_us: 2.5, reload_us: 3, frame_us: 1e3 }
        user: { fetches_per_s: 4, edits_per_s: 0.5, edited: name }
        horizon_ms: 250
        repeat_for_ms: 0
        trials: 7
        """)
    #expect(scenario.name == "small")
    #expect(scenario.asks == "Does it work?")
    #expect(scenario.entity == Small.entity)
    #expect(scenario.changes.perSave == 2)
    #expect(
      scenario.list.order.terms == [
        .init(attribute: 2, isDescending: true), .init(attribute: 1), .init(attribute: 0),
      ])
    #expect(scenario.list.visibleRows == 3)
    #expect(scenario.list.scrollRowsPerSecond == 600.5)
    #expect(scenario.list.frameRate == 120)
    #expect(scenario.find == .perObject)
    #expect(scenario.realised == .all)
    #expect(
      scenario.drawing
        == .init(
          delta: .microseconds(1), cell: .nanoseconds(2500), reload: .microseconds(3),
          frame: .milliseconds(1)))
    #expect(scenario.user == .init(fetchesPerSecond: 4, editsPerSecond: 0.5, editedAttribute: 1))
    #expect(scenario.horizon == .milliseconds(250))
    #expect(scenario.repeatFor == .zero)
    #expect(scenario.trials == 7)
  }

  @Test func `a save of all changes is one batch`() throws {
    #expect(try Small.scenario(set: ["changes.per_save=all"]).changes.perSave == nil)
  }

  @Test func `every field is listed with its value, in the documented order`() throws {
    let scenario = try Small.scenario(set: ["drawing.cell_us=1.5"])
    #expect(scenario.fields.map(\.path) == ScenarioField.all.map(\.path))
    let values = Dictionary(uniqueKeysWithValues: scenario.fields.map { ($0.path, $0.value) })
    #expect(values["changes.per_save"] == .integer(2))
    #expect(values["drawing.cell_us"]?.json == "1.5")
    #expect(values["list.sort"]?.json == #"["name"]"#)
    #expect(
      values["entity.attributes"]?.json
        == #"{"id":"int64","name":"string","region":"string?","size":"double"}"#)
    #expect(values["trials"]?.json == #""auto""#)
  }

  @Test func `values are written to JSON in the order of the mapping`() throws {
    let value = ParameterValue.mapping([
      .init(name: "b", value: .number(5)),
      .init(name: "a", value: .list([.text("x"), .integer(1)])),
      .init(name: "c", value: .number(0.5)),
    ])
    #expect(value.json == #"{"b":5,"a":["x",1],"c":0.5}"#)
    #expect(ParameterValue.text("a\"\\\n\u{1}é").json == #""a\"\\\u000a\u0001é""#)
  }
}

struct ScenarioSweepTests {
  static func parameters(_ set: [String], yaml: String = Small.yaml) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = try Small.files(in: folder, yaml: yaml)
    return try Scenario.load(file: file, set: set).map(\.parametersJSON)
  }

  @Test func `a value that is set replaces the file's and is a parameter`() throws {
    let scenario = try Small.scenario(set: ["changes.per_save=50", "main.realised=none"])
    #expect(scenario.changes.perSave == 50)
    #expect(scenario.realised == .none)
    #expect(
      scenario.parametersJSON == #"{"changes.per_save":50,"main.realised":"none"}"#)
  }

  @Test func `a list of values sweeps`() throws {
    let scenarios = try Self.parameters(["changes.per_save=[1, 50, all]"])
    #expect(
      scenarios == [
        #"{"changes.per_save":1}"#, #"{"changes.per_save":50}"#, #"{"changes.per_save":"all"}"#,
      ])
  }

  @Test func `two sweeps give every combination, whatever order they were named in`() throws {
    let expected = [
      #"{"changes.per_save":1,"main.realised":"none","trials":3}"#,
      #"{"changes.per_save":1,"main.realised":"all","trials":3}"#,
      #"{"changes.per_save":9,"main.realised":"none","trials":3}"#,
      #"{"changes.per_save":9,"main.realised":"all","trials":3}"#,
    ]
    let sets = ["main.realised=[none,all]", "trials=3", "changes.per_save=[1,9]"]
    #expect(try Self.parameters(sets) == expected)
    #expect(try Self.parameters(sets.reversed()) == expected)
  }

  @Test func `a file may sweep, and a flag overrides it`() throws {
    let yaml = Small.yaml.replacing("per_save: 2", with: "per_save: [1, 2]")
    #expect(
      try Self.parameters([], yaml: yaml)
        == [#"{"changes.per_save":1}"#, #"{"changes.per_save":2}"#])
    #expect(
      try Self.parameters(["changes.per_save=5"], yaml: yaml) == [#"{"changes.per_save":5}"#])
  }

  @Test func `the list's order is one value, not a sweep`() throws {
    #expect(try Self.parameters(["list.sort=[-size,name]"]) == [#"{"list.sort":["-size","name"]}"#])
    #expect(try Small.scenario(set: ["list.sort=-size"]).list.order.terms.count == 2)
    let localized = try Small.scenario(set: ["list.sort=[-name localized,size]"]).list.order.terms
    #expect(localized.map(\.comparison) == [.localized, .bytes, .bytes])
    #expect(localized.map(\.isDescending) == [true, false, false])
  }

  @Test func `each combination can be loaded again by its overrides`() throws {
    let folder = try TemporaryFolder()
    let file = try Small.files(in: folder)
    let sets = [
      "changes.per_save=[1,all]", "drawing.cell_us=[0.5,1e-05]", "list.sort=[-size]",
      "data.after=before.csv", "user.edited=[name,auto]",
    ]
    let scenarios = try Scenario.load(file: file, set: sets)
    #expect(scenarios.count == 8)
    for scenario in scenarios {
      let again = try Scenario.load(file: file, set: scenario.overrides)
      #expect(again.map(\.parametersJSON) == [scenario.parametersJSON])
      #expect(again.first?.fields.map(\.value) == scenario.fields.map(\.value))
    }
  }

  @Test(arguments: [
    #"name == "a: b""#, #"name == "a #b""#, #""x" == name"#, "null", "- name", "[name]", " id == 1",
  ])
  func `a text that YAML could read otherwise can be set again`(text: String) throws {
    let folder = try TemporaryFolder()
    let file = try Small.files(in: folder)
    try folder.write("after: #2.csv", Small.after)
    let set = [
      "changes.stream=arrivals", "changes.delete_where=\(ParameterValue.text(text).json)",
      "data.after=after: #2.csv",
    ]
    let scenario = try #require(try Scenario.load(file: file, set: set).first)
    #expect(scenario.changes.deleteWhere == text)
    let again = try #require(try Scenario.load(file: file, set: scenario.overrides).first)
    #expect(again.changes.deleteWhere == text)
    #expect(again.parametersJSON == scenario.parametersJSON)
  }

  @Test(arguments: [
    ("changes.per_save", "must be KEY=VALUE, such as changes.per_save=50"),
    ("=5", "must be KEY=VALUE, such as changes.per_save=50"),
    (
      "changes.per_save=-1",
      "-1 is out of bounds; must be all, or a whole number from 1 to 10000000"
    ),
    (
      "changes.per_save=[1,0]",
      "0 is out of bounds; must be all, or a whole number from 1 to 10000000"
    ),
    (
      "changes.per_save=many",
      "'many' is of the wrong type; must be all, or a whole number from 1 to 10000000"
    ),
    (
      "changes.per_save=",
      "no value, or malformed; must be all, or a whole number from 1 to 10000000"
    ),
    (
      "changes.per_save=[1",
      "no value, or malformed; must be all, or a whole number from 1 to 10000000"
    ),
    ("changes.per_save=[]", "a sweep over 0 values; 1 to 1000 are allowed"),
    ("changes.per_save=[5,5]", "the sweep has 5 twice"),
    (
      "changes.stream=incremetal",
      "unknown value 'incremetal'. Did you mean 'incremental'? Allowed: \(StreamKind.allCases.map(\.rawValue).joined(separator: " | "))"
    ),
    (
      "changes.per_svae=1",
      "unknown field. Did you mean 'changes.per_save'? Allowed in 'changes': "
        + ScenarioField.names(in: "changes").joined(separator: ", ")
    ),
    ("name=other", "'name' describes the data; state it in the scenario file itself"),
    ("entity.key=name", "'entity.key' describes the data; state it in the scenario file itself"),
    (
      "list.sort=[size,nmae]",
      "unknown attribute 'nmae'. Did you mean 'name'? Known: id, name, region, size"
    ),
    ("data.rows=0", "0 is out of bounds; must be all, or a whole number from 1 to 10000000"),
  ])
  func `a wrong override names the flag and what is allowed`(set: String, message: String) throws {
    let (error, _) = try Small.error(replacing: "small", with: "small", set: [set])
    #expect(error?.description == "--set \(set): \(message)")
  }

  @Test func `a scenario without a name has that of its file`() throws {
    #expect(
      try Small.scenario(yaml: Small.yaml.replacing("name: small\n", with: "")).name == "small")
    #expect(try Small.scenario(yaml: Small.yaml.replacing("small", with: "auto")).name == "small")
  }

  @Test func `an unknown key outside a section names the nearest field and all that may be set`()
    throws
  {
    let (error, _) = try Small.error(replacing: "small", with: "small", set: ["per_save=1"])
    let message = try #require(error?.description)
    #expect(
      message.hasPrefix(
        "--set per_save=1: unknown field 'per_save'. Did you mean 'changes.per_save'? Known: asks_about, data.before, "
      ), "\(message)")
    #expect(!message.contains("entity.key"))
  }

  @Test func `the error of a missing file in --set names the flag`() throws {
    let (error, file) = try Small.error(
      replacing: "small", with: "small", set: ["data.after=gone.csv"])
    let folder = file.dropLast("/small.yaml".count)
    #expect(
      error?.description
        == "--set data.after=gone.csv: no such file: \(folder)/gone.csv; the path is relative to the scenario file"
    )
  }

  @Test func `a key that is set twice is an error`() throws {
    let (error, _) = try Small.error(
      replacing: "small", with: "small", set: ["trials=1", "trials=2"])
    #expect(
      error?.description == "--set trials=2: set twice; to sweep, give a list: trials=[…]")
  }
}
