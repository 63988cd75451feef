package import Foundation
import GRDB
import GRDBSQLite
package import ObjectGraph

/// Reads a store to verify a result, by column names as any SQLite client would. It shares no code
/// with the coordinator.
package struct PlainReader {
  package struct Row: Sendable, Equatable {
    package let key: Int64
    package let version: Int64
    /// In the order of the entity's attributes. A transient attribute has its default.
    package let values: ContiguousArray<Value>
    /// Of to-one relationships, in the order of the columns.
    package var targets: [Int64?] = []
  }

  private let queue: DatabaseQueue

  /// The file must exist. Others may have it open.
  package init(_ url: URL) throws {
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
    }
    queue = try DatabaseQueue(path: path)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
  }

  /// By key, without subentities.
  ///
  /// - Precondition: no sibling of the entity has a property of the same name.
  package func rows(of entity: Entity) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(of: entity) { rows.append($0) }
    return rows
  }

  /// The primary keys of the pairs of a many-to-many relationship.
  ///
  /// - Precondition: the relationship is not its own inverse.
  package func pairs(
    of relationship: String, _ entity: Entity, inverse: String, _ destination: Entity
  ) throws -> [(mine: Int64, theirs: Int64)] {
    try queue.inDatabase { database in
      func number(_ entity: Entity) throws -> Int {
        try Int.fetchOne(
          database, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?",
          arguments: [entity.name]) ?? 0
      }
      let (here, there) = (try number(entity), try number(destination))
      func name(_ number: Int, _ relationship: String) -> String {
        "\"Z_\(number)\(relationship.uppercased())\""
      }
      let isLater = (relationship, -here) > (inverse, -there)
      let table = isLater ? name(here, relationship) : name(there, inverse)
      let rows = try GRDB.Row.fetchAll(
        database, sql: "SELECT \(name(here, inverse)), \(name(there, relationship)) FROM \(table)")
      return rows.map { ($0[0], $0[1]) }
    }
  }

  package func forEachRow(of entity: Entity, _ body: (Row) -> Void) throws {
    var root = entity
    while let parent = root.parent { root = parent }
    let sql =
      "SELECT * FROM \"Z\(root.name.uppercased())\" WHERE Z_ENT ="
      + " (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?) ORDER BY Z_PK"
    try queue.inDatabase { database in
      let statement = try database.makeStatement(sql: sql)
      statement.setUncheckedArguments([entity.name])
      let cells = PlainCells(handle: statement.sqliteStatement, names: statement.columnNames)
      while true {
        let code = sqlite3_step(cells.handle)
        if code == SQLITE_DONE { return }
        guard code == SQLITE_ROW else {
          throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: sql)
        }
        body(try cells.row(of: entity))
      }
    }
  }
}

private struct PlainCells {
  let handle: OpaquePointer
  private let columns: [String: CInt]

  init(handle: OpaquePointer, names: [String]) {
    self.handle = handle
    let numbered = names.enumerated().map { ($1, CInt($0)) }
    self.columns = Dictionary(numbered) { first, _ in first }
  }

  func row(of entity: Entity) throws -> PlainReader.Row {
    let values = try entity.attributes.map { attribute in
      attribute.isTransient
        ? attribute.defaultValue
        : value(at: try column("Z" + attribute.name.uppercased()), as: attribute.type)
    }
    let targets = try entity.columns.compactMap(\.relationship).map { relationship in
      key(at: try column("Z" + relationship.name.uppercased()))
    }
    return PlainReader.Row(
      key: sqlite3_column_int64(handle, try column("Z_PK")),
      version: sqlite3_column_int64(handle, try column("Z_OPT")), values: ContiguousArray(values),
      targets: targets)
  }

  private func key(at column: CInt) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL
      ? nil : sqlite3_column_int64(handle, column)
  }

  private func column(_ name: String) throws -> CInt {
    guard let column = columns[name] else {
      throw DatabaseError(message: "the table has no column \(name)")
    }
    return column
  }

  private func value(at column: CInt, as type: AttributeType) -> Value {
    guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return .null }
    return switch type {
    case .int64: .int64(sqlite3_column_int64(handle, column))
    case .bool: .bool(sqlite3_column_int64(handle, column) != 0)
    case .double: .double(sqlite3_column_double(handle, column))
    case .date: .date(Date(timeIntervalSinceReferenceDate: sqlite3_column_double(handle, column)))
    case .string: .string(String(decoding: bytes(at: column), as: UTF8.self))
    case .data: .data(bytes(at: column))
    case .decimal: .decimal(StoredDecimal(number: sqlite3_column_double(handle, column)))
    case .uuid: .uuid(bytes(at: column).withUnsafeBytes { UUID($0) })
    case .uri: .uri(String(decoding: bytes(at: column), as: UTF8.self))
    }
  }

  private func bytes(at column: CInt) -> Data {
    guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
