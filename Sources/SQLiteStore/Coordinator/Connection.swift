package import GRDB
import GRDBSQLite
package import ObjectGraph
import Queues

/// GRDB opens the connection, prepares its statements and closes it. Requests step the statements
/// without GRDB's queue.
// `@unchecked Sendable`: the lock of `ConnectionPool` lends a connection to one thread at a time.
package final class Connection: @unchecked Sendable {
  private let queue: DatabaseQueue
  private let checkpointer: Checkpointer?
  let handle: OpaquePointer
  let schema: Schema
  let storeNumber: Int32
  private var statements: [StatementKey: PreparedStatement] = [:]

  package enum StatementKey: Hashable {
    case begin, beginReading, commit, rollback, keyReservation
    // The cases from here on name an entity by its index in the model.

    /// In a box of its own: the other keys stay small, and are copied and compared fast.
    indirect case query(QueryShape)
    case insertion(Int)
    case update(Int, AttributeMask)
    case updateOfDifferent(Int, AttributeMask)
    case takeover(Int, AttributeMask)
    case deletion(Int)
    case partnerClearing(Int, column: Int)
    case row(Int)
    case rows(Int, count: Int)
    case holder(Int, constraint: Int)
    case related(ToManyIndex)
    case link(ToManyIndex)
    case unlink(ToManyIndex)
    case clearPairs(ToManyIndex)
    case sql(String)
  }

  /// When a connection has this many statements, all are dropped. Later requests prepare theirs
  /// again.
  private static let mostStatements = 500

  package init(
    _ queue: DatabaseQueue, checkpointer: Checkpointer?, schema: Schema, storeNumber: Int32 = 0
  ) throws {
    self.queue = queue
    self.checkpointer = checkpointer
    self.schema = schema
    self.storeNumber = storeNumber
    self.handle = try queue.inDatabase { database in
      guard let handle = database.sqliteConnection else {
        throw DatabaseError(resultCode: .SQLITE_MISUSE)
      }
      try SQLFunction.installAll(on: handle)
      // These hooks of GRDB's transaction observers trap in transactions that GRDB did not begin.
      sqlite3_commit_hook(handle, nil, nil)
      sqlite3_rollback_hook(handle, nil, nil)
      return handle
    }
  }

  package func statement(_ key: StatementKey) throws -> PreparedStatement {
    if let statement = statements[key] { return statement }
    if statements.count >= Self.mostStatements { statements.removeAll() }
    let sql = sql(key)
    let statement = PreparedStatement(try queue.inDatabase { try $0.makeStatement(sql: sql) })
    statements[key] = statement
    return statement
  }

  package func withStatement<R>(
    _ key: StatementKey, _ parameters: Parameters, _ body: (PreparedStatement) throws -> R
  ) throws -> R {
    let statement = try statement(key)
    defer { parameters.unbind(from: statement.handle) }
    try parameters.bind(to: statement.handle)
    return try body(statement)
  }

  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// Takes SQLite's write lock at once. An error rolls back.
  package func transaction<R>(_ body: () throws -> R) throws -> R {
    // Preparing it later may fail.
    let rollback = try statement(.rollback)
    // An earlier rollback may have found no memory.
    if sqlite3_get_autocommit(handle) == 0 { try rollback.execute() }
    try statement(.begin).execute()
    guard let thread = Activity.recorder?.timeline else {
      return try committing(body, or: rollback)
    }
    return try thread.span(.write) { try committing(body, or: rollback) }
  }

  private func committing<R>(
    _ body: () throws -> R, or rollback: PreparedStatement
  ) throws -> R {
    do {
      let result = try body()
      Activity.charge(.commit)
      Activity.pay()
      try statement(.commit).execute()
      return result
    } catch {
      // SQLite ends the transaction itself on some errors, such as a full disk.
      if sqlite3_get_autocommit(handle) == 0 { try? rollback.execute() }
      throw error
    }
  }

  /// An error reverts what `body` wrote. The transaction continues.
  func savepoint<R>(_ body: () throws -> R) throws -> R {
    try statement(.sql("SAVEPOINT attempt")).execute()
    do {
      let result = try body()
      try statement(.sql("RELEASE attempt")).execute()
      return result
    } catch {
      // SQLite may have ended the whole transaction.
      guard sqlite3_get_autocommit(handle) == 0 else { throw error }
      try statement(.sql("ROLLBACK TO attempt")).execute()
      throw error
    }
  }

  /// All of `body` sees one state of the store.
  func reading<R>(_ body: () throws -> R) throws -> R {
    guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
    let rollback = try statement(.rollback)
    try statement(.beginReading).execute()
    defer { try? rollback.execute() }
    return try body()
  }

  /// All later reads see the current state of the store, until `unpin`.
  func pin() throws {
    // Ready for `unpin`.
    _ = try statement(.rollback)
    try statement(.beginReading).execute()
    // SQLite chooses the state at the first read, not at BEGIN.
    _ = try statement(.sql("SELECT Z_VERSION FROM Z_METADATA")).number()
  }

  /// False after an error of a read made SQLite end the transaction. Reads would see the current
  /// state.
  var isPinned: Bool { sqlite3_get_autocommit(handle) == 0 }

  func unpin() throws {
    if isPinned { try statement(.rollback).execute() }
  }

  package func close() throws {
    statements.removeAll()
    try queue.close()
  }

  private func sql(_ key: StatementKey) -> String {
    switch key {
    case .begin: "BEGIN IMMEDIATE"
    case .beginReading: "BEGIN"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .keyReservation: EntityTable.keyReservation
    case .query(let shape): shape.sql(in: schema)
    case .insertion(let index): schema.tables[index].insertion
    case .update(let index, let changed): schema.tables[index].update(of: changed)
    case .updateOfDifferent(let index, let mask): schema.tables[index].updateOfDifferent(mask)
    case .takeover(let index, let mask): schema.tables[index].batchInsertion(.update, given: mask)
    case .deletion(let index): schema.tables[index].deletion
    case .partnerClearing(let index, let column): schema.partnerKeys[index][column].clearingOne
    case .row(let index): schema.tables[index].row
    case .rows(let index, let count): schema.tables[index].rows(count)
    case .holder(let index, let constraint):
      schema.tables[index].holder(of: schema.tables[index].constraints[constraint])
    case .related(let toMany): schema.toMany[toMany.entity][toMany.index].related
    case .link(let toMany): pairs(toMany).link
    case .unlink(let toMany): pairs(toMany).unlink
    case .clearPairs(let toMany): pairs(toMany).clear
    case .sql(let sql): sql
    }
  }

  private func pairs(_ toMany: ToManyIndex) -> ToManyStorage.Pairs {
    guard let pairs = schema.toMany[toMany.entity][toMany.index].pairs else {
      let entity = schema.model.entities[toMany.entity]
      fatalError(
        "'\(entity.name).\(entity.toManyRelationships[toMany.index].name)' is not many-to-many; "
          + "set its inverse")
    }
    return pairs
  }
}
