import Foundation
import GRDBSQLite
import ObjectGraph

enum EntityDecoder {
  case plain(RowDecoder)
  case kinds(KindDecoder)

  /// - Parameter withSubentities: whether rows have the columns of `EntityTable.familyRowColumns`
  ///   instead of `rowColumns`.
  init(_ index: Int, in schema: Schema, storeNumber: Int32, withSubentities: Bool) {
    if let types = schema.tables[index].plainTypes, !withSubentities {
      self = .plain(
        RowDecoder(table: schema.tables[index], types: types, storeNumber: storeNumber))
    } else {
      self = .kinds(
        KindDecoder(index, in: schema, storeNumber: storeNumber, withSubentities: withSubentities))
    }
  }

  func row(of handle: OpaquePointer) throws -> FetchedRow {
    switch self {
    case .plain(let decoder): try decoder.row(of: handle)
    case .kinds(let decoder): try decoder.row(of: handle)
    }
  }

  func rows(of statement: PreparedStatement) throws -> DecodedRows {
    var rows = DecodedRows()
    switch self {
    case .plain(let decoder):
      while try statement.step() { rows.append(try decoder.row(of: statement.handle)) }
    case .kinds(let decoder):
      while try statement.step() { rows.append(try decoder.row(of: statement.handle)) }
    }
    return rows
  }
}

/// It allocates only the values and their buffer.
struct RowDecoder {
  let table: EntityTable
  let types: ContiguousArray<AttributeType>
  let storeNumber: Int32

  @inline(__always)
  func row(of handle: OpaquePointer) throws -> FetchedRow {
    let key = try checkedKey(sqlite3_column_int64(handle, 0), in: table.name)
    let version = try checkedVersion(sqlite3_column_int64(handle, 1), in: table.name)
    return FetchedRow(
      id: ManagedObjectID(
        store: storeNumber, entityIndex: Int32(truncatingIfNeeded: table.index), primaryKey: key),
      snapshot: RowSnapshot(values: decodeValues(types, of: handle, from: 2), version: version))
  }
}

/// - Throws: `Damage` if a save could not raise the version.
@inline(__always)
func checkedVersion(_ version: Int64, in table: @autoclosure () -> String) throws -> Int64 {
  guard version >= 0, version < .max else {
    throw Damage(description: "a row of \(table()) has the version \(version)")
  }
  return version
}

/// The values from column `first` on.
@inline(__always)
func decodeValues(
  _ types: ContiguousArray<AttributeType>, of handle: OpaquePointer, from first: CInt
) -> ContiguousArray<Value> {
  // `append` is faster here. The initialiser that lends its buffer is not specialised: looking up
  // its storage type would take a tenth of a fetch.
  var values = ContiguousArray<Value>()
  values.reserveCapacity(types.count)
  types.withUnsafeBufferPointer { types in
    for index in 0..<types.count {
      values.append(
        decodeValue(types[index], of: handle, at: first + CInt(truncatingIfNeeded: index)))
    }
  }
  return values
}

// Asks whether a number is null only if it is 0: each question is a call.
@inline(__always)
func decodeValue(
  _ type: AttributeType, of handle: OpaquePointer, at column: CInt
) -> Value {
  switch type {
  case .string:
    guard let text = decodeText(of: handle, at: column) else { return .null }
    return .string(text)
  case .int64:
    let number = sqlite3_column_int64(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .int64(number)
  case .bool:
    let number = sqlite3_column_int64(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .bool(number != 0)
  case .double:
    let number = sqlite3_column_double(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .double(number)
  case .date:
    let seconds = sqlite3_column_double(handle, column)
    return seconds == 0 && isNull(handle, column)
      ? .null : .date(Date(timeIntervalSinceReferenceDate: seconds))
  case .data:
    guard !isNull(handle, column) else { return .null }
    guard let bytes = sqlite3_column_blob(handle, column) else { return .data(Data()) }
    return .data(Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  case .decimal:
    let number = sqlite3_column_double(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .decimal(StoredDecimal(number: number))
  case .uuid: return decodeUUID(of: handle, at: column)
  case .uri:
    guard let text = decodeText(of: handle, at: column) else { return .null }
    return .uri(text)
  }
}

private func decodeUUID(of handle: OpaquePointer, at column: CInt) -> Value {
  guard !isNull(handle, column) else { return .null }
  let bytes = sqlite3_column_blob(handle, column)
  let count = Int(sqlite3_column_bytes(handle, column))
  return .uuid(UUID(UnsafeRawBufferPointer(start: bytes, count: count)))
}

@inline(__always)
func decodeText(of handle: OpaquePointer, at column: CInt) -> String? {
  guard let text = sqlite3_column_text(handle, column) else { return nil }
  let count = Int(sqlite3_column_bytes(handle, column))
  return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
}

@inline(__always)
private func isNull(_ handle: OpaquePointer, _ column: CInt) -> Bool {
  sqlite3_column_type(handle, column) == SQLITE_NULL
}
