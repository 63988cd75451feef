import GRDBSQLite
package import ObjectGraph

package struct Parameters {
  private var values: [Value] = []
  /// An object that SQLite passes to an SQL function. `values` holds null at their indexes.
  private var objects: [(index: Int, object: AnyObject)] = []

  init() {}

  package init(_ keys: [Int64]) { values = keys.map { .int64($0) } }

  var count: Int { values.count }

  mutating func append(_ value: Value) { values.append(value) }

  mutating func append(_ object: AnyObject) {
    objects.append((values.count, object))
    values.append(.null)
  }

  /// Appends the list, and repeats its last value up to `count` values.
  mutating func append(_ list: [Value], paddedTo count: Int) {
    values.append(contentsOf: list)
    values.append(contentsOf: repeatElement(list[list.count - 1], count: count - list.count))
  }

  package func bind(to handle: OpaquePointer) throws {
    for index in values.indices {
      try SQLiteStore.bind(values[index], to: handle, at: CInt(index + 1))
    }
    for (index, object) in objects { SQLFunction.bind(object, to: handle, at: CInt(index + 1)) }
  }

  /// Resets the statement. Call it before the parameters are destroyed, because the statement
  /// points at them.
  package func unbind(from handle: OpaquePointer) {
    sqlite3_reset(handle)
    for (index, _) in objects { sqlite3_bind_null(handle, CInt(index + 1)) }
  }
}

/// Rounds up to one of eight lengths between powers of two, so that lists of similar length share
/// a statement. Callers repeat the last value to fill the rest.
package func paddedCount(_ count: Int) -> Int {
  guard count > 8 else { return count }
  let step = 1 << ((count - 1).bitWidth - (count - 1).leadingZeroBitCount - 4)
  return (count + step - 1) / step * step
}

extension [Int64] {
  /// For one statement each, padded to one of few lengths.
  package var boundLists: [[Int64]] {
    stride(from: 0, to: count, by: PredicateSQL.longestBoundList).map { start in
      let keys = Array(self[start...].prefix(PredicateSQL.longestBoundList))
      return keys + repeatElement(keys[0], count: paddedCount(keys.count) - keys.count)
    }
  }
}

package func placeholders(_ count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ", ")
}

// SQLite would store NaN as null, so each function throws `StoreError.notANumber` for it.

extension EntityTable {
  package func bindRow(
    _ row: ContiguousArray<Value>, to statement: PreparedStatement, from first: CInt
  ) throws {
    var parameter = first
    for index in row.indices {
      try bindColumn(row[index], of: index, to: statement, at: &parameter)
    }
  }

  /// Binds the columns in order, from parameter 1 on. Returns the next parameter.
  package func bindColumns(
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
  package func bindColumn(
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
    case .attribute, .toOne: try bindAttribute(value, of: column, to: statement, at: parameter)
    case .toOneOfKind:
      try bind(value, to: statement.handle, at: parameter)
      parameter += 1
      let number = value.objectID.map { Value.int64(Int64($0.entityIndex) + 1) }
      try bind(number ?? .null, to: statement.handle, at: parameter)
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
    try bind(value, to: statement.handle, at: parameter)
  }
}
