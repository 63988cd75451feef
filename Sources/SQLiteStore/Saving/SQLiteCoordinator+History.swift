public import Foundation
import GRDB
import GRDBSQLite
public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  /// The token of the file's last transaction. Throws `HistoryError.notKept`.
  public func currentHistoryToken() throws -> HistoryToken {
    try readingHistory { try token(number: $0.lastNumber()) }
  }

  /// The kept transactions after a token, or all if it is nil, in order.
  ///
  /// - Throws: `HistoryError`, such as `.expiredToken` if some of them have been removed.
  public func history(after token: HistoryToken? = nil) throws -> [HistoryTransaction] {
    try readingHistory { reader in
      if let token {
        guard token.store == storeIdentifier else { throw HistoryError.foreignToken(token) }
        guard token.number >= (try reader.lastRemovedNumber()) else {
          throw HistoryError.expiredToken(token)
        }
      }
      return try reader.transactions(after: token?.number ?? 0, for: self)
    }
  }

  /// Removes all transactions before the token's own, and returns their number.
  @discardableResult
  public func deleteHistory(before token: HistoryToken) throws -> Int {
    guard token.store == storeIdentifier else { throw HistoryError.foreignToken(token) }
    return try deleteHistory("Z_PK < ?", .int64(token.number))
  }

  /// Removes the transactions before the date, and returns their number.
  @discardableResult
  public func deleteHistory(before date: Date) throws -> Int {
    // A range, so that no gap remains even if a clock was set back.
    try deleteHistory(
      "Z_PK <= (SELECT max(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP < ?)", .date(date))
  }

  func token(number: Int64) -> HistoryToken { HistoryToken(store: storeIdentifier, number: number) }

  private func deleteHistory(_ condition: String, _ value: Value) throws -> Int {
    guard configuration.keepsHistory else { throw HistoryError.notKept }
    return try request(.history) {
      try pool.write { connection in
        try connection.transaction {
          let changes = try connection.statement(
            .sql(
              "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN"
                + " (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))"))
          let transactions = try connection.statement(
            .sql("DELETE FROM ATRANSACTION WHERE \(condition)"))
          for statement in [changes, transactions] {
            try bind(value, to: statement.handle, at: 1)
            try statement.executeCounted()
          }
          return connection.changes
        }
      }
    }
  }

  private func readingHistory<R>(_ body: (HistoryReader) throws -> R) throws -> R {
    guard configuration.keepsHistory else { throw HistoryError.notKept }
    return try request(.history) {
      try pool.read { connection in
        try connection.reading { try body(HistoryReader(connection: connection)) }
      }
    }
  }
}

private struct HistoryReader {
  let connection: Connection

  func lastNumber() throws -> Int64 {
    try number("SELECT seq FROM sqlite_sequence WHERE name = 'ATRANSACTION'") ?? 0
  }

  /// 0 if no transaction was removed.
  func lastRemovedNumber() throws -> Int64 {
    let first = try number("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK LIMIT 1")
    return try first.map { $0 &- 1 } ?? lastNumber()
  }

  private func number(_ sql: String) throws -> Int64? {
    Activity.count(.statements)
    return try connection.statement(.sql(sql)).number()
  }

  func transactions(
    after number: Int64, for coordinator: SQLiteCoordinator
  ) throws -> [HistoryTransaction] {
    var changes = try changes(after: number, for: coordinator)
    let statement = try connection.statement(
      .sql(
        "SELECT Z_PK, ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME FROM ATRANSACTION WHERE Z_PK > ?"
          + " ORDER BY Z_PK"))
    defer { statement.reset() }
    sqlite3_bind_int64(statement.handle, 1, number)
    Activity.count(.statements)
    var transactions: [HistoryTransaction] = []
    while try statement.step() {
      let number = sqlite3_column_int64(statement.handle, 0)
      transactions.append(
        HistoryTransaction(
          token: coordinator.token(number: number),
          date: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement.handle, 1)),
          author: decodeText(of: statement.handle, at: 2),
          contextName: decodeText(of: statement.handle, at: 3),
          changes: changes.removeValue(forKey: number) ?? []))
    }
    return transactions
  }

  private func changes(
    after number: Int64, for coordinator: SQLiteCoordinator
  ) throws -> [Int64: [HistoryChange]] {
    let statement = try connection.statement(
      .sql(
        "SELECT ZENTITYPK, ZENTITY, ZCHANGETYPE, ZCOLUMNS, ZTRANSACTIONID FROM ACHANGE"
          + " WHERE ZTRANSACTIONID > ? ORDER BY Z_PK"))
    defer { statement.reset() }
    sqlite3_bind_int64(statement.handle, 1, number)
    Activity.count(.statements)
    var changes: [Int64: [HistoryChange]] = [:]
    while try statement.step() {
      let kind = Int(sqlite3_column_int64(statement.handle, 2))
      let columns = UInt64(bitPattern: sqlite3_column_int64(statement.handle, 3))
      let id = try statement.id(in: try table(of: statement), store: coordinator.storeNumber)
      changes[sqlite3_column_int64(statement.handle, 4), default: []].append(
        HistoryChange(
          objectID: id, kind: HistoryChange.Kind(rawValue: kind) ?? .update,
          updatedProperties: coordinator.model.entities[Int(id.entityIndex)].names(
            of: AttributeMask(rawValue: columns))))
    }
    return changes
  }
}

extension HistoryReader {
  /// The table of the entity whose number is in column 1.
  private func table(of statement: PreparedStatement) throws -> EntityTable {
    let index = Int(sqlite3_column_int64(statement.handle, 1)) &- 1
    let tables = connection.schema.tables
    guard tables.indices.contains(index) else { throw unknownKind(index &+ 1, in: "ACHANGE") }
    return tables[index]
  }
}

extension Entity {
  fileprivate func names(of mask: AttributeMask) -> [String] {
    var names: [String] = []
    mask.forEachIndex { if $0 < columns.count { names.append(columns[$0].name) } }
    return names
  }
}
