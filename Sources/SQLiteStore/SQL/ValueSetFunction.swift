import Foundation
import GRDB
import GRDBSQLite
import ObjectGraph

/// A list that is too long to be bound value by value. SQLite passes it to `ValueSetFunction`.
///
/// Immutable. The caller keeps it alive until the statement is reset.
final class ValueSetArgument {
  let set: ValueSet
  let type: AttributeType

  /// - Parameter list: the values of the set that a column of this kind can hold.
  init(_ list: [Value], of set: ValueSet, as kind: ValueKind) {
    switch kind {
    case .attribute(let type):
      self.set = set
      self.type = type
    case .object:
      // Rows refer to others by key.
      self.set = ValueSet(list.compactMap { $0.objectID.map { .int64($0.primaryKey) } })
      self.type = .int64
    }
  }
}

/// The SQL function `ZVALUE_IN(column, list)`: whether a list contains a value. 0 for null.
enum ValueSetFunction {
  static let name = "ZVALUE_IN"
  // SQLite compares this name to check that a pointer has the expected type. It is immutable and
  // must outlive every statement.
  nonisolated(unsafe) fileprivate static let pointerType: UnsafeMutablePointer<CChar> = strdup(
    "ZVALUES")!

  /// Registers the function on a connection.
  static func install(on connection: OpaquePointer) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    let code = sqlite3_create_function_v2(
      connection, name, 2, flags, nil, { holds($0, $2) }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Binds a list, which must stay alive until the statement is reset.
  static func bind(_ argument: ValueSetArgument, to handle: OpaquePointer, at index: CInt) {
    let pointer = Unmanaged.passUnretained(argument).toOpaque()
    sqlite3_bind_pointer(handle, index, pointer, pointerType, nil)
  }
}

private func holds(
  _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let column = arguments?[0],
    let pointer = sqlite3_value_pointer(arguments?[1], ValueSetFunction.pointerType)
  else {
    sqlite3_result_int(context, 0)
    return
  }
  let argument = Unmanaged<ValueSetArgument>.fromOpaque(pointer).takeUnretainedValue()
  let value = decode(column, as: argument.type)
  sqlite3_result_int(context, !value.isNull && argument.set.contains(value) ? 1 : 0)
}

private func decode(_ value: OpaquePointer, as type: AttributeType) -> Value {
  guard sqlite3_value_type(value) != SQLITE_NULL else { return .null }
  switch type {
  case .int64: return .int64(sqlite3_value_int64(value))
  case .bool: return .bool(sqlite3_value_int64(value) != 0)
  case .double: return .double(sqlite3_value_double(value))
  case .date: return .date(Date(timeIntervalSinceReferenceDate: sqlite3_value_double(value)))
  case .string:
    let text = sqlite3_value_text(value)
    let count = Int(sqlite3_value_bytes(value))
    return .string(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
  case .data:
    guard let bytes = sqlite3_value_blob(value) else { return .data(Data()) }
    return .data(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
  }
}
