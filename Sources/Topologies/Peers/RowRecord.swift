import Foundation
import GRDB
import ObjectGraph
import SQLiteStore

/// A row of any table as a GRDB record, written by hand: a struct that decodes itself from a row and
/// encodes itself for inserts and updates.
///
/// A record's table is a property of its type. Which tables a scenario has is known at run time only, so
/// the type's table is the one that its work is for: see `of(_:_:)`.
struct RowRecord: FetchableRecord, MutablePersistableRecord {
  /// Nil until it is inserted.
  private(set) var key: Int64?
  private var version: Int64
  /// In the order of the entity's columns.
  private(set) var values: ContiguousArray<Value>

  init(values: ContiguousArray<Value>) {
    self.values = values
    version = 1
  }

  init(row: Row) {
    key = row[0]
    version = row[1]
    var index = 1
    values = ContiguousArray(
      Self.currentTable.columns.map { column in
        if case .transient(let value) = column.kind { return value }
        index += 1
        return column.kind.value(row[index])
      })
  }

  /// Takes new values, as the version of the row counts.
  mutating func change(_ fields: [FieldChange]) {
    version += 1
    for field in fields { values[field.index] = field.value }
  }

  func encode(to container: inout PersistenceContainer) {
    let table = Self.currentTable
    container["Z_PK"] = key
    container["Z_ENT"] = table.number
    container["Z_OPT"] = version
    for (column, value) in zip(table.columns, values) {
      if case .transient = column.kind { continue }
      container[column.name] = value.databaseValue
    }
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    key = inserted.rowID
  }
}

// MARK: - The table

extension RowRecord {
  @TaskLocal private static var table: PlainTable?

  private static var currentTable: PlainTable {
    guard let table else { preconditionFailure("records are used inside RowRecord.of(_:_:)") }
    return table
  }

  /// Runs `body`, in which records are rows of this table.
  static func of<R>(_ table: PlainTable, _ body: () throws -> R) rethrows -> R {
    try $table.withValue(table, operation: body)
  }

  static var databaseTableName: String { currentTable.name }

  static var databaseSelection: [any SQLSelectable] {
    let names = currentTable.columns.compactMap { column -> String? in
      if case .transient = column.kind { nil } else { column.name }
    }
    return (["Z_PK", "Z_OPT"] + names).map { Column($0) }
  }

  /// All rows of the entity, which may share its table with others.
  static func rows() -> QueryInterfaceRequest<RowRecord> {
    filter(Column("Z_ENT") == currentTable.number)
  }

  /// Those that have one of these values in a column.
  static func rows(where column: Int, isIn values: [Value]) -> QueryInterfaceRequest<RowRecord> {
    let column = Column(currentTable.columns[column].name)
    return rows().filter(values.map(\.databaseValue).contains(column))
  }
}

// MARK: - Values

extension PlainTable.Kind {
  fileprivate func value(_ stored: DatabaseValue) -> Value {
    switch (self, stored.storage) {
    case (_, .null): .null
    case (.attribute(.bool), .int64(let number)): .bool(number != 0)
    case (.attribute(.double), .int64(let number)): .double(Double(number))
    case (.attribute(.date), .int64(let number)):
      .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case (.attribute(.date), .double(let number)):
      .date(Date(timeIntervalSinceReferenceDate: number))
    case (_, .int64(let number)): .int64(number)
    case (_, .double(let number)): .double(number)
    case (_, .string(let text)): .string(text)
    case (_, .blob(let data)): .data(data)
    }
  }
}

extension Value {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .int64(let value): value.databaseValue
    case .double(let value): value.databaseValue
    case .bool(let value): value.databaseValue
    case .string(let value): value.databaseValue
    case .date(let value): value.timeIntervalSinceReferenceDate.databaseValue
    case .data(let value): value.databaseValue
    case .object(let id): id.primaryKey.databaseValue
    }
  }
}
