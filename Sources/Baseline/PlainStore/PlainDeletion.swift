package import GRDB
import GRDBSQLite
package import ObjectGraph
package import SQLiteStore

// Carries out the model's delete rules without a context:
//
//   SELECT Z_PK, Z_ENT FROM ZPATIENT WHERE …            the rows to delete
//   SELECT … FROM ZVISIT WHERE ZPATIENT IN (…)          rows that a rule also deletes, or denies
//   DELETE FROM ZWORK WHERE ZVISIT IN (…)               rows whose deletion reaches no others
//   DELETE FROM ZVISIT WHERE Z_PK IN (…) …              the rest, and their pairs
//   UPDATE ZBED SET Z_OPT = Z_OPT + 1, ZOWNER = NULL …  rows that referred to them
//
// A row that loses a reference gets a new version, as in a context.

package struct PlainDeletion: Sendable {
  private let schema: Schema

  package init(_ schema: Schema) { self.schema = schema }

  /// Deletes the rows that match the entity's `deletion`, including subentities. Call it in a
  /// transaction.
  ///
  /// - Returns: the number of deleted rows, including those that a rule deleted.
  /// - Throws: `StoreError.deleteDenied`, with nothing written.
  @discardableResult
  package func deleteWhere(
    _ rows: RowEntity, on connection: some PlainConnection
  ) throws -> Int {
    let query = Query(FetchRequest(rows.entity, where: rows.deletion), .keys, in: schema)
    let statement = try connection.plainStatement(query.shape.sql(in: schema))
    defer { query.parameters.unbind(from: statement.handle) }
    try query.parameters.bind(to: statement.handle)
    return try delete(
      try statement.ids(in: schema.table(of: rows.entity), store: 0), on: connection)
  }

  @discardableResult
  package func delete(_ ids: [ManagedObjectID], on connection: some PlainConnection) throws -> Int {
    let closure = try DeletionClosure(ids, in: schema.model, namesOwners: true) {
      try related(to: $0, by: $1, on: connection)
    }
    var count = 0
    for (relationship, owners) in closure.owners {
      count += try deleteRows(of: relationship, ownedBy: owners, on: connection)
    }
    let gone = closure.ids.byEntity
    // In reverse order, because rows that a rule deletes refer to earlier rows.
    for (entity, ids) in gone.reversed() {
      count += try deleteRows(ids, of: entity, on: connection)
    }
    for (entity, ids) in gone { try unrelate(ids, of: entity, on: connection) }
    return count
  }

  // MARK: - Writing

  /// - Returns: the number of deleted rows, without pairs.
  private func deleteRows(
    _ ids: [ManagedObjectID], of entity: Int, on connection: some PlainConnection
  ) throws -> Int {
    let table = schema.tables[entity]
    let count = try run(on: connection, with: ids) {
      "DELETE FROM \(table.quotedName) WHERE Z_PK IN (\($0))"
    }
    for pairs in schema.toMany[entity].compactMap(\.pairs) {
      for column in pairs.keyColumns {
        _ = try run(on: connection, with: ids) {
          "DELETE FROM \(pairs.table) WHERE \(column) IN (\($0))"
        }
      }
    }
    return count
  }

  /// - Returns: the number of deleted rows.
  private func deleteRows(
    of relationship: ResolvedRelationship, ownedBy owners: [ManagedObjectID],
    on connection: some PlainConnection
  ) throws -> Int {
    guard case .toOne(let column)? = relationship.inverse else { return 0 }
    let table = schema.tables[relationship.destination]
    return try run(on: connection, with: owners) {
      "DELETE FROM \(table.quotedName) WHERE \(table.quotedColumn(column)) IN (\($0))"
    }
  }

  private func unrelate(
    _ ids: [ManagedObjectID], of entity: Int, on connection: some PlainConnection
  ) throws {
    for relationship in schema.model.resolved[entity].relationships
    where relationship.description.deleteRule == .nullify {
      guard case .toOne(let column)? = relationship.inverse else { continue }
      let holders = schema.tables[relationship.destination]
      let reference = ReferencingColumn(table: holders, layout: holders.layouts[column])
      _ = try run(on: connection, with: ids, reference.clearing)
    }
  }

  /// - Returns: the number of changed rows.
  private func run(
    on connection: some PlainConnection, with ids: [ManagedObjectID], _ sql: (String) -> String
  ) throws -> Int {
    var count = 0
    for keys in ids.map(\.primaryKey).boundLists {
      let statement = try connection.plainStatement(sql(placeholders(keys.count)))
      try Parameters(keys).bind(to: statement.handle)
      try statement.run()
      count += Int(sqlite3_changes(sqlite3_db_handle(statement.handle)))
    }
    return count
  }

  // MARK: - Reading

  private func related(
    to ids: [ManagedObjectID], by relationship: ResolvedRelationship,
    on connection: some PlainConnection
  ) throws -> [ManagedObjectID] {
    guard let entity = ids.first.map({ Int($0.entityIndex) }) else { return [] }
    return try ids.map(\.primaryKey).boundLists.flatMap { keys in
      let sql = related(by: relationship, of: entity, count: keys.count)
      let statement = try connection.plainStatement(sql)
      try Parameters(keys).bind(to: statement.handle)
      return try statement.ids(in: schema.tables[relationship.destination], store: 0)
    }
  }

  private func related(
    by relationship: ResolvedRelationship, of entity: Int, count: Int
  ) -> String {
    switch relationship.end {
    case .toMany(let index): return schema.toMany[entity][index].relatedToEach(of: count)
    case .toOne(let column):
      let (table, target) = (schema.tables[entity], schema.tables[relationship.destination])
      return "SELECT Z_PK, Z_ENT FROM \(target.quotedName) WHERE Z_PK IN"
        + " (SELECT \(table.quotedColumn(column)) FROM \(table.quotedName)"
        + " WHERE Z_PK IN (\(placeholders(count)))) ORDER BY Z_PK"
    }
  }
}

// GRDB must run each write of its connections itself, or its observations would miss it.
// `Connection` steps statements by their C handles.

/// Callers bind parameters by the handle.
package protocol PlainStatement {
  var handle: OpaquePointer { get }
  func run() throws
  /// The statement returns keys and the numbers of entities.
  func ids(in table: EntityTable, store: Int32) throws -> [ManagedObjectID]
}

package protocol PlainConnection {
  /// The statement is reset, and its parameters are null.
  func plainStatement(_ sql: String) throws -> any PlainStatement
}

extension Connection: PlainConnection {
  package func plainStatement(_ sql: String) throws -> any PlainStatement {
    try statement(.sql(sql))
  }
}

extension PreparedStatement: PlainStatement {
  package func run() throws { try execute() }
}

extension Database: PlainConnection {
  package func plainStatement(_ sql: String) throws -> any PlainStatement {
    let statement = try cachedStatement(sql: sql)
    // Callers bind the arguments by the handle, which GRDB does not see.
    statement.setUncheckedArguments([])
    return statement
  }
}

extension Statement: PlainStatement {
  package var handle: OpaquePointer { sqliteStatement }

  package func run() throws { try execute() }

  package func ids(in table: EntityTable, store: Int32) throws -> [ManagedObjectID] {
    try Row.fetchAll(self).map { row in
      let number: Int32 = row[1]
      return ManagedObjectID(store: store, entityIndex: number - 1, primaryKey: row[0])
    }
  }
}
