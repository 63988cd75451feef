import Foundation
import GRDB
import GRDBSQLite
import ObjectGraph

/// Registers SQL functions, and passes objects to them by pointer. The caller keeps an object alive
/// until the statement is reset.
enum SQLFunction {
  typealias Arguments = UnsafeMutablePointer<OpaquePointer?>
  typealias Body = @convention(c) (OpaquePointer?, CInt, Arguments?) -> Void

  // SQLite compares this name to check a pointer's type. It is immutable and must outlive every
  // statement.
  nonisolated(unsafe) private static let pointerType: UnsafeMutablePointer<CChar> = strdup(
    "ZARGUMENT")!

  static func installAll(on connection: OpaquePointer) throws {
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
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
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
