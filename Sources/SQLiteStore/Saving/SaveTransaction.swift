import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

/// The SQL of one save: inserts, updates, deletes, then pairs, with one statement a row.
///
/// A save continues after a conflict, so that its error names all conflicts. Then everything is
/// rolled back. Rows that violate a uniqueness constraint are retried at the end (`+Constraints`).
struct SaveTransaction {
  let connection: Connection
  private var conflicts: [MergeConflict] = []
  var postponed: [Postponed] = []

  /// By index in the request.
  enum Postponed {
    case insert(Int)
    case update(Int)
  }

  struct Outcome {
    let insertedIDs: [ManagedObjectID]
    /// The new versions of `request.returning`.
    var returnedVersions: [ManagedObjectID: Int64] = [:]
    /// With permanent IDs.
    let request: SaveRequest
    var cleared: [ClearedRow] = []
    /// Nil without history or changes.
    var historyNumber: Int64?
  }

  /// A row that referred to a deleted row.
  struct ClearedRow: Equatable {
    let id: ManagedObjectID
    /// The columns that became null.
    let columns: AttributeMask
  }

  static func save(
    _ request: SaveRequest, on connection: Connection, history: HistoryWriter? = nil
  ) throws -> Outcome {
    let outcome = try connection.transaction { try write(request, on: connection, history) }
    countCommit(of: request)
    return outcome
  }

  /// After a conflict, writes what `settle` returns, in the same transaction.
  static func save(
    _ request: SaveRequest, on connection: Connection, history: HistoryWriter?,
    settling settle: (SaveError) throws -> SaveRequest
  ) throws -> Outcome {
    let outcome = try connection.transaction {
      var request = request
      while true {
        do {
          return try connection.savepoint {
            request.isEmpty
              ? Outcome(insertedIDs: [], request: request)
              : try write(request, on: connection, history)
          }
        } catch let error as SaveError {
          request = try settle(error)
        }
      }
    }
    countCommit(of: outcome.request)
    return outcome
  }

  private static func write(
    _ request: SaveRequest, on connection: Connection, _ history: HistoryWriter?
  ) throws -> Outcome {
    var save = SaveTransaction(connection: connection)
    var outcome = try save.write(request)
    Activity.charge(.rowWritten, request.rowCount)
    outcome.historyNumber = try history?.record(
      author: request.author, contextName: request.contextName, outcome.changes)
    return outcome
  }

  private static func countCommit(of request: SaveRequest) {
    Activity.count(.commits)
    Activity.count(.rowsWritten, request.rowCount)
  }

  private mutating func write(_ original: SaveRequest) throws -> Outcome {
    let ids = try connection.permanentIDs(for: original.inserts.lazy.map(\.id))
    var unknown: Set<ManagedObjectID> = []
    let request = original.resolved(ids, in: connection.schema, unknown: &unknown)
    try insert(request.inserts, ids)
    try update(request.updates)
    try delete(request.deletes)
    try check(request.checks)
    try check(targets: request.targets)
    if conflicts.isEmpty { for id in unknown { noteConflict(id, version: 0, with: nil) } }
    guard conflicts.isEmpty else { throw SaveError.conflict(conflicts) }
    if !postponed.isEmpty { try writePostponed(request, ids, original: original) }
    try writePairs(request)
    return Outcome(
      insertedIDs: ids, returnedVersions: try raiseVersions(of: request.returning),
      request: request, cleared: try clearKeys(toDeleted: request.deletes))
  }

  private mutating func insert(_ inserts: [SaveRequest.Insert], _ ids: [ManagedObjectID]) throws {
    var cursor = StatementCursor(connection: connection)
    for index in inserts.indices {
      let entity = Int(ids[index].entityIndex)
      let statement = try cursor.statement(.insertion(entity), entity: entity)
      do {
        try insert(inserts[index].values, ids[index], by: statement)
      } catch let error as DatabaseError where error.isUniqueness {
        postponed.append(.insert(index))
      } catch let error as DatabaseError where error.isPrimaryKey {
        // Another context has inserted the row of a reserved key again.
        noteConflict(ids[index], version: 0, with: try storedRow(of: ids[index]))
      }
    }
  }

  func insert(
    _ values: ContiguousArray<Value>, _ id: ManagedObjectID, by statement: PreparedStatement
  ) throws {
    let table = connection.schema.tables[Int(id.entityIndex)]
    sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
    try table.bindRow(values, to: statement, from: 2)
    try statement.executeCounted()
  }

