import Foundation
import GRDBSQLite
import ObjectGraph

/// A list that is too long to be bound value by value. Immutable.
final class ValueSetArgument {
  /// `ZVALUE_IN(column, list)`: whether a list contains a value. 0 for null.
  static let function = "ZVALUE_IN"

  fileprivate let set: ValueSet
  fileprivate let type: AttributeType

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

func isInSet(_ context: OpaquePointer?, _ arguments: SQLFunction.Arguments?) {
  guard let column = arguments?[0],
    let argument = SQLFunction.object(arguments?[1], as: ValueSetArgument.self)
  else { return sqlite3_result_int(context, 0) }
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
  case .decimal: return .decimal(StoredDecimal(number: sqlite3_value_double(value)))
  case .string: return .string(text(value))
  case .uri: return .uri(text(value))
  case .uuid:
    let bytes = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return .uuid(UUID(UnsafeRawBufferPointer(start: bytes, count: count)))
  case .data:
    guard let bytes = sqlite3_value_blob(value) else { return .data(Data()) }
    return .data(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
  }
}

private func text(_ value: OpaquePointer) -> String {
  let text = sqlite3_value_text(value)
  let count = Int(sqlite3_value_bytes(value))
  return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
}
