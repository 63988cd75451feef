import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// Rows of three entities: tasks refer to people, and people to their boss and to a team.
enum Related {
  static let yaml = """
    name: related
    asks: Does it work?
    entity:
      name: Person
      key: id
      attributes: { id: int64, name: string }
      references: [team, boss]
    others:
      Task: { key: code, references: [person], before: tasks1.csv, after: tasks2.csv }
      Team: { key: name, before: teams1.csv, after: teams2.csv }
    data: { before: people1.csv, after: people2.csv }
    changes: { per_save: all }
    model:
      Person:
        relationships:
          team: { to_one: Team, inverse: people }
          boss: { to_one: Person, inverse: reports }
          reports: { to_many: Person, inverse: boss }
          tasks: { to_many: Task, inverse: person }
      Task:
        attributes: { code: string, done: bool }
        relationships:
          person: { to_one: Person, inverse: tasks, optional: false }
      Team:
        attributes: { name: string, size: int64? }
        relationships:
          people: { to_many: Person, inverse: team, delete_rule: deny }
    """

  static let files = [
    "people1.csv": "team,id,name,boss\nRed,1,Ada,\nRed,2,Bo,1\n,3,Cy,2\n",
    "people2.csv": "id,name,team,boss\n2,Bo,Blue,4\n3,Cy,,2\n4,Di,Blue,\n5,Ed,Blue,2\n",
    "tasks1.csv": "code,done,person\na,false,1\nb,false,3\n",
    "tasks2.csv": "code,done,person\nb,true,5\nc,false,3\n",
    "teams1.csv": "name,size\nRed,2\n",
    "teams2.csv": "name,size\nBlue,\n",
  ]