  /// Gives rows that a save inserts again versions that they never had. A context that read such a
  /// row before its deletion then finds a conflict. The key counter supplies the numbers.
  private func raiseVersions(of ids: Set<ManagedObjectID>) throws -> [ManagedObjectID: Int64] {
    var versions: [ManagedObjectID: Int64] = [:]
    for id in ids {
      let table = connection.schema.tables[Int(id.entityIndex)]
      let number = try connection.reserveKeys(1, root: table.rootIndex) % (1 << 30) + 1
      let statement = try connection.statement(.sql(table.newVersion))
      sqlite3_bind_int64(statement.handle, 1, number << 32 + 1)
      sqlite3_bind_int64(statement.handle, 2, id.primaryKey)
      try statement.executeCounted()
      versions[id] = number << 32 + 1
    }
    return versions
  }

  private mutating func update(_ updates: [SaveRequest.Update]) throws {
    var cursor = StatementCursor(connection: connection)
    for index in updates.indices {
      // Reads single members: a copy of the update would retain its values.
      let id = updates[index].id
      let changed = updates[index].changed
      if noteIfNeverSaved(id, version: updates[index].version) { continue }
      let entity = Int(id.entityIndex)
      let statement = try cursor.statement(
        .update(entity, changed), entity: entity, changed: changed)
      do {
        try update(updates[index], by: statement)
      } catch let error as DatabaseError where error.isUniqueness {
        postponed.append(.update(index))
      }
    }
  }

  mutating func update(_ update: SaveRequest.Update, by statement: PreparedStatement) throws {
    let table = connection.schema.tables[Int(update.id.entityIndex)]
    let parameter = try table.bindColumns(update.changed, of: update.values, to: statement)
    sqlite3_bind_int64(statement.handle, parameter, update.id.primaryKey)
    sqlite3_bind_int64(statement.handle, parameter + 1, update.version)
    try executeChecked(statement, update.id, version: update.version)
  }

  private mutating func delete(_ deletes: [SaveRequest.Delete]) throws {
    var cursor = StatementCursor(connection: connection)
    for delete in deletes {
      if noteIfNeverSaved(delete.id, version: delete.version) { continue }
      let entity = Int(delete.id.entityIndex)
      let statement = try cursor.statement(.deletion(entity), entity: entity)
      sqlite3_bind_int64(statement.handle, 1, delete.id.primaryKey)
      sqlite3_bind_int64(statement.handle, 2, delete.version)
      try executeChecked(statement, delete.id, version: delete.version)
    }
  }

  private mutating func check(_ checks: [SaveRequest.Delete]) throws {
    // A temporary ID has no row that another context could have changed.
    for check in checks where !check.id.isTemporary {
      let row = try storedRow(of: check.id)
      guard row?.version ?? 0 != check.version else { continue }
      noteConflict(check.id, version: check.version, with: row)
    }
  }

  /// New relations must lead to existing rows.
  private mutating func check(targets: [SaveRequest.Delete]) throws {
    for target in targets where try storedRow(of: target.id) == nil {
      noteConflict(target.id, version: target.version, with: nil)
    }
  }

  /// Executes the statement. Adds a conflict if no row had the version.
  private mutating func executeChecked(
    _ statement: PreparedStatement, _ id: ManagedObjectID, version: Int64
  ) throws {
    try statement.executeCounted()
    guard connection.changes == 0 else { return }
    noteConflict(id, version: version, with: try storedRow(of: id))
  }

  /// A child may have changed an object that its parent no longer has.
  private mutating func noteIfNeverSaved(_ id: ManagedObjectID, version: Int64) -> Bool {
    if id.isTemporary { noteConflict(id, version: version, with: nil) }
    return id.isTemporary
  }

  private mutating func noteConflict(
    _ id: ManagedObjectID, version: Int64, with row: RowSnapshot?
  ) {
    conflicts.append(
      MergeConflict(
        id: id, oldVersion: version, newVersion: row?.version ?? 0, persistedSnapshot: row))
  }

  private func storedRow(of id: ManagedObjectID) throws -> RowSnapshot? {
    let decoder = EntityDecoder(
      Int(id.entityIndex), in: connection.schema, storeNumber: connection.storeNumber,
      withSubentities: false)
    return try connection.row(of: id, by: decoder)
  }
}

/// Caches the last statement: rows of one kind usually follow each other.
private struct StatementCursor {
  let connection: Connection
  var entity = -1
  var changed: AttributeMask = []
  var current: PreparedStatement?

  mutating func statement(
    _ key: @autoclosure () -> Connection.StatementKey, entity: Int,
    changed: AttributeMask = []
  ) throws -> PreparedStatement {
    if let current, self.entity == entity, self.changed == changed { return current }
    let statement = try connection.statement(key())
    self.entity = entity
    self.changed = changed
    current = statement
    return statement
  }
}

extension SaveRequest {
  fileprivate var rowCount: Int { inserts.count + updates.count + deletes.count }
}
