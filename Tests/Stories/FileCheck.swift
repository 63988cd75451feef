import Foundation
import GRDB
import ObjectGraph
import SQLiteStore

/// Reads a story's file with plain SQL.
struct FileCheck {
  let sql: DatabaseQueue

  /// The keys and pairs that lead to no row.
  func danglingReferences() throws -> [String] {
    try sql.read { database in
      var found: [String] = []
      for kind in Kind.allCases {
        for link in kind.links {
          let target = link.destination ?? .item
          let rows = try Row.fetchAll(
            database,
            sql: """
              SELECT Z_PK FROM \(kind.table) s WHERE s.\(link.column) NOT NULL
              AND NOT EXISTS (SELECT 1 FROM \(target.table) t WHERE t.Z_PK = s.\(link.column))
              """)
          found += rows.map { "file: \(kind) \($0[0] as Int64).\(link) leads to no row" }
        }
      }
      let pairs = try Row.fetchAll(
        database,
        sql: """
          SELECT Z_2TAGGED, Z_3TAGS FROM Z_2TAGS
          WHERE NOT EXISTS (SELECT 1 FROM ZITEM t WHERE t.Z_PK = Z_2TAGGED)
          OR NOT EXISTS (SELECT 1 FROM ZTAG t WHERE t.Z_PK = Z_3TAGS)
          """)
      return found + pairs.map { "file: the pair \($0[0] as Int64), \($0[1] as Int64) is dangling" }
    }
  }

  func contents() throws -> FileContents {
    try sql.read { database in
      var contents = FileContents()
      for kind in Kind.allCases {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(kind.table)")
        for row in rows {
          contents.rows[FileContents.Place(kind: kind, row: row["Z_PK"])] = row
        }
      }
      return contents
    }
  }
}

struct FileContents: Equatable {
  struct Place: Hashable {
    let kind: Kind
    let row: Int64

    init(kind: Kind, row: Int64) {
      self.kind = kind
      self.row = row
    }

    init(_ id: ManagedObjectID) {
      self.init(kind: StoryModel.kind(of: id), row: id.primaryKey)
    }
  }

  struct Cell: Hashable {
    let place: Place
    let column: Int
  }

  var rows: [Place: Row] = [:]

  func differences(after save: DidSave) -> [String] {
    // An update to equal values writes nothing.
    save.inserted.map(Place.init).filter { rows[$0] == nil }
      .map { "file: no row of the saved \($0)" }
      + save.deleted.map(Place.init).filter { rows[$0] != nil }
      .map { "file: the deleted \($0) is still there" }
  }

  /// Attributes that changed but were not set. A row that took another object's key took all its
  /// attributes.
  func strayChanges(
    since before: FileContents, _ edits: Set<FileWorld.FileEdit>, _ cells: Set<Cell>
  ) -> [String] {
    before.rows.flatMap { place, old -> [String] in
      guard let new = rows[place], new["ZKEY"] as Int64? == old["ZKEY"] else { return [] }
      return [Property.a, .b].compactMap { property in
        let column = StoryModel.places(place.kind).column(property)
        let edit = FileWorld.FileEdit(key: new["ZKEY"], column: column)
        let (value, oldValue) = (new[property.column] as Int64?, old[property.column] as Int64?)
        guard value != oldValue, !edits.contains(edit),
          !cells.contains(Cell(place: place, column: column))
        else { return nil }
        return "file: \(place.kind) with key \(edit.key): \(property) changed from "
          + "\(oldValue.map { "\($0)" } ?? "nil") to \(value.map { "\($0)" } ?? "nil"), "
          + "and nobody set it here"
      }
    }
  }

  /// Relations that the save should have written. Two rows have one key if one took the place of an
  /// object that a child's save brought back.
  func missing(_ relations: [FileRelation]) -> [String] {
    relations.filter { relation in
      let holders = rows.filter {
        $0.key.kind == relation.kind && $0.value["ZKEY"] as Int64? == relation.key
      }
      return !holders.isEmpty && !holders.values.contains { leads($0, relation) }
    }.map { "file: the relation \($0) is lost" }
  }

  private func leads(_ row: Row, _ relation: FileRelation) -> Bool {
    if relation.code.isNull { return row[relation.link.column] as DatabaseValue? == .null }
    let target = (row[relation.link.column] as Int64?).flatMap {
      rows[Place(kind: relation.link.destination ?? .item, row: $0)]
    }
    return target?["ZCODE"] as DatabaseValue? == relation.code.stored
  }
}

extension Value {
  fileprivate var stored: DatabaseValue {
    switch self {
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Data($0) }.databaseValue
    case .decimal(let decimal): decimal.number.databaseValue
    case .uri(let uri): uri.databaseValue
    default: .null
    }
  }
}

extension Kind {
  var table: String { "Z\(rawValue.uppercased())" }
}

extension Property {
  var column: String { "Z\(rawValue.uppercased())" }
}
