import GRDBSQLite
import Queues

/// Counts statements and returned rows of connections that no coordinator drives, on the executing
/// thread. BEGIN, COMMIT and pragmas do not count.
package final class StatementTrace: Sendable {
  private let began: @Sendable (OpaquePointer) -> Void

  /// - Parameter began: called before a connection begins a transaction or savepoint.
  package init(began: @escaping @Sendable (OpaquePointer) -> Void = { _ in }) {
    self.began = began
  }

  /// This object must outlive the connection.
  package func install(on connection: OpaquePointer) {
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW),
      { event, context, statement, _ in
        guard let context, let statement else { return 0 }
        Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
          .traced(event, OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func traced(_ event: UInt32, _ statement: OpaquePointer) {
    guard let text = sqlite3_sql(statement) else { return }
    switch (text[0], text[1]) {
    case ("S", "E"), ("W", "I"):
      Activity.count(event == UInt32(SQLITE_TRACE_ROW) ? .rowsRead : .statements)
    case ("I", "N"), ("U", "P"), ("D", "E"):
      // Rows that a write returns do not count as read.
      if event == UInt32(SQLITE_TRACE_STMT) { Activity.count(.statements) }
    case ("B", "E"), ("S", "A"):
      if let connection = sqlite3_db_handle(statement) { began(connection) }
    default: break
    }
  }
}

extension CChar {
  fileprivate static func ~= (letter: Character, character: CChar) -> Bool {
    letter.asciiValue == UInt8(bitPattern: character)
  }
}
