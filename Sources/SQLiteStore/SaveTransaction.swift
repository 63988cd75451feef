import GRDBSQLite
import ObjectGraph
import Queues

/// The SQL of one save: inserts, then updates, then deletes, each row by a statement of its own.
///
/// A row that is not of the expected version is noted, and the rest is tried, so that the error
/// names all conflicts; then everything is rolled back.
struct SaveTransaction {
  private let connection: Connection
  private let schema: Schema
  private let storeNumber: Int32
  private var conflicts: [MergeConflict] = []

  private init(_ connection: Connection, _ schema: Schema, storeNumber: Int32) {
    self.connection = connection
    self.schema = schema
    self.storeNumber = storeNumber
  }

  /// - Returns: the IDs of the inserted objects, in order.
  static func save(
    _ request: SaveRequest, on connection: Connection, _ schema: Schema, storeNumber: Int32
  ) throws -> [ManagedObjectID] {
    var save = SaveTransaction(connection, schema, storeNumber: storeNumber)
    let ids = try connection.transaction {
      let ids = try save.permanentIDs(for: request.inserts.lazy.map(\.id))
      try save.insert(request.inserts, ids)
      try save.update(request.updates)
      try save.delete(request.deletes)
      try save.check(request.checks)
      guard save.conflicts.isEmpty else { throw SaveError.conflict(save.conflicts) }
      return ids
    }
    Activity.count(.commits)
    Activity.count(
      .rowsWritten, request.inserts.count + request.updates.count + request.deletes.count)
    return ids
  }

  /// Reserves keys in a transaction of its own.
  static func reserveKeys(
    for ids: [ManagedObjectID], on connection: Connection, _ schema: Schema, storeNumber: Int32
  ) throws -> [ManagedObjectID] {
    var reservation = SaveTransaction(connection, schema, storeNumber: storeNumber)
    let permanent = try connection.transaction { try reservation.permanentIDs(for: ids) }
    Activity.count(.commits)
    return permanent
  }

  /// The IDs, with a reserved key in the place of each temporary one.
  private mutating func permanentIDs(
    for ids: some Collection<ManagedObjectID>
  ) throws -> [ManagedObjectID] {
    var needed = Array(repeating: 0, count: schema.tables.count)
    for id in ids where id.isTemporary { needed[Int(id.entityIndex)] += 1 }
    var next = Array(repeating: Int64(0), count: needed.count)
    for entity in needed.indices where needed[entity] > 0 {
      next[entity] = try firstReservedKey(of: needed[entity], entity: entity)
    }
    return ids.map { id in
      guard id.isTemporary else { return id }
      defer { next[Int(id.entityIndex)] += 1 }
      return ManagedObjectID(
        store: storeNumber, entityIndex: id.entityIndex, primaryKey: next[Int(id.entityIndex)])
    }
  }

  private mutating func firstReservedKey(of count: Int, entity: Int) throws -> Int64 {
    let statement = try connection.statement(.keyReservation)
    sqlite3_bind_int64(statement.handle, 1, Int64(count))
    sqlite3_bind_int64(statement.handle, 2, Int64(schema.tables[entity].number))
    Activity.count(.statements)
    guard let last = try statement.number() else {
      throw StoreError.noKeys(entity: schema.tables[entity].entity.name)
    }
    return last - Int64(count) + 1
  }

  private mutating func insert(
    _ inserts: [SaveRequest.Insert], _ ids: [ManagedObjectID]
  ) throws {
    var cursor = StatementCursor(connection)
    for (insert, id) in zip(inserts, ids) {
      let entity = Int(id.entityIndex)
      let statement = try cursor.statement(.insertion(entity), entity: entity, changed: [])
      sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
      for index in insert.values.indices {
        try bindChecked(
          insert.values[index], of: index, entity, to: statement, at: CInt(index + 2))
      }
      Activity.count(.statements)
      try statement.execute()
    }
  }

  private mutating func update(_ updates: [SaveRequest.Update]) throws {
    var cursor = StatementCursor(connection)
    for update in updates {
      let entity = Int(update.id.entityIndex)
      let statement = try cursor.statement(
        .update(entity, update.changed), entity: entity, changed: update.changed)
      var parameter: CInt = 1
      var rest = update.changed.rawValue
      while rest != 0 {
        let index = rest.trailingZeroBitCount
        try bindChecked(update.values[index], of: index, entity, to: statement, at: parameter)
        parameter += 1
        rest &= rest - 1
      }
      sqlite3_bind_int64(statement.handle, parameter, update.id.primaryKey)
      sqlite3_bind_int64(statement.handle, parameter + 1, update.version)
      try executeChecked(statement, update.id, version: update.version)
    }
  }

  private mutating func delete(_ deletes: [SaveRequest.Delete]) throws {
    var cursor = StatementCursor(connection)
    for delete in deletes {
      let entity = Int(delete.id.entityIndex)
      let statement = try cursor.statement(.deletion(entity), entity: entity, changed: [])
      sqlite3_bind_int64(statement.handle, 1, delete.id.primaryKey)
      sqlite3_bind_int64(statement.handle, 2, delete.version)
      try executeChecked(statement, delete.id, version: delete.version)
    }
  }

  /// Notes a conflict for each row that is not of the version given.
  private mutating func check(_ checks: [SaveRequest.Delete]) throws {
    for check in checks {
      let lookup = try connection.statement(.version(Int(check.id.entityIndex)))
      sqlite3_bind_int64(lookup.handle, 1, check.id.primaryKey)
      Activity.count(.statements)
      let version = try lookup.number() ?? 0
      guard version != check.version else { continue }
      conflicts.append(
        MergeConflict(id: check.id, oldVersion: check.version, newVersion: version))
    }
  }

  /// Runs an update or delete, and notes a conflict if there was no row of the version.
  private mutating func executeChecked(
    _ statement: PreparedStatement, _ id: ManagedObjectID, version: Int64
  ) throws {
    Activity.count(.statements)
    try statement.execute()
    guard connection.changes == 0 else { return }
    let lookup = try connection.statement(.version(Int(id.entityIndex)))
    sqlite3_bind_int64(lookup.handle, 1, id.primaryKey)
    Activity.count(.statements)
    conflicts.append(
      MergeConflict(id: id, oldVersion: version, newVersion: try lookup.number() ?? 0))
  }

  @inline(__always)
  private func bindChecked(
    _ value: Value, of attribute: Int, _ entity: Int, to statement: PreparedStatement,
    at parameter: CInt
  ) throws {
    guard !value.isNotANumber else { throw notANumber(attribute, entity) }
    bind(value, to: statement.handle, at: parameter)
  }

  private func notANumber(_ attribute: Int, _ entity: Int) -> StoreError {
    let entity = schema.tables[entity].entity
    return .notANumber(entity: entity.name, attribute: entity.attributes[attribute].name)
  }
}

/// Keeps the last statement at hand, since rows of one kind mostly follow each other.
private struct StatementCursor {
  private let connection: Connection
  private var entity = -1
  private var changed: AttributeMask = []
  private var current: PreparedStatement?

  init(_ connection: Connection) {
    self.connection = connection
  }

  mutating func statement(
    _ key: @autoclosure () -> Connection.StatementKey, entity: Int, changed: AttributeMask
  ) throws -> PreparedStatement {
    if let current, self.entity == entity, self.changed == changed { return current }
    let statement = try connection.statement(key())
    self.entity = entity
    self.changed = changed
    current = statement
    return statement
  }
}
