import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// The older version that `store.changes_since` describes, and its rows.
@Suite struct OlderVersionTests {
  private static let yaml = """
    name: items
    asks: How long does a launch take?
    entity:
      name: Item
      key: number
      attributes: { number: int64, title: string, priority: int64, note: string?, size: double }
      references: [folder]
    others: { Folder: { key: code, rows: 0, inserts: 2 } }
    model:
      Item:
        attributes:
          priority: { type: int64, default: 3 }
          size: { type: double, default: 1.5 }
        relationships: { folder: { to_one: Folder, inverse: items } }
        unique: [[number, title], [number, folder]]
      Folder:
        attributes: { code: string }
        relationships: { items: { to_many: Item, inverse: folder } }
    store:
      version: previous
      changes_since:
        - { renamed: Item.title, from: name }
        - { required: Item.priority }
        - { added: Item.note }
        - { added: Item.size }
        - { added: Folder }
    generate: { rows: 200, inserts: 5, updates: 60 }
    """

  private func scenario(
    _ old: String = "name: items", _ new: String = "name: items", set: String...
  ) throws -> Scenario {
    #expect(Self.yaml.contains(old))
    let yaml = Self.yaml.replacing(old, with: new)
    return try #require(try Scenario.decode(yaml: yaml, file: "items.yaml", set: set).first)
  }

  @Test func `the older model has the former names, and lacks what was added`() throws {
    let scenario = try scenario()
    let model = try #require(scenario.older).model
    #expect(model.entities.map(\.name) == ["Item"])
    let item = model.entities[0]
    #expect(item.attributes.map(\.name) == ["number", "name", "priority"])
    #expect(item.attributes.map(\.isOptional) == [false, false, true])
    #expect(item.relationships.isEmpty && item.uniquenessConstraints == [["number", "name"]])
    let title = scenario.model.entities[0].attributes[1]
    #expect(title.name == "title" && title.renamingIdentifier == "name")
  }

  @Test func `older rows lack added columns, and hold null for a default`() throws {
    let workload = try Workload.make(scenario(), seed: 1)
    let older = try #require(try scenario().older?.tables[0])
    #expect(older.rows.columns.map(\.name) == ["number", "name", "priority"])
    #expect(try scenario().older?.tables[1] == nil)
    let rows = workload.initialRows
    for row in rows { #expect(Array(row[3...5]) == [.null, .double(1.5), .null]) }
    let standard = rows.filter { $0[2] == .int64(3) }
    #expect((10...45).contains(standard.count))
    for row in rows {
      let priority = row[2] == .int64(3) ? .null : row[2]
      #expect(older.row(row) == [row[0], row[1], priority])
    }
  }

  @Test func `as many rows change as the scenario says, whatever was added`() throws {
    let workload = try Workload.make(scenario(), seed: 1)
    #expect(workload.counts == ChangeCounts(inserts: 7, updates: 60))
    let standard = Value.double(1.5)
    #expect(workload.expectedRows.contains { $0[4] != standard })
  }

  @Test func `version and changes are part of the digest, and the version leaves rows alone`()
    throws
  {
    let previous = try Workload.make(scenario(), seed: 1)
    let current = try Workload.make(scenario(set: "store.version=current"), seed: 1)
    let other = try Workload.make(scenario("    - { added: Item.note }\n", ""), seed: 1)
    #expect(Set([previous.digest, current.digest, other.digest]).count == 3)
    #expect(previous.initialRows == current.initialRows)
    #expect(previous.expectedRows == current.expectedRows)
  }

  @Test(arguments: [
    (
      "{ added: Item.note }", "{ added: Item.notes }",
      "'Item.notes' is no attribute. Did you mean 'note'? Known: number, title, priority, note, size"
    ),
    (
      "{ added: Item.note }", "{ added: Itm.note }",
      "'Itm.note' is of no entity of the model. Did you mean 'Item'?"
    ),
    (
      "{ added: Item.note }", "{ added: Item }",
      "'Item' is the list's entity, whose rows the older version has"
    ),
    (
      "{ added: Item.note }", "{ added: Item.number }",
      "'Item.number' is a key, which each row has had"
    ),
    (
      "{ renamed: Item.title, from: name }", "{ added: Item.title }",
      "'Item.title' is in `unique`, and older rows would all hold the same value"
    ),
    (
      "{ added: Item.note }", "{ required: Item.note }",
      "'Item.note' is still optional; declare it string, without '?'"
    ),
    ("{ added: Item.note }", "{ required: Folder }", "'Folder' is an entity; name an attribute"),
    ("{ added: Item.note }", "{ added: Item.size }", "'Item.size' occurs twice; keep one change"),
    (
      "{ added: Item.note }", "{ renamed: Item.title, from: heading }",
      "'Item.title' occurs twice; keep one change"
    ),
    (
      "{ required: Item.priority }", "{ renamed: Item.priority, from: name }",
      "'Item.title' has the former name of 'Item.priority', too; name another"
    ),
    (
      "from: name", "from: size",
      "'Item.title' cannot come from 'size': another property of Item has that name"
    ),
    (
      "from: name", "from: 9",
      "'Item.title' cannot come from '9': it is no name; use letters, digits and '_'"
    ),
  ])
  func `a change that the model does not have is refused`(
    old: String, new: String, message: String
  ) throws {
    let error = #expect(throws: InputError.self) { try scenario(old, new) }
    #expect(
      error?.description == "items.yaml:21: field 'store.changes_since': \(message)")
  }

  @Test(arguments: [
    ("{ renamed: Item.title, from: name }", "{ renamed: Item.title }", 22),
    ("{ added: Item.note }", "{ added: Item.note, from: name }", 24),
    ("{ added: Item.note }", "{ }", 24),
  ])
  func `a change of another form is refused at its line`(
    old: String, new: String, line: Int
  ) throws {
    let error = #expect(throws: InputError.self) { try scenario(old, new) }
    #expect(error?.origin == .file("items.yaml", line: line))
  }

  @Test func `the previous version needs changes, and an added entity has no rows before`() throws {
    let start = try #require(Self.yaml.range(of: "  changes_since:"))
    let end = try #require(Self.yaml.range(of: "generate:"))
    let changes = String(Self.yaml[start.lowerBound..<end.lowerBound])
    let bare = #expect(throws: InputError.self) { try scenario(changes, "") }
    #expect(bare?.message == "'previous' needs store.changes_since")
    let rows = #expect(throws: InputError.self) {
      try Workload.make(scenario("rows: 0, inserts: 2", "rows: 2"), seed: 1)
    }
    #expect(rows?.message == "'Folder' is added, so it must have no rows before the changes")
  }

  @Test func `rows of a file hold the default in an added attribute`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", "number,note\n1,0\n2,5\n")
    try folder.write("b.csv", "number,note\n1,0\n2,6\n")
    let file = try folder.write(
      "files.yaml",
      """
      asks: Is it read?
      entity: { name: Item, key: number, attributes: { number: int64, note: int64 } }
      model: { Item: { attributes: { note: { type: int64, default: 0 } } } }
      store: { version: previous, changes_since: [{ added: Item.note }] }
      data: { before: a.csv, after: b.csv }
      """)
    let scenario = try #require(try Scenario.load(file: file).first)
    let error = #expect(throws: InputError.self) { try Workload.make(scenario, seed: 1) }
    #expect(
      error?.description.hasSuffix(
        "a.csv:3: field 'note': the older version has no such attribute, so the row must hold the default"
      ) ?? false)
  }
}
