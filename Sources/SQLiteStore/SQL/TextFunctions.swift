import Foundation
import GRDB
import GRDBSQLite
import ObjectGraph

/// SQL functions for text comparisons that SQLite lacks or defines differently. They run the same
/// code as predicates in memory.
enum TextFunctions {
  /// `ZTEXT(text, pattern)`: whether a text matches. 0 for null.
  static let matches = "ZTEXT"
  /// `ZTEXT_OF(text, pattern, code)`: the same, with a pattern from the row.
  static let compares = "ZTEXT_OF"
  /// `ZFOLD(text, options)`: a text without the differences that the options ignore. Null for null.
  static let fold = "ZFOLD"

  // SQLite compares this name to check that a pointer has the expected type. It is immutable and
  // must outlive every statement.
  nonisolated(unsafe) fileprivate static let pointerType: UnsafeMutablePointer<CChar> = strdup(
    "ZPATTERN")!

  typealias Function =
    @convention(c) (
      OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  /// Registers the functions on a connection.
  static func install(on connection: OpaquePointer) throws {
    try install(matches, 2, { matchPattern($0, $2) }, on: connection)
    try install(compares, 3, { compareTexts($0, $2) }, on: connection)
    try install(fold, 2, { foldText($0, $2) }, on: connection)
  }

  private static func install(
    _ name: String, _ count: CInt, _ function: Function, on connection: OpaquePointer
  ) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    let code = sqlite3_create_function_v2(
      connection, name, count, flags, nil, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Binds a pattern, which must stay alive until the statement is reset.
  static func bind(_ pattern: TextPattern, to handle: OpaquePointer, at index: CInt) {
    let pointer = Unmanaged.passUnretained(pattern).toOpaque()
    sqlite3_bind_pointer(handle, index, pointer, pointerType, nil)
  }

  /// Encodes an operator and its options in one number.
  static func code(_ operation: TextOperator, _ options: TextOptions) -> Int {
    let index = TextOperator.allCases.firstIndex(of: operation) ?? 0
    return index << 2 | Int(options.rawValue)
  }
}

private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

private func matchPattern(_ context: OpaquePointer?, _ arguments: Arguments?) {
  guard let bytes = utf8(arguments?[0]),
    let pointer = sqlite3_value_pointer(arguments?[1], TextFunctions.pointerType)
  else { return sqlite3_result_int(context, 0) }
  let pattern = Unmanaged<TextPattern>.fromOpaque(pointer).takeUnretainedValue()
  sqlite3_result_int(context, pattern.matches(utf8: bytes) ? 1 : 0)
}

private func compareTexts(_ context: OpaquePointer?, _ arguments: Arguments?) {
  guard let text = utf8(arguments?[0]), let source = utf8(arguments?[1]) else {
    return sqlite3_result_int(context, 0)
  }
  let code = Int(sqlite3_value_int64(arguments?[2]))
  let pattern = TextPattern(
    TextOperator.allCases[code >> 2], TextOptions(rawValue: UInt8(code & 3)),
    String(decoding: source, as: UTF8.self))
  sqlite3_result_int(context, pattern?.matches(utf8: text) == true ? 1 : 0)
}

private func foldText(_ context: OpaquePointer?, _ arguments: Arguments?) {
  guard let bytes = utf8(arguments?[0]) else { return sqlite3_result_null(context) }
  let options = TextOptions(rawValue: UInt8(sqlite3_value_int64(arguments?[1])))
  var folded = String(decoding: bytes, as: UTF8.self).folded(options)
  folded.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { text in
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      guard let start = text.baseAddress else {
        // A null pointer would mean null instead of an empty text.
        return sqlite3_result_text(context, "", 0, transient)
      }
      sqlite3_result_text(context, start, CInt(text.count), transient)
    }
  }
}

/// The bytes of a text argument; nil for any other type. They are valid until the function returns.
private func utf8(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
  guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
  let text = sqlite3_value_text(value)
  return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
}
