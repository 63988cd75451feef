import Foundation
import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

// A store's history, with Core Data's names:
//
//   ATRANSACTION  Z_PK | ZTIMESTAMP | ZAUTHOR | ZCONTEXTNAME                 one a save or batch
//   ACHANGE       ZTRANSACTIONID | ZCHANGETYPE | ZENTITY | ZENTITYPK | ZCOLUMNS   one an object
//
// Z_PK counts without gaps and is never reused. So the transactions before the first row have been
// removed.

enum HistoryTables {
  static let creation = [
    "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY AUTOINCREMENT, ZTIMESTAMP REAL, "
      + "ZAUTHOR TEXT, ZCONTEXTNAME TEXT)",
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZTRANSACTIONID INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZCOLUMNS INTEGER)",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
  ]

  /// Creates missing tables if the store is to keep its history.
  ///
  /// - Throws: `StoreError.historyKept` if a store with history is opened without keeping it. Core
  ///   Data opens such a store read-only.
  static func prepare(_ database: Database, for configuration: StoreConfiguration) throws {
    let exists = try database.hasTable("ATRANSACTION")
    if configuration.keepsHistory {
      guard !exists else { return }
      try database.inTransaction(.immediate) {
        if try !database.hasTable("ATRANSACTION") {
          for statement in creation { try database.execute(sql: statement) }
        }
        return .commit
      }
    } else if exists {
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM ATRANSACTION")
      if count != 0 { throw StoreError.historyKept(path: configuration.path) }
    }
  }
}

/// Writes a transaction's history. Use it inside that transaction.
struct HistoryWriter {
  struct Change {
    let id: ManagedObjectID
    let kind: HistoryChange.Kind
    var columns: AttributeMask = []
  }

  let connection: Connection
  let date: Date

  /// - Returns: the number of the transaction; nil without changes.
  func record(author: String?, contextName: String?, _ changes: [Change]) throws -> Int64? {
    guard !changes.isEmpty else { return nil }
    let transaction = try connection.statement(
      .sql(
        "INSERT INTO ATRANSACTION (ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME) VALUES (?, ?, ?)"
          + " RETURNING Z_PK"))
    try bind(.date(date), to: transaction.handle, at: 1)
    try bind(author.map { .string($0) } ?? .null, to: transaction.handle, at: 2)
    try bind(contextName.map { .string($0) } ?? .null, to: transaction.handle, at: 3)
    Activity.count(.statements)
    let number = try transaction.number() ?? 0
    let statement = try connection.statement(
      .sql(
        "INSERT INTO ACHANGE (ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS)"
          + " VALUES (?, ?, ?, ?, ?)"))
    for change in changes {
      sqlite3_bind_int64(statement.handle, 1, number)
      sqlite3_bind_int64(statement.handle, 2, Int64(change.kind.rawValue))
      sqlite3_bind_int64(statement.handle, 3, Int64(change.id.entityIndex) + 1)
      sqlite3_bind_int64(statement.handle, 4, change.id.primaryKey)
      sqlite3_bind_int64(statement.handle, 5, Int64(bitPattern: change.columns.rawValue))
      try statement.executeCounted()
    }
    return number
  }
}

extension SaveTransaction.Outcome {
  var changes: [HistoryWriter.Change] {
    insertedIDs.map { .init(id: $0, kind: .insert) }
      + request.updates.map { .init(id: $0.id, kind: .update, columns: $0.changed) }
      + cleared.map { .init(id: $0.id, kind: .update, columns: $0.columns) }
      + request.deletes.map { .init(id: $0.id, kind: .delete) }
  }
}

extension BatchChanges {
  var all: [HistoryWriter.Change] {
    inserted.map { .init(id: $0, kind: .insert) }
      + updated.map { .init(id: $0, kind: .update, columns: columns) }
      + unlinked.map { .init(id: $0.id, kind: .update, columns: $0.columns) }
      + deleted.map { .init(id: $0, kind: .delete) }
  }
}
