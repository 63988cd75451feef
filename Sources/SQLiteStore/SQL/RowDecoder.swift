import Foundation
import GRDBSQLite
import ObjectGraph

/// Decodes a statement's current row into values. It allocates only the values and their buffer.
struct RowDecoder {
  let types: ContiguousArray<AttributeType>
  let storeNumber: Int32
  let entityIndex: Int32

  init(_ table: EntityTable, storeNumber: Int32) {
    self.types = table.types
    self.storeNumber = storeNumber
    self.entityIndex = Int32(table.number - 1)
  }

  /// Decodes a row with the columns of `EntityTable.rowColumns`.
  @inline(__always)
  func row(of handle: OpaquePointer) -> FetchedRow {
    let key = sqlite3_column_int64(handle, 0)
    return FetchedRow(
      id: ManagedObjectID(store: storeNumber, entityIndex: entityIndex, primaryKey: key),
      snapshot: RowSnapshot(
        values: decodeValues(types, of: handle, from: 2),
        version: sqlite3_column_int64(handle, 1)))
  }
}

/// The values of the columns from `first` on, one for each type.
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

// Reads the number first, and asks whether it is null only if it is 0. Most numbers are not 0, and
// each question is a call.
@inline(__always)
func decodeValue(
  _ type: AttributeType, of handle: OpaquePointer, at column: CInt
) -> Value {
  switch type {
  case .string:
    guard let text = sqlite3_column_text(handle, column) else { return .null }
    return .string(decodeString(text, count: sqlite3_column_bytes(handle, column)))
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
    return isNull(handle, column) ? .null : .data(decodeData(handle, column))
  }
}

@inline(__always)
private func isNull(_ handle: OpaquePointer, _ column: CInt) -> Bool {
  sqlite3_column_type(handle, column) == SQLITE_NULL
}

@inline(__always)
private func decodeString(_ text: UnsafePointer<UInt8>, count: CInt) -> String {
  String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
}

private func decodeData(_ handle: OpaquePointer, _ column: CInt) -> Data {
  guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
  return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
}