  static func scenario(
    replacing changes: [(file: String, old: String, new: String)] = [], set: [String] = []
  ) throws -> (scenario: Scenario, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    var texts = files
    texts["related.yaml"] = yaml
    for (file, old, new) in changes {
      #expect(texts[file]?.contains(old) == true, "the fixture no longer holds '\(old)'")
      texts[file] = texts[file]?.replacing(old, with: new)
    }
    for (name, text) in texts { try folder.write(name, text) }
    let file = "\(folder.path)/related.yaml"
    return (try #require(try Scenario.load(file: file, set: set).first), folder)
  }

  static func workload(
    replacing changes: [(file: String, old: String, new: String)] = [], set: [String] = [],
    seed: UInt64 = 1
  ) throws -> Workload {
    let (scenario, folder) = try scenario(replacing: changes, set: set)
    return try withExtendedLifetime(folder) { try Workload.make(scenario, seed: seed) }
  }

  /// Applies a stream the plainest way, with every reference checked at every step.
  static func applying(_ workload: Workload) throws -> [Set<Row>] {
    try applying(workload.effects, workload.tables)
  }

  static func applying(
    _ effects: [[Change]], _ allRows: [TableRows]
  ) throws -> [Set<Row>] {
    var tables = allRows.map { table in
      Dictionary(uniqueKeysWithValues: table.before.rows.map { ($0[table.entity.keyIndex], $0) })
    }
    for change in effects.joined() {
      let index = change.entity
      let entity = allRows[index].entity
      switch change.kind {
      case .insert(let row):
        #expect(tables[index].updateValue(row, forKey: row[entity.keyIndex]) == nil)
      case .update(let key, let fields):
        for field in fields { tables[index][key]?[field.index] = field.value }
        #expect(tables[index][key] != nil, "updated what is not there: \(key)")
      case .delete(let key):
        #expect(tables[index].removeValue(forKey: key) != nil)
      default: Issue.record("no plain change: \(change)")
      }
      if !change.isDelete { checkReferences(tables, allRows.map(\.entity)) }
    }
    return tables.map { Set($0.values) }
  }

  private static func checkReferences(_ tables: [[Value: Row]], _ entities: [RowDescription]) {
    for (entity, rows) in zip(entities, tables) {
      for (place, reference) in entity.references.enumerated() {
        let destination = entities.firstIndex { $0.name == reference.destination } ?? 0
        for row in rows.values where row[entity.attributes.count + place] != .null {
          let key = row[entity.attributes.count + place]
          #expect(tables[destination][key] != nil, "\(entity.name) refers to \(key) too early")
        }
      }
    }
  }
}

struct RelatedRowsTests {
  @Test func `rows hold their attributes and the keys of what they refer to`() throws {
    let (scenario, folder) = try Related.scenario()
    let workload = try Workload.make(scenario, seed: 1)
    withExtendedLifetime(folder) {}
    #expect(scenario.entities.map(\.name) == ["Person", "Task", "Team"])
    #expect(
      scenario.entities.map { $0.columns.map(\.name) } == [
        ["id", "name", "team", "boss"], ["code", "done", "person"], ["name", "size"],
      ])
    #expect(scenario.entity.columns.map(\.typeName) == ["int64", "string", "string?", "int64?"])
    #expect(scenario.entities[1].columns[2].typeName == "int64")
    #expect(
      workload.tables[0].before.rows[1] == [
        .int64(2), .string("Bo"), .string("Red"), .int64(1),
      ])
    #expect(workload.initialRows == workload.tables[0].before.rows)
    #expect(workload.expectedRows == workload.tables[0].after.rows)
  }

  @Test(arguments: ["incremental", "replace"], ["with-rows", "afterwards"])
  func `changes find the rows that they refer to, and end with the expected rows`(
    stream: String, references: String
  ) throws {
    for seed in 0..<40 as Range<UInt64> {
      let workload = try Related.workload(
        set: ["changes.stream=\(stream)", "changes.references=\(references)"], seed: seed)
      let expected = workload.tables.map { Set($0.after.rows) }
      #expect(try Related.applying(workload) == expected, "seed \(seed)")
    }
  }

  @Test func `deletes come last, referring rows before referenced ones`() throws {
    let changes = try Related.workload().changes
    #expect(
      Array(changes.suffix(3)) == [
        .delete(key: .string("a"), of: 1), .delete(key: .int64(1)),
        .delete(key: .string("Red"), of: 2),
      ])
    #expect(try Related.workload().counts == ChangeCounts(inserts: 4, updates: 2, deletes: 3))
  }

  @Test func `with references afterwards, rows come without optional relationships`() throws {
    let workload = try Related.workload(set: ["changes.references=afterwards"])
    for case .insert(let row) in workload.changes.filter({ $0.entity == 0 }).map(\.kind) {
      #expect(row[2...] == [.null, .null])
    }
    #expect(workload.changes.contains(.insert([.string("c"), .bool(false), .int64(3)], of: 1)))
  }

  @Test func `a smaller list also loses the rows that refer to removed ones`() throws {
    let workload = try Related.workload(set: ["data.rows=3"])
    #expect(workload.tables[0].before.rows.map { $0[0] } == [1, 2, 3].map(Value.int64))
    // Bo's boss would be Di, who is not among the three, and Cy's would be Bo.
    #expect(workload.tables[0].after.rows.isEmpty)
    #expect(workload.tables[1].before.rows.count == 2 && workload.tables[1].after.rows.isEmpty)
    #expect(workload.tables[2].after.rows.count == 1)
  }

  @Test func `the other entities and their data count in the digest, their paths do not`() throws {
    let digest = try Related.workload().digest
    #expect(try Related.workload(replacing: [("tasks2.csv", "true", "false")]).digest != digest)
    #expect(
      try Related.workload(replacing: [("related.yaml", "key: code", "key:  code")]).digest
        == digest)
    #expect(
      try Related.workload(replacing: [("related.yaml", "tasks1.csv", "./tasks1.csv")]).digest
        == digest)
  }

  @Test func `equal values of two entities are two rows of a fingerprint`() {
    var one = Fingerprint([[.int64(1)]])
    var other = one
    one.add([[.int64(2)]], of: "A")
    other.add([[.int64(2)]], of: "B")
    #expect(one != other)
    #expect(Fingerprint([[.int64(1)], [.int64(2)]]) != one)
  }

  @Test(arguments: [
    (
      "people2.csv", "4,Di,Blue,", "4,Di,Green,",
      "people2.csv:4: field 'team': refers to Team \"Green\", which has no row; add it, or "
        + "leave the field empty"
    ),
    (
      "tasks1.csv", "a,false,1", "a,false,",
      "tasks1.csv:2: field 'person': an empty field is no int64; allowed: a whole number from "
        + "-9223372036854775808 to 9223372036854775807, without + or leading zeros"
    ),
    (
      "tasks1.csv", "code,done,person", "code,done,persn",
      "tasks1.csv:1: column 'person' is missing; Task has it as a reference. Not used: 'persn'. If"
        + " it has another name, write under 'others.Task': columns: {\"persn\":\"person\"}"
    ),
    (
      "tasks1.csv", "code,done,person", "code,done,warden",
      "tasks1.csv:1: column 'person' is missing; Task has it as a reference. Not used: 'warden'. If"
        + " it has another name, write under 'others.Task': columns: {\"NAME\":\"person\"}"
    ),
    (
      "teams1.csv", "name,size\nRed,2", "name\nRed",
      "teams1.csv:1: column 'size' is missing; Team has it as an attribute."
    ),
  ])
  func `an error in the data names its file and line`(
    file: String, old: String, new: String, message: String
  ) throws {
    let error = #expect(throws: InputError.self) {
      _ = try Related.workload(replacing: [(file, old, new)])
    }
    #expect(error?.description.hasSuffix("/" + message) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (
      "[team, boss]", "[team, tasks]",
      "7: field 'entity.references': 'tasks' leads to many, but a column holds one key; leave it out,"
        + " and write under 'others.Task': references: [person]"
    ),
    (
      "[team, boss]", "[team, reports]",
      "7: field 'entity.references': 'reports' leads to many, but a column holds one key; leave it"
        + " out, and write under 'entity': references: [boss]"
    ),
    (
      "[team, boss]", "[team, bos]",
      "7: field 'entity.references': 'bos' is not a to-one relationship of 'Person'; say in `model` "
        + "where it leads"
    ),
    ("[team, boss]", "[team, team]", "7: field 'entity.references': 'team' occurs twice"),
    (
      "Team: { key: name, before: teams1.csv, after: teams2.csv }", "",
      "7: field 'entity.references': 'team' leads to 'Team', which has no rows; add it to `others`"
    ),
    (
      "Task: { key: code,", "Job: { key: code,",
      "9: field 'others.Job': 'Job' must be an entity of `model`, and not that of the list"
    ),
    (
      "key: code", "key: done",
      "9: field 'others.Task.key': 'done' is bool; a key must be int64, string or uuid"
    ),
    (
      "key: code", "key: kode",
      "9: field 'others.Task.key': unknown attribute 'kode'. Known: code, done"
    ),
    (
      "Team: { key: name, before: teams1.csv,", "Team: { key: name,",
      "10: field 'others.Team': 'before' is missing; must be the path of a file, relative to the "
        + "scenario file"
    ),
    (
      "before: teams1.csv,", "before: teams1.csv, rows: 3,",
      "10: field 'others.Team.rows': needs generate.rows; the rows come from data files"
    ),
    (
      "key: name,", "kye: name,",
      "10: field 'others.Team.kye': unknown field. Did you mean 'key'? Allowed in 'others.Team': key, "
        + "references, before, after, format, columns, ignore, rows, inserts, updates, deletes"
    ),
    (
      "to_many: Person, inverse: boss }", "to_one: Person, inverse: boss }",
      "7: field 'entity.references': the inverse of 'boss' must lead to many: rows would decide both "
        + "sides"
    ),
    (
      "{ to_one: Person, inverse: reports }",
      "{ to_one: Person, inverse: reports, optional: false }",
      "17: field 'model.Person.relationships.boss': must be optional: its entity is referred to from "
        + "where it leads, so no row could be first"
    ),
    (
      "references: [person], ", "",
      "23: field 'model.Task.relationships.person': the rows of the data files are related to "
        + "nothing; make it optional"
    ),
  ])
  func `an error in the file names its line`(
    old: String, new: String, message: String
  ) throws {
    let error = #expect(throws: InputError.self) {
      _ = try Related.scenario(replacing: [("related.yaml", old, new)])
    }
    #expect(error?.description.hasSuffix("/related.yaml:" + message) == true)
  }
}
