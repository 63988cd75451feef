import DataModel
import Support
import Testing

@testable import Workload

struct ReplayTests {
  static let header = "save,at_ms,entity,inserted,updated,deleted\n"

  static let yaml = """
    name: small
    asks: Does it work?
    entity:
      name: City
      key: id
      attributes: { id: int64, name: string }
    others:
      Country: { key: code, rows: 3 }
    model:
      Country:
        attributes: { code: string, size: bool }
    generate:
      rows: 4
    changes:
      saves: small.saves.csv
    """

  static func workload(
    _ saves: String, set: [String] = [], seed: UInt64 = 1, yaml: String = yaml
  ) throws -> Workload {
    let folder = try TemporaryFolder()
    try folder.write("small.saves.csv", header + saves)
    let file = try folder.write("small.yaml", yaml)
    return try Workload.make(
      try #require(try Scenario.load(file: file, set: set).first), seed: seed)
  }

  private static func counts(_ workload: Workload) -> [[Int]] {
    workload.batches.map { batch in
      let counts = ChangeCounts(batch.changes)
      return [counts.inserts, counts.updates, counts.deletes]
    }
  }

  @Test func `each save is due at its time, and changes as many rows as it did`() throws {
    let workload = try Self.workload(
      "1,0,City,2,0,0\n2,12.5,City,1,3,2\n2,12.5,Country,0,1,0\n4,700,City,0,0,5\n")
    #expect(workload.due == [.zero, .microseconds(12_500), .milliseconds(700)])
    #expect(Self.counts(workload) == [[2, 0, 0], [1, 4, 2], [0, 0, 5]])
    #expect(workload.expectedRows.isEmpty && workload.tables[1].after.rows.count == 3)
  }

  /// Rows are updated in many saves, and deleted after they were inserted.
  @Test func `the saves lead to the expected rows`() throws {
    var random = SplitMix64(seed: 7)
    var rows = 4
    let saves = (1...200).map { number in
      let (inserts, deletes) = (random.next(below: 4), random.next(below: min(rows + 1, 3)))
      let updates = random.next(below: rows - deletes + 1)
      rows += inserts - deletes
      return "\(number),\(number),City,\(inserts),\(updates),\(deletes)\n"
    }
    let workload = try Self.workload(saves.joined())
    let left = try applying(workload.changes, to: workload.initialRows, keyIndex: 0)
    #expect(left == byKey(workload.expectedRows) && left.count == rows)
    for batch in workload.batches {
      let keys = batch.changes.map(\.key)
      #expect(Set(keys).count == keys.count, "a save touches a row twice")
    }
  }

  @Test func `a longest pause shortens gaps, and not the saves between`() throws {
    let saves = "1,5,City,1,0,0\n2,9000,City,1,0,0\n3,9004,City,1,0,0\n"
    let workload = try Self.workload(saves, set: ["changes.longest_pause_ms=20"])
    #expect(workload.due == [5, 25, 29].map { .milliseconds($0) })
    let error = #expect(throws: InputError.self) { try Self.workload(saves) }
    #expect(error?.field == "changes.saves" && error?.message.contains("horizon_ms") == true)
  }

  @Test func `a share of the saves keeps every kind of change`() throws {
    let saves = (1...10).map { "\($0),\($0),City,1,1,1\n" }.joined()
    let workload = try Self.workload(saves, set: ["generate.percent=20", "generate.rows=40"])
    #expect(workload.counts == ChangeCounts(inserts: 2, updates: 2, deletes: 2))
    #expect(workload.due.count == 2 && workload.initialRows.count == 8)
  }

  @Test func `a change that rounding asks for too early is made by a later save`() throws {
    let saves = "1,0,City,0,1,1\n2,5,City,1,0,0\n3,9,City,0,1,0\n"
    let workload = try Self.workload(saves, set: ["generate.percent=20"])
    #expect(Self.counts(workload) == [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
  }

  @Test func `rows with nothing but their key cannot be updated`() throws {
    let yaml = Self.yaml.replacing("code: string, size: bool", with: "code: string")
    let error = #expect(throws: InputError.self) {
      try Self.workload("1,0,City,1,0,0\n2,5,Country,0,1,0\n", yaml: yaml)
    }
    let text = error?.description ?? ""
    #expect(
      text.hasSuffix(
        "small.saves.csv:3: field 'updated': Country has nothing to change but its key"), "\(text)")
  }

  @Test func `saves without a change are no work`() throws {
    let error = #expect(throws: InputError.self) { try Self.workload("1,0,City,0,0,0\n") }
    #expect(error?.field == "changes.saves")
  }

  @Test func `the user edits rows that no save touches`() throws {
    let set = ["user.edits_per_s=10", "generate.rows=40"]
    let workload = try Self.workload("1,0,City,0,30,0\n2,9,City,0,30,0\n", set: set)
    let updated = Set(workload.changes.map(\.key))
    #expect(updated.isDisjoint(with: workload.userEdits(count: 20).map(\.key)))
  }

  @Test func `the saves count in the digest, their path does not`() throws {
    let digest = try Self.workload("1,0,City,1,0,0\n").digest
    #expect(try Self.workload("1,1,City,1,0,0\n").digest != digest)
    #expect(
      try Self.workload(
        "1,0,City,1,0,0\n", yaml: Self.yaml.replacing(" small.saves", with: " ./small.saves")
      ).digest == digest)
  }

  @Test(arguments: [
    ("1,0,Cty,1,0,0", "field 'entity': unknown entity 'Cty'. Did you mean 'City'?"),
    ("1,0,City,x,0,0", "field 'inserted': 'x' must be a whole number from 0 to 10000000"),
    ("1,-1,City,1,0,0", "field 'at_ms': '-1' must be a number from 0"),
    ("1,0,City,1,0", "5 fields, but the header has 6 columns"),
    (
      "1,0,City,1,0,0\n1,2,Country,1,0,0", "field 'at_ms': '2' differs from that of the line before"
    ),
    ("1,0,City,1,0,0\n1,0,City,1,0,0", "field 'entity': 'City' occurs twice in save 1"),
    ("2,0,City,1,0,0\n1,0,City,1,0,0", "field 'save': '1' comes after save 2"),
    ("1,5,City,1,0,0\n2,4,City,1,0,0", "field 'at_ms': '4' lies before the save above"),
    (
      "1,0,City,0,3,2", "updates 3 and deletes 2 of City, of which there are 4; raise generate.rows"
    ),
    ("1,0,Country,0,0,4", "of which there are 3; raise others.Country"),
    (
      "1,0,City,10000000,0,0\n2,0,City,1,0,0", "change more than 10000000 objects; keep fewer saves"
    ),
  ])
  func `a mistake in the saves is told with its line`(saves: String, message: String) throws {
    let error = #expect(throws: InputError.self) { try Self.workload(saves + "\n") }
    let line = saves.split(separator: "\n").count + 1
    let text = try #require(error).description
    #expect(text.contains("small.saves.csv:\(line): ") && text.contains(message), "\(text)")
  }

  @Test func `a file without a save, or with another header, is refused`() {
    let mistakes = [
      ("", "the file has no save"), ("\n1,0,City,1,0,0\n", "the line is blank; remove it"),
    ]
    for (text, message) in mistakes {
      let error = #expect(throws: InputError.self) { try Self.workload(text) }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: [
    ("changes.rate_per_s=5", "changes.rate_per_s"), ("generate.inserts=1", "generate.inserts"),
    ("user.edited_rows=updated", "user.edited_rows"), ("changes.stream=replace", "changes.stream"),
    ("changes.saves=none.csv", "changes.saves"),
  ])
  func `nothing else may decide the changes`(setting: String, field: String) throws {
    let error = #expect(throws: InputError.self) {
      try Self.workload("1,0,City,1,0,0\n", set: [setting])
    }
    #expect(error?.field == field || error?.description.contains(field) == true)
  }
}
