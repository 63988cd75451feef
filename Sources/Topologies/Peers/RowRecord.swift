import Foundation
import GRDB
import ObjectGraph
import SQLiteStore

/// A row of any table as a GRDB record.
///
/// In GRDB the table belongs to the record's type, but a scenario's tables are known only at run
/// time. So the type's table is task-local: see `of(_:_:)`.
struct RowRecord: FetchableRecord, MutablePersistableRecord {
  /// Nil until it is inserted.
  private(set) var key: Int64?
  private var version: Int64
  /// In the order of the entity's columns, then further columns of a query.
  private(set) var values: ContiguousArray<Value>

  init(values: ContiguousArray<Value>) {
    self.values = values
    version = 1
  }

  init(row: Row) {
    key = row[0]
    version = row[1]
    let source = Self.currentSource
    var index = 2
    values = ContiguousArray(
      source.table.layouts.map { column in
        defer { index += column.stored.count }
        return column.value(row, at: index)
      })
    for type in source.related.types {
      values.append(type.value(row[index]))
      index += 1
    }
  }

  /// Sets these fields in the record and in its row.
  ///
  /// `updateChanges` would compare texts as Swift strings, and not write another composition of a
  /// letter.
  mutating func set(_ fields: [FieldChange], in database: Database) throws {
    version += 1
    for field in fields { values[field.index] = field.value }
    let columns = fields.flatMap { Self.currentTable.layouts[$0.index].stored.map(\.name) }
    try update(database, columns: ["Z_OPT"] + columns)
  }

  func id(in table: EntityTable) -> ManagedObjectID? {
    key.map { ManagedObjectID(store: 0, entityIndex: Int32(table.number - 1), primaryKey: $0) }
  }

  /// Inserts the record, or sets these columns of the row that a uniqueness constraint finds.
  mutating func upsert(_ columns: [Int], in database: Database) throws -> RowRecord {
    let table = Self.currentTable
    let taken = columns.flatMap { table.layouts[$0].stored }.map { Column($0.name) }
    return try upsertAndFetch(database, updating: .noColumnUnlessSpecified) { excluded in
      [Column("Z_OPT") += 1] + taken.map { $0.set(to: excluded[$0]) }
    }
  }

  func encode(to container: inout PersistenceContainer) {
    let table = Self.currentTable
    container["Z_PK"] = key
    container["Z_ENT"] = table.number
    container["Z_OPT"] = version
    for (column, value) in zip(table.layouts, values) {
      switch column.storage {
      case .transient: break
      case .attribute, .toOne: container[column.name] = value.databaseValue
      case .toOneOfKind(_, let kindColumn):
        container[column.name] = value.databaseValue
        container[kindColumn] = value.objectID.map { $0.entityIndex + 1 }
      }
    }
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    key = inserted.rowID
  }
}

// MARK: - The table

extension RowRecord {
  private typealias Source = (table: EntityTable, related: RelatedColumns)

  @TaskLocal private static var source: Source?

  private static var currentTable: EntityTable {
    currentSource.table
  }

  private static var currentSource: Source {
    guard let source else { fatalError("records are used inside RowRecord.of(_:_:)") }
    return source
  }

  static func of<R>(
    _ table: EntityTable, _ related: RelatedColumns = RelatedColumns(), _ body: () throws -> R
  ) rethrows -> R {
    try $source.withValue((table, related), operation: body)
  }

  static var databaseTableName: String { currentTable.name }

  static var databaseSelection: [any SQLSelectable] {
    (["Z_PK", "Z_OPT"] + currentTable.layouts.flatMap(\.stored).map(\.name)).map { Column($0) }
  }

  /// All rows of the entity. Its table may hold other entities too.
  static func rows() -> QueryInterfaceRequest<RowRecord> {
    filter(Column("Z_ENT") == currentTable.number)
  }

  /// The rows with these values of an attribute, by as few statements as can bind them.
  static func all(
    where column: Int, isIn values: [Value], in database: Database
  ) throws -> [RowRecord] {
    let column = Column(currentTable.layouts[column].name)
    return try stride(from: 0, to: values.count, by: mostBound).flatMap { start in
      let bound = values[start...].prefix(mostBound).map(\.databaseValue)
      return try rows().filter(bound.contains(column)).fetchAll(database)
    }
  }

  /// By default, SQLite binds at most 32,766 values to a statement.
  private static let mostBound = 30_000
}

// MARK: - Values

extension ColumnLayout {
  fileprivate func value(_ row: Row, at index: Int) -> Value {
    switch storage {
    case .transient(let value): return value
    case .attribute(let type): return type.value(row[index])
    case .toOne(let entity), .toOneOfKind(let entity, _):
      guard let key: Int64 = row[index] else { return .null }
      let number: Int32? = stored.count == 1 ? nil : row[index + 1]
      return .object(
        ManagedObjectID(
          store: 0, entityIndex: number.map { $0 - 1 } ?? entity, primaryKey: key))
    }
  }
}

extension AttributeType {
  fileprivate func value(_ stored: DatabaseValue) -> Value {
    switch (self, stored.storage) {
    case (_, .null): .null
    case (.bool, .int64(let number)): .bool(number != 0)
    case (.double, .int64(let number)): .double(Double(number))
    case (.date, .int64(let number)): .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case (.date, .double(let number)): .date(Date(timeIntervalSinceReferenceDate: number))
    case (.decimal, .int64(let number)): .decimal(StoredDecimal(number: Double(number)))
    case (.decimal, .double(let number)): .decimal(StoredDecimal(number: number))
    case (_, .int64(let number)): .int64(number)
    case (_, .double(let number)): .double(number)
    case (.uri, .string(let text)): .uri(text)
    case (_, .string(let text)): .string(text)
    case (.uuid, .blob(let data)): .uuid(data.withUnsafeBytes { UUID($0) })
    case (_, .blob(let data)): .data(data)
    }
  }
}
