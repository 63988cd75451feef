import GRDBSQLite
import ObjectGraph

// Binds a row's values to the parameters of their columns.

/// Binds an attribute's value.
///
/// - Throws: `StoreError.notANumber` for NaN, which SQLite would store as null.
@inline(__always)
func bindChecked(
  _ value: Value, of column: Int, _ table: EntityTable, to statement: PreparedStatement,
  at parameter: CInt
) throws {
  guard !value.isNotANumber else { throw notANumber(column, table) }
  bind(value, to: statement.handle, at: parameter)
}

/// Binds the value of any column to one parameter for each table column that stores it.
func bindColumn(
  _ value: Value, of column: Int, _ table: EntityTable, to statement: PreparedStatement,
  at parameter: inout CInt
) throws {
  switch table.layouts[column].storage {
  case .transient: return
  case .attribute, .toOne:
    try bindChecked(value, of: column, table, to: statement, at: parameter)
  case .toOneOfKind:
    bind(value, to: statement.handle, at: parameter)
    parameter += 1
    if let id = value.objectID {
      sqlite3_bind_int64(statement.handle, parameter, Int64(id.entityIndex) + 1)
    } else {
      sqlite3_bind_null(statement.handle, parameter)
    }
  }
  parameter += 1
}

private func notANumber(_ column: Int, _ table: EntityTable) -> StoreError {
  .notANumber(entity: table.entity.name, attribute: table.entity.columns[column].name)
}
