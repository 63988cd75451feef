import GRDBSQLite
import ObjectGraph

/// Text comparisons that SQLite lacks. They run the same code as predicates in memory.
enum TextFunctions {
  /// `ZTEXT(text, pattern)`: whether a text matches. 0 for null.
  static let matches = "ZTEXT"
  /// `ZTEXT_OF(text, pattern, code)`: the same, with a pattern from the row.
  static let compares = "ZTEXT_OF"
  /// `ZFOLD(text, options)`: a text without the differences that the options ignore. Null for null.
  static let foldFunction = "ZFOLD"

  static func fold(_ expression: String, _ options: TextOptions) -> String {
    "\(foldFunction)(\(expression), \(options.rawValue))"
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

/// Nil for other types. The bytes are valid until the function returns.
private func utf8(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
  guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
  let text = sqlite3_value_text(value)
  return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
}
