package import Foundation
import GRDB
import GRDBSQLite
package import ObjectGraph

/// Creates, copies and removes store files. No coordinator may have them open meanwhile.
package enum StoreFile {
  /// Creates a store to be copied, not used: it is not synced to the disk. Replaces any file, and
  /// leaves no WAL. Rows have version 1. Keys count from 1 in the order of rows, over all entities
  /// of one hierarchy.
  ///
  /// - Parameter pairs: of many-to-many relationships, each by the keys of both sides.
  /// - Parameter age: the transactions in the history. If there are any, only coordinators that
  ///   keep history can open the store.
  /// - Throws: `StoreError.valueCount` or `.notANumber` if a row does not fit. No file is left.
  package static func createTemplate(
    at url: URL, model: Model, rows: [(entity: Entity, rows: [ContiguousArray<Value>])],
    pairs: [(entity: Entity, toMany: Int, keys: [(Int64, Int64)])] = [], age: Int = 0
  ) throws {
    try remove(at: url)
    do {
      let schema = try Schema(model)
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.allowsUnsafeTransactions = true
      let path = url.path(percentEncoded: false)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA synchronous = OFF")
        try database.execute(sql: "PRAGMA journal_mode = MEMORY")
        _ = try StoreMetadata(database: database, path: path, schema: schema).open()
        if age > 0 {
          for statement in HistoryTables.creation { try database.execute(sql: statement) }
        }
      }
      let connection = try Connection(queue, checkpointer: nil, schema: schema)
      var history = AgedHistory(
        age, rowCount: rows.reduce(0) { $0 + $1.rows.count }, on: connection)
      try connection.transaction {
        for (entity, rows) in rows { try insert(rows, of: entity, on: connection, &history) }
        for (entity, toMany, keys) in pairs { try link(keys, of: entity, toMany, on: connection) }
      }
      try queue.inDatabase { try $0.useWAL(at: path, waitingFor: .zero) }
      try connection.close()
    } catch {
      try? remove(at: url)
      throw error
    }
  }

  /// Why a store of the older model cannot be migrated to the newer one; empty if it can.
  package static func problems(migrating older: Model, to newer: Model) throws -> [String] {
    MigrationMapping(from: StoredModel(try Schema(older)), to: try Schema(newer)).problems
  }

  /// Copies a store that nobody has open, and replaces any file at `destination`. The copy keeps
  /// the UUID, but is another store, because its path differs.
  ///
  /// - Throws: `StoreError.walLeft` if the WAL holds the source's last commits.
  package static func copy(_ source: URL, to destination: URL) throws {
    let wal = path(source, "-wal")
    let size = try? FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int
    guard size ?? 0 == 0 else { throw StoreError.walLeft(path: wal) }
    try remove(at: destination)
    try FileManager.default.copyItem(atPath: path(source), toPath: path(destination))
  }

  /// Removes a store with its WAL and WAL index, if it exists.
  package static func remove(at url: URL) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      let path = path(url, suffix)
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  private static func path(_ url: URL, _ suffix: String = "") -> String {
    url.path(percentEncoded: false) + suffix
  }

  private static func link(
    _ pairs: [(Int64, Int64)], of entity: Entity, _ toMany: Int, on connection: Connection
  ) throws {
    let relationship = ToManyIndex(entity: connection.schema.table(of: entity).index, index: toMany)
    let statement = try connection.statement(.link(relationship))
    for (mine, theirs) in pairs {
      sqlite3_bind_int64(statement.handle, 1, mine)
      sqlite3_bind_int64(statement.handle, 2, theirs)
      try statement.execute()
    }
  }

  private static func insert(
    _ rows: [ContiguousArray<Value>], of entity: Entity, on connection: Connection,
    _ history: inout AgedHistory
  ) throws {
    let table = connection.schema.table(of: entity)
    let first = try connection.reserveKeys(rows.count, root: table.rootIndex)
    let statement = try connection.statement(.insertion(table.index))
    for (number, row) in rows.enumerated() {
      guard row.count == entity.columns.count else {
        throw StoreError.valueCount(
          entity: entity.name, row: number + 1, count: row.count,
          expected: entity.columns.count)
      }
      sqlite3_bind_int64(statement.handle, 1, first + Int64(number))
      try table.bindRow(row, to: statement, from: 2)
      try statement.execute()
      try history.rowWasInserted(
        ManagedObjectID(
          store: 0, entityIndex: Int32(table.index), primaryKey: first + Int64(number)))
    }
  }
}

/// The history of a store that was in use for years, written between the rows of a template, so
/// that the pages of a table lie scattered over the file. Each transaction updates the last ten
/// rows.
struct AgedHistory {
  private let transactions: Int
  private let rowCount: Int
  private let writer: HistoryWriter
  private var rowsSeen = 0
  private var written = 0
  private var latest: [ManagedObjectID] = []

  private static let changesEach = 10

  init(_ transactions: Int, rowCount: Int, on connection: Connection) {
    self.transactions = transactions
    self.rowCount = rowCount
    // A fixed date, so that equal scenarios make equal files.
    writer = HistoryWriter(connection: connection, date: Date(timeIntervalSinceReferenceDate: 0))
  }

  /// Writes the share of the history that follows this row.
  mutating func rowWasInserted(_ id: ManagedObjectID) throws {
    guard transactions > 0 else { return }
    rowsSeen += 1
    latest.append(id)
    if latest.count > Self.changesEach { latest.removeFirst() }
    let due = transactions * rowsSeen / rowCount
    while written < due {
      let changes = (0..<Self.changesEach).map { number in
        HistoryWriter.Change(
          id: latest[number % latest.count], kind: .update, columns: AttributeMask(index: 0))
      }
      _ = try writer.record(author: nil, contextName: nil, changes)
      written += 1
    }
  }
}
