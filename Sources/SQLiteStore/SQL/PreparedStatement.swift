import Foundation
import GRDB
import GRDBSQLite
package import ObjectGraph
import Queues

/// A statement used through its C handle: GRDB's rows and arguments would double its cost. Only the
/// thread that has checked out its connection may use it.
package struct PreparedStatement {
  /// Finalises the handle.
  private let statement: Statement
  package let handle: OpaquePointer

  init(_ statement: Statement) {
    self.statement = statement
    self.handle = statement.sqliteStatement
  }

  /// False after the last row. An error resets the statement.
  @inline(__always)
  package func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw resetAfter(code)
  }

  /// Executes a statement that returns nothing, and resets it.
  @inline(__always)
  package func execute() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE else { throw resetAfter(code) }
    sqlite3_reset(handle)
  }

  @inline(__always)
  func executeCounted() throws {
    Activity.count(.statements)
    try execute()
  }

  /// Executes a statement that returns at most one number, and resets it.
  package func number() throws -> Int64? {
    guard try step() else {
      reset()
      return nil
    }
    let number = sqlite3_column_int64(handle, 0)
    try finish()
    return number
  }

  /// Steps to the end, then resets: a statement that writes must run to its end.
  package func finish() throws {
    while try step() {}
    reset()
  }

  /// The ID in the current row, which begins with a key and an entity number of this table.
  ///
  /// - Throws: `Damage`.
  func id(in table: EntityTable, store: Int32) throws -> ManagedObjectID {
    let number = sqlite3_column_int64(handle, 1)
    let key = try checkedKey(sqlite3_column_int64(handle, 0), in: table.name)
    return ManagedObjectID(
      store: store, entityIndex: Int32(try table.checkedKind(number) - 1), primaryKey: key)
  }

  /// Reads all rows of a bound statement, and resets it.
  package func ids(in table: EntityTable, store: Int32) throws -> [ManagedObjectID] {
    defer { reset() }
    var ids: [ManagedObjectID] = []
    while try step() { ids.append(try id(in: table, store: store)) }
    return ids
  }

  package func reset() { sqlite3_reset(handle) }

  private func resetAfter(_ code: CInt) -> DatabaseError {
    defer { sqlite3_reset(handle) }
    return failure(code, of: handle)
  }
}

private func failure(_ code: CInt, of handle: OpaquePointer) -> DatabaseError {
  let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
  return DatabaseError(
    resultCode: ResultCode(rawValue: code), message: message,
    sql: sqlite3_sql(handle).map { String(cString: $0) })
}

/// - Throws: `Damage` if no row can have the key.
@inline(__always)
func checkedKey(_ key: Int64, in table: @autoclosure () -> String) throws -> Int64 {
  guard key > 0 else { throw Damage(description: "a row of \(table()) has the key \(key)") }
  return key
}

/// Makes SQLite copy a bound value before the call returns.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// SQLite binds NaN as null, so callers that store values check for it first.
///
/// - Throws: `DatabaseError` if there is no memory for a copy, or the value is longer than SQLite
///   allows. The parameter is then null.
@inline(__always)
package func bind(_ value: Value, to handle: OpaquePointer, at index: CInt) throws {
  switch value {
  case .null: sqlite3_bind_null(handle, index)
  case .int64(let value): sqlite3_bind_int64(handle, index, value)
  case .bool(let value): sqlite3_bind_int64(handle, index, value ? 1 : 0)
  case .double(let value): sqlite3_bind_double(handle, index, value)
  case .date(let value): sqlite3_bind_double(handle, index, value.timeIntervalSinceReferenceDate)
  case .string(let value): try check(bind(value, to: handle, at: index), handle)
  case .data(let value): try check(bind(value, to: handle, at: index), handle)
  case .decimal(let value): sqlite3_bind_double(handle, index, value.number)
  case .uuid(let value): try check(bind(value, to: handle, at: index), handle)
  case .uri(let value): try check(bind(value, to: handle, at: index), handle)
  case .object(let id): sqlite3_bind_int64(handle, index, id.primaryKey)
  }
}

@inline(__always)
private func check(_ code: CInt, _ handle: OpaquePointer) throws {
  guard code != SQLITE_OK else { return }
  // SQLite has no message of its own for a value that it was never given.
  guard code != SQLITE_TOOBIG else {
    throw DatabaseError(resultCode: .SQLITE_TOOBIG, message: "a value is longer than SQLite allows")
  }
  throw failure(code, of: handle)
}

@inline(__always)
private func bind(_ value: String, to handle: OpaquePointer, at index: CInt) -> CInt {
  var value = value
  return value.withUTF8 { bytes in
    guard let base = bytes.baseAddress else {
      return sqlite3_bind_text(handle, index, "", 0, transient)
    }
    // Beyond CInt, SQLite would take the count for a request to look for the end.
    guard let count = CInt(exactly: bytes.count) else { return SQLITE_TOOBIG }
    return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      sqlite3_bind_text(handle, index, $0, count, transient)
    }
  }
}

private func bind(_ value: UUID, to handle: OpaquePointer, at index: CInt) -> CInt {
  withUnsafeBytes(of: value.uuid) {
    sqlite3_bind_blob(handle, index, $0.baseAddress, CInt($0.count), transient)
  }
}

private func bind(_ value: Data, to handle: OpaquePointer, at index: CInt) -> CInt {
  value.withUnsafeBytes { bytes in
    // SQLite would bind a null pointer as null.
    guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
    guard let count = CInt(exactly: bytes.count) else { return SQLITE_TOOBIG }
    return sqlite3_bind_blob(handle, index, bytes.baseAddress, count, transient)
  }
}
