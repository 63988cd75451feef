import Foundation
import GRDB
import GRDBSQLite
import ObjectGraph

/// Registers SQL functions, and passes objects to them by pointer. The caller keeps an object alive
/// until the statement is reset.
package enum SQLFunction {
  typealias Arguments = UnsafeMutablePointer<OpaquePointer?>
  typealias Body = @convention(c) (OpaquePointer?, CInt, Arguments?) -> Void
  private typealias Collation =
    @convention(c) (
      UnsafeMutableRawPointer?, CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?
    ) -> CInt

  // SQLite compares this name to check a pointer's type. It is immutable and must outlive every
  // statement.
  nonisolated(unsafe) private static let pointerType: UnsafeMutablePointer<CChar> = strdup(
    "ZARGUMENT")!

  package static func installAll(on connection: OpaquePointer) throws {
    let functions: [(name: String, count: CInt, body: Body)] = [
      (ValueSetArgument.function, 2, { isInSet($0, $2) }),
      (TextFunctions.matches, 2, { matchPattern($0, $2) }),
      (TextFunctions.compares, 3, { compareTexts($0, $2) }),
      (TextFunctions.foldFunction, 2, { foldText($0, $2) }),
    ]
    for function in functions {
      let code = sqlite3_create_function_v2(
        connection, function.name, function.count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        function.body, nil, nil, nil)
      try check(code)
    }
    let collations: [(comparison: TextComparison, body: Collation)] = [
      (.localized, { orderTexts($1, $2, $3, $4, by: .localized) }),
      (.localizedCaseInsensitive, { orderTexts($1, $2, $3, $4, by: .localizedCaseInsensitive) }),
    ]
    for (comparison, body) in collations {
      try check(
        sqlite3_create_collation_v2(
          connection, comparison.collation, SQLITE_UTF8, nil, body, nil))
    }
  }

  private static func check(_ code: CInt) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  static func bind(_ object: AnyObject, to handle: OpaquePointer, at index: CInt) {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    sqlite3_bind_pointer(handle, index, pointer, pointerType, nil)
  }

  /// Nil if the argument is no object.
  static func object<Object: AnyObject>(_ argument: OpaquePointer?, as type: Object.Type) -> Object?
  {
    sqlite3_value_pointer(argument, pointerType).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

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
  case .string: return .string(String(decoding: textBytes(value), as: UTF8.self))
  case .uri: return .uri(String(decoding: textBytes(value), as: UTF8.self))
  case .uuid:
    let bytes = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return .uuid(UUID(UnsafeRawBufferPointer(start: bytes, count: count)))
  case .data:
    guard let bytes = sqlite3_value_blob(value) else { return .data(Data()) }
    return .data(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
  }
}

/// Text comparisons that SQLite lacks. They run the same code as predicates in memory.
enum TextFunctions {
  /// `ZTEXT(text, pattern)`: whether a text matches. 0 for null.
  static let matches = "ZTEXT"
  /// `ZTEXT_OF(text, pattern, code)`: the same, with a pattern from the row.
  static let compares = "ZTEXT_OF"
  /// `ZFOLD(text, options)`: a text without the differences that the options ignore. Null for null.
  static let foldFunction = "ZFOLD"

  /// The expression of a query's order.
  static func ordered(_ expression: String, by term: SortTerm) -> String {
    let text =
      term.options.isEmpty
      ? expression : "\(foldFunction)(\(expression), \(term.options.rawValue))"
    return term.comparison.collation.map { "\(text) COLLATE \($0)" } ?? text
  }

  static func code(_ operation: TextOperator, _ options: TextOptions) -> Int {
    let index = TextOperator.allCases.firstIndex(of: operation) ?? 0
    return index << 2 | Int(options.rawValue)
  }
}

func matchPattern(_ context: OpaquePointer?, _ arguments: SQLFunction.Arguments?) {
  guard let bytes = utf8(arguments?[0]),
    let pattern = SQLFunction.object(arguments?[1], as: TextPattern.self)
  else { return sqlite3_result_int(context, 0) }
  sqlite3_result_int(context, pattern.matches(utf8: bytes) ? 1 : 0)
}

func compareTexts(_ context: OpaquePointer?, _ arguments: SQLFunction.Arguments?) {
  guard let text = utf8(arguments?[0]), let source = utf8(arguments?[1]) else {
    return sqlite3_result_int(context, 0)
  }
  let code = Int(sqlite3_value_int64(arguments?[2]))
  let pattern = TextPattern(
    TextOperator.allCases[code >> 2], TextOptions(rawValue: UInt8(code & 3)),
    String(decoding: source, as: UTF8.self))
  sqlite3_result_int(context, pattern?.matches(utf8: text) == true ? 1 : 0)
}

func foldText(_ context: OpaquePointer?, _ arguments: SQLFunction.Arguments?) {
  guard let bytes = utf8(arguments?[0]) else { return sqlite3_result_null(context) }
  let options = TextOptions(rawValue: UInt8(sqlite3_value_int64(arguments?[1])))
  let folded = String(decoding: bytes, as: UTF8.self).folded(options)
  sqlite3_result_text(context, folded, CInt(folded.utf8.count), transient)
}

extension TextComparison {
  /// The name of its collation in SQL; nil for SQLite's own order.
  package var collation: String? {
    switch self {
    case .bytes: nil
    case .localized: "ZLOCALIZED"
    case .localizedCaseInsensitive: "ZLOCALIZED_CASE"
    }
  }
}

private func orderTexts(
  _ count: CInt, _ first: UnsafeRawPointer?, _ otherCount: CInt, _ second: UnsafeRawPointer?,
  by comparison: TextComparison
) -> CInt {
  func text(_ bytes: UnsafeRawPointer?, _ count: CInt) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }
  return CInt(comparison.order(text(first, count), text(second, otherCount)))
}

/// Nil for other types.
private func utf8(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
  sqlite3_value_type(value) == SQLITE_TEXT ? textBytes(value) : nil
}

/// The bytes are valid until the function returns.
private func textBytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
  let text = sqlite3_value_text(value)
  return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
}
