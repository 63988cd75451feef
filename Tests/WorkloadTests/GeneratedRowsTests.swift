import DataModel
import Support
import Testing

@testable import Workload

enum Generated {
  static let yaml = """
    name: small
    asks: Does it work?
    entity:
      name: Employee
      key: number
      attributes:
        number: int64
        name: string
        hired: date
        salary: double
        active: bool
        photo: data?
        manager: int64?
    generate: { rows: 100, inserts: 10, updates: 20, deletes: 5 }
    list:
      sort: [name]
    """

  static func scenario(set: [String] = []) throws -> Scenario {
    try #require(try Scenario.decode(yaml: yaml, file: "small.yaml", set: set).first)
  }

  static func workload(set: [String] = [], seed: UInt64 = 1) throws -> Workload {
    try Workload.make(try scenario(set: set), seed: seed)
  }
}

struct GeneratedRowsTests {
  @Test func `as many rows change as the scenario says, each in one attribute`() throws {
    let workload = try Generated.workload()
    #expect(workload.counts == ChangeCounts(inserts: 10, updates: 20, deletes: 5))
    #expect(workload.initialRows.count == 100 && workload.expectedRows.count == 105)
    for change in workload.changes {
      if case .update(_, let fields) = change.kind { #expect(fields.count == 1) }
    }
    let result = try applying(workload.changes, to: workload.initialRows, keyIndex: 0)
    #expect(result == byKey(workload.expectedRows))
  }

  /// Results of one digest must be of one work: a changed byte needs a new version.
  @Test func `version 1 of the generator makes these rows`() throws {
    let workload = try Generated.workload()
    #expect(RowGenerator.version == "topobench rows 1")
    #expect(Fingerprint(workload.initialRows).hex == "073feb8365778fbe")
    #expect(Fingerprint(workload.expectedRows).hex == "329629c18d7088ec")
    #expect(
      workload.initialRows[0] == [
        .int64(1), .string("Mufima Vinu"), .date(secondsSince2001: 201_828_739), .double(15489.89),
        .bool(true),
        .null, .int64(502_582),
      ])
  }

  @Test func `a row depends on its number alone, so a smaller size is a prefix`() throws {
    let small = try Generated.workload().initialRows
    let large = try Generated.workload(set: ["generate.rows=400"]).initialRows
    #expect(Array(large.prefix(100)) == small)
    let other = try Generated.workload(set: ["generate.seed=2"]).initialRows
    #expect(zip(small, other).allSatisfy { $0[0] == $1[0] && $0 != $1 })
  }

  @Test func `rows that were let go are made again`() throws {
    let workload = try Generated.workload()
    let (rows, keys) = (workload.expectedRows, workload.editableKeys)
    workload.freeRows()
    #expect(workload.expectedRows == rows)
    #expect(workload.editableKeys == keys)
  }

  @Test func `the run's seed orders the changes and leaves the rows as they are`() throws {
    let (one, two) = (try Generated.workload(), try Generated.workload(seed: 2))
    #expect(one.batches != two.batches)
    #expect(one.digest == two.digest)
    #expect(one.expectedRows == two.expectedRows)
  }

  @Test func `seed and sizes are in the digest, and the same sizes give the same digest`() throws {
    let digest = try Generated.workload().digest
    #expect(try Generated.workload().digest == digest)
    for other in ["seed=2", "rows=101", "inserts=9", "updates=21", "deletes=4"] {
      #expect(try Generated.workload(set: ["generate.\(other)"]).digest != digest, "\(other)")
    }
  }

  @Test func `keys that are texts sort as their numbers`() {
    let entity = RowDescription(
      name: "Thing", attributes: [.init("id", .string)], keyIndex: 0)
    let keys = (0..<120).map(RowGenerator(entity, seed: 1).key)
    #expect(keys == keys.sorted() && Set(keys).count == 120)
    #expect(keys[0] == .string("00000001"))
  }

  @Test func `optional values are null now and then, others never`() throws {
    let rows = try Generated.workload(set: ["generate.rows=2000"]).initialRows
    for (index, attribute) in try Generated.scenario().entity.attributes.enumerated() {
      let nulls = rows.count { $0[index] == .null }
      #expect(attribute.isOptional ? (180...320).contains(nulls) : nulls == 0, "\(attribute.name)")
    }
  }

  @Test(arguments: [
    (
      "generate.updates=96",
      "96 updates and 5 deletes need as many rows; there are 100"
    ),
    ("data.rows=7", "is for data files; with generate.rows there are none"),
    ("generate.rows=-1", "-1 is out of bounds; must be none, or a whole number from 0 to 10000000"),
    (
      "generate.rows=none",
      "does not go with small.yaml:1: field 'data.before': is missing; name a file, or say by"
        + " generate.rows how many to make"
    ),
  ])
  func `sizes that do not fit are an error`(set: String, message: String) throws {
    let error = try #require(throws: InputError.self) { try Generated.scenario(set: [set]) }
    #expect(error.message == message)
  }

  @Test func `an entity with nothing but its key cannot be updated`() {
    let mark = "\nothers: { Mark: { key: id, rows: 3, updates: 1 } }\n"
    let model = "model: { Mark: { attributes: { id: int64 } } }\n"
    let error = #expect(throws: InputError.self) {
      try Scenario.decode(yaml: Generated.yaml + mark + model, file: "small.yaml", set: [])
    }
    #expect(
      error?.description
        == "small.yaml:17: field 'others.Mark.updates': Mark has nothing to change but its key")
  }

  @Test(arguments: [
    "generate.inserts=5", "generate.percent=50", "generate.story=hospital", "generate.seed=2",
  ])
  func `fields of generated rows are refused where the rows come from files`(set: String) throws {
    let (error, _) = try Small.error(replacing: "small", with: "small", set: [set])
    #expect(error?.origin == .flag("--set \(set)"))
    #expect(error?.message == "needs generate.rows; the rows come from data files")
  }

  @Test(arguments: [("0.07", 7), ("0.071", 8), ("100", 10_000)])
  func `a share is rounded up, but not beyond a whole number`(percent: String, rows: Int) throws {
    let set = ["generate.rows=10000", "generate.percent=\(percent)"]
    #expect(try Generated.scenario(set: set).generation?.rows == rows)
  }

  @Test func `no kind of change is lost in a small share`() throws {
    let workload = try Generated.workload(set: ["generate.rows=25", "generate.percent=4"])
    #expect(workload.counts == ChangeCounts(inserts: 1, updates: 1, deletes: 1))
    #expect(workload.initialRows.count == 2)
    let again = try Generated.workload(
      set: ["changes.stream=arrivals", "changes.unchanged_percent=0.1"])
    #expect(again.changes.count == 10 + 20 + 5 + 1)
  }
}
