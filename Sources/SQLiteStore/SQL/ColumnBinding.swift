import GRDBSQLite
import ObjectGraph

// SQLite would store NaN as null, so each function throws `StoreError.notANumber` for it.

extension EntityTable {
  func bindRow(
    _ row: ContiguousArray<Value>, to statement: PreparedStatement, from first: CInt
  ) throws {
    var parameter = first
    for index in row.indices {
      try bindColumn(row[index], of: index, to: statement, at: &parameter)
    }
  }

  /// Binds the columns in order, from parameter 1 on. Returns the next parameter.
  func bindColumns(
    _ mask: AttributeMask, of row: ContiguousArray<Value>, to statement: PreparedStatement
  ) throws -> CInt {
    var parameter: CInt = 1
    var rest = mask.rawValue
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      try bindColumn(row[index], of: index, to: statement, at: &parameter)
      rest &= rest - 1
    }
    return parameter
  }

  /// One parameter for each table column that stores the value.
  @inline(__always)
  func bindColumn(
    _ value: Value, of column: Int, to statement: PreparedStatement, at parameter: inout CInt
  ) throws {
    if isPlain {
      try bindAttribute(value, of: column, to: statement, at: parameter)
      parameter += 1
    } else {
      try bindStored(value, of: column, to: statement, at: &parameter)
    }
  }

  private func bindStored(
    _ value: Value, of column: Int, to statement: PreparedStatement, at parameter: inout CInt
  ) throws {
    switch layouts[column].storage {
    case .transient: return
    case .attribute, .toOne:
      try bindAttribute(value, of: column, to: statement, at: parameter)
    case .toOneOfKind:
      bind(value, to: statement.handle, at: parameter)
      parameter += 1
      let number = value.objectID.map { Value.int64(Int64($0.entityIndex) + 1) }
      bind(number ?? .null, to: statement.handle, at: parameter)
    }
    parameter += 1
  }

  @inline(__always)
  private func bindAttribute(
    _ value: Value, of column: Int, to statement: PreparedStatement, at parameter: CInt
  ) throws {
    guard !value.isNotANumber else {
      throw StoreError.notANumber(entity: entity.name, attribute: entity.columns[column].name)
    }
    bind(value, to: statement.handle, at: parameter)
  }
}
