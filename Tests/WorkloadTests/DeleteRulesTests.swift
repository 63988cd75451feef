import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// Streams that delete owners, while the model's rules do the rest.
@Suite struct DeleteRulesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let files = [
    "shelves1.csv": "id,title\n1,Left\n2,Right\n",
    // The right shelf goes.
    "shelves2.csv": "id,title\n1,Left\n",
    "books1.csv": "id,shelf,cover\n1,1,a\n2,2,b\n3,2,\n",
    "books2.csv": "id,shelf,cover\n1,1,a\n2,2,b\n3,2,\n4,2,a\n",
    "books3.csv": "id,shelf,cover\n1,1,b\n",
    "notes1.csv": "id,shelf\n1,2\n2,\n",
    // The second note goes.
    "fewer-notes.csv": "id,shelf\n1,2\n",
    "covers.csv": "code\na\nb\n", "covers2.csv": "code\na\n",
  ]

  private static let yaml = """
    asks: What goes with a shelf?
    entity: { name: Shelf, key: id, attributes: { id: int64, title: string } }
    others:
      Book: { key: id, references: [shelf, cover], before: books1.csv, after: books2.csv }
      Note: { key: id, references: [shelf], before: notes1.csv, after: notes1.csv }
      Cover: { key: code, before: covers.csv, after: covers.csv }
    model:
      Shelf:
        relationships:
          books: { to_many: Book, inverse: shelf, delete_rule: cascade }
          notes: { to_many: Note, inverse: shelf }
      Book:
        attributes: { id: int64 }
        relationships:
          shelf: { to_one: Shelf, inverse: books }
          cover: { to_one: Cover, inverse: books, delete_rule: cascade }
      Cover:
        attributes: { code: string }
        relationships:
          books: { to_many: Book, inverse: cover }
      Note:
        attributes: { id: int64 }
        relationships:
          shelf: { to_one: Shelf, inverse: notes }
    data: { before: shelves1.csv, after: shelves2.csv }
    changes: { per_save: all }
    """

  private func scenario(
    _ set: String..., replacing texts: [String: String] = [:]
  ) throws -> Scenario {
    for (name, text) in Self.files { try folder.write(name, text) }
    var yaml = Self.yaml
    for (old, new) in texts {
      #expect(yaml.contains(old), "the fixture no longer holds '\(old)'")
      yaml.replace(old, with: new)
    }
    let file = try folder.write("shelves.yaml", yaml)
    return try #require(try Scenario.load(file: file, set: set).first)
  }

  private func message(_ set: String..., replacing texts: [String: String] = [:]) -> String {
    let error = #expect(throws: InputError.self) {
      _ = try Workload.make(
        scenario(set.first ?? "changes.deletions=by-rule", replacing: texts), seed: 1)
    }
    return "\(error.map { "\($0)" } ?? "no error")"
  }

  private func keys(_ rows: [TableRows]) -> [[Value]] {
    rows.map { table in table.after.rows.map { $0[table.entity.keyIndex] } }
  }

  @Test func `the stream deletes owners, and the effects name what the rules do`() throws {
    let workload = try Workload.make(scenario("changes.deletions=by-rule"), seed: 1)
    let changes = workload.batches.flatMap(\.changes)
    #expect(changes.filter(\.isDelete) == [.delete(key: .int64(2))])
    // Book 4 comes and goes within one save.
    #expect(changes.contains(.insert([.int64(4), .int64(2), .string("a")], of: 1)))
    let noCover = FieldChange(index: 2, value: .null)
    let noShelf = FieldChange(index: 1, value: .null)
    let effects: Set<Change> = [
      .delete(key: .int64(2)), .delete(key: .int64(2), of: 1), .delete(key: .int64(3), of: 1),
      .delete(key: .string("a"), of: 3), .delete(key: .string("b"), of: 3),
      .update(key: .int64(1), fields: [noCover], of: 1),
      .update(key: .int64(1), fields: [noShelf], of: 2),
    ]
    #expect(Set(workload.effects.joined()) == effects)
    #expect(workload.counts == ChangeCounts(inserts: 0, updates: 2, deletes: 5))
    #expect(keys(workload.tables).map(\.count) == [1, 1, 2, 0])
    #expect(workload.tables[1].after.rows == [[.int64(1), .int64(1), .null]])
    #expect(workload.tables[2].after.rows[0] == [.int64(1), .null])
    #expect(workload.orphans == nil)
  }

  /// Book 2 takes its cover with it, so a deletion of the cover would find no row.
  @Test func `a row that another deletion takes is deleted by no change`() throws {
    let workload = try Workload.make(
      scenario(
        "changes.deletions=by-rule",
        replacing: [
          "after: books2.csv": "after: books3.csv", "after: shelves2": "after: shelves1",
          "after: covers.csv": "after: covers2.csv",
        ]), seed: 1)
    let deletes = workload.batches.flatMap(\.changes).filter(\.isDelete)
    #expect(Set(deletes) == [.delete(key: .int64(2), of: 1), .delete(key: .int64(3), of: 1)])
    #expect(workload.counts.deletes == 3)
  }

  @Test(arguments: ["1,2\n2,3\n3,\n", "3,\n2,3\n1,2\n", "1,2\n2,3\n3,1\n"])
  func `one row of a chain is deleted, in whatever order the file has them`(rows: String) throws {
    try folder.write("notes1.csv", "id,answers\n\(rows)4,\n")
    try folder.write("notes2.csv", "id,answers\n4,\n")
    let file = try folder.write(
      "notes.yaml",
      """
      asks: What goes with a note?
      entity: { name: Note, key: id, attributes: { id: int64 }, references: [answers] }
      model:
        Note:
          relationships:
            answers: { to_one: Note, inverse: answered }
            answered: { to_many: Note, inverse: answers, delete_rule: cascade }
      data: { before: notes1.csv, after: notes2.csv }
      changes: { deletions: by-rule }
      """)
    let workload = try Workload.make(#require(try Scenario.load(file: file).first), seed: 1)
    let first = rows.hasSuffix("3,1\n") ? 1 : 3
    #expect(workload.batches.flatMap(\.changes) == [.delete(key: .int64(Int64(first)))])
    #expect(workload.counts.deletes == 3)
  }

  @Test func `without rules the children stay, refer to nothing and are counted`() throws {
    let workload = try Workload.make(scenario("changes.deletions=without-rules"), seed: 1)
    #expect(workload.counts.deletes == 1)
    #expect(keys(workload.tables).map(\.count) == [1, 4, 2, 2])
    #expect(workload.tables[1].after.rows.map { $0[1] } == [.int64(1), .null, .null, .null])
    // Three books and two covers.
    #expect(workload.orphans == 5)
  }

  @Test func `the way of deleting is part of the digest`() throws {
    let digests = try ["by-rule", "without-rules"].map {
      try Workload.make(scenario("changes.deletions=\($0)"), seed: 1).digest
    }
    #expect(Set(digests).count == 2)
  }

  @Test func `rows left behind without rules are refused with the field that keeps them`() {
    let message = message("changes.deletions=explicit")
    #expect(message.contains("books2.csv:3: field 'shelf'"), "\(message)")
    #expect(message.contains("gone after the changes"))
    #expect(message.contains("changes.deletions: by-rule"))
  }

  @Test func `rules that reach rows beside an explicit stream are refused`() {
    // Book 2 takes its cover with it, to which book 1 refers.
    let message = message(
      "changes.deletions=explicit",
      replacing: ["after: books2.csv": "after: books3.csv", "after: shelves2": "after: shelves1"])
    #expect(message.contains("rows of Book that stay in the data"), "\(message)")
  }

  @Test(arguments: [
    (
      ["inverse: shelf, delete_rule: cascade": "inverse: shelf, delete_rule: deny"],
      "rule deny would end a stream"
    ),
    (
      ["inverse: shelf, delete_rule: cascade": "inverse: shelf, delete_rule: no-action"],
      "rule no-action leaves references to a row that is gone"
    ),
    (
      ["to_one: Shelf, inverse: notes": "to_one: Shelf, inverse: notes, optional: false"],
      "would empty Note.shelf, which is required"
    ),
    (
      [
        "to_one: Cover, inverse: books, delete_rule: cascade": "to_one: Cover",
        "books: { to_many: Book, inverse: cover }": "{}",
      ], "has no inverse"
    ),
    (["per_save: all": "per_save: all, stream: replace"], "replace deletes every row by itself"),
  ])
  func `rules without one outcome are refused at their line`(
    texts: [String: String], expected: String
  ) {
    let message = message(replacing: texts)
    #expect(message.contains(expected), "\(message)")
    #expect(message.contains("shelves.yaml:"), "\(message)")
  }

  @Test(arguments: ["by-rule", "without-rules"])
  func `rules are refused at the field's line where no row is related to another`(
    kind: String
  ) throws {
    let file = try Small.files(
      in: folder,
      yaml: Small.yaml.replacing("per_save: 2", with: "per_save: 2\n  deletions: \(kind)"))
    let scenario = try #require(try Scenario.load(file: file).first)
    let expected =
      "\(file):16: field 'changes.deletions': '\(kind)' needs a delete rule that reaches other"
      + " rows; deleted rows of City have none. Set it to explicit, or delete rows to which others"
      + " refer"
    let error = #expect(throws: InputError.self) { try Workload.make(scenario, seed: 1) }
    #expect(error?.description == expected)
    let checked = #expect(throws: InputError.self) {
      var check = WorkloadCheck()
      _ = try check.digest(of: scenario, seed: 1)
    }
    #expect(checked?.description == expected)
  }

  /// Shelves have rules, but only a note goes.
  @Test(arguments: ["by-rule", "without-rules"])
  func `rules are refused where no rule leads from the deleted rows`(kind: String) {
    let flag = "changes.deletions=\(kind)"
    let message = message(
      flag,
      replacing: ["after: shelves2": "after: shelves1", "after: notes1": "after: fewer-notes"])
    #expect(message.hasPrefix("--set \(flag): '\(kind)' needs a delete rule"), "\(message)")
    #expect(message.contains("deleted rows of Note have none"), "\(message)")
  }

  @Test func `a rule that empties a reference is enough, and so are rules without a deletion`()
    throws
  {
    let shelvesStay = ["after: shelves2": "after: shelves1"]
    let coverGoes = [
      "after: shelves2": "after: shelves1", "after: covers.csv": "after: covers2.csv",
    ]
    for (texts, counts) in [
      (coverGoes, ChangeCounts(inserts: 1, updates: 1, deletes: 1)),
      (shelvesStay, ChangeCounts(inserts: 1)),
    ] {
      let scenario = try scenario("changes.deletions=by-rule", replacing: texts)
      #expect(try Workload.make(scenario, seed: 1).counts == counts)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `effects lead from the rows before to the rows after`(seed: UInt64) throws {
    let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/shelves.yaml"
    for stream in ["incremental", "arrivals"] {
      let set = ["generate.seed=\(seed)", "changes.stream=\(stream)", "changes.per_save=7"]
      let workload = try Workload.make(
        #require(try Scenario.load(file: file, set: set).first), seed: seed)
      var rows = workload.tables.map { Set($0.before.rows) }
      for change in workload.effects.joined() { try rows.apply(change, workload.tables) }
      #expect(rows == workload.tables.map { Set($0.after.rows) }, "\(stream), seed \(seed)")
      let deletes = workload.batches.flatMap(\.changes).count(where: \.isDelete)
      #expect(deletes > 0 && deletes < workload.counts.deletes)
    }
  }
}

extension [Set<Row>] {
  /// - Throws: a failed requirement if the row to change is missing.
  fileprivate mutating func apply(_ change: Change, _ tables: [TableRows]) throws {
    let (index, keyIndex) = (change.entity, tables[change.entity].entity.keyIndex)
    if case .insert(let row) = change.kind {
      self[index].insert(row)
      return
    }
    let key = change.key(at: keyIndex)
    var row = try #require(self[index].first { $0[keyIndex] == key })
    self[index].remove(row)
    guard case .update(_, let fields) = change.kind else { return }
    for field in fields { row[field.index] = field.value }
    self[index].insert(row)
  }
}
