import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

// Updates and deletes first note which rows they are about:
//
//   INSERT INTO temp.Z_BATCH SELECT Z_PK, Z_ENT FROM … WHERE …       any fetch
//   UPDATE … SET … WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)
//
// so that clearing what names the deleted rows cannot change which they are, and the result's IDs
// cost a read of the notes.

/// The SQL of one batch request, in one transaction.
struct BatchTransaction {
  let connection: Connection
  let schema: Schema
  let storeNumber: Int32
  let request: BatchRequest
  let history: HistoryWriter?

  private var table: EntityTable { schema.table(of: request.entity) }

  /// - Throws: `SaveError.constraint`, `StoreError.notUnique` or `.notANumber`, with nothing written.
  ///
  /// - Returns: the result, and the transaction's number in the history if that is kept.
  func execute() throws -> (BatchResult, historyNumber: Int64?) {
    if case .insert = request.operation {
    } else {
      try run("CREATE TEMP TABLE IF NOT EXISTS Z_BATCH (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
    }
    let (changes, number) = try connection.transaction {
      let changes = try write()
      let number = try history?.record(
        author: request.author, contextName: request.contextName, changes.all)
      return (changes, number)
    }
    Activity.count(.commits)
    Activity.count(.rowsWritten, changes.count)
    let ids = request.returnsObjectIDs ? changes.sorted : nil
    return (BatchResult(count: changes.count, objectIDs: ids), number)
  }

  private func write() throws -> BatchChanges {
    switch request.operation {
    case .insert(let rows, let given):
      let insertion = BatchInsertion(
        connection: connection, schema: schema, storeNumber: storeNumber, request: request)
      return try insertion.insert(rows, given: given)
    case .update(let fetch, let values):
      try note(fetch)
      let mask = AttributeMask(values.map { AttributeMask(index: $0.column) })
      let changes = try BatchChanges(updated: notedRows(), columns: mask)
      try update(values, mask)
      return changes
    case .delete(let fetch):
      try note(fetch)
      return try deleteNoted()
    case .deleteObjects(let ids):
      try note(ids)
      return try deleteNoted()
    }
  }

  private func update(
    _ values: [(column: Int, value: Value)], _ mask: AttributeMask
  ) throws {
    let statement = try connection.statement(.sql(table.batchUpdate(of: mask)))
    var parameter: CInt = 1
    for (column, value) in values {
      try bindColumn(value, of: column, table, to: statement, at: &parameter)
    }
    Activity.count(.statements)
    do {
      try statement.execute()
    } catch let error as DatabaseError where error.isUniqueness {
      throw StoreError.notUnique(entity: request.entity.name, reason: error.message ?? "")
    }
  }

  /// What names the rows is cleared, then they go.
  private func deleteNoted() throws -> BatchChanges {
    let root = table.rootNumber - 1
    var changes = try BatchChanges(deleted: notedRows())
    for reference in schema.references(to: root) {
      let clearing =
        reference.clearing(naming: "SELECT Z_PK FROM temp.Z_BATCH") + " RETURNING Z_PK, Z_ENT"
      changes.unrelated += try rows(of: clearing).map { id in
        (id, reference.mask(in: schema.tables[Int(id.entityIndex)]))
      }
    }
    for pairs in schema.pairTables {
      for deletion in pairs.deletions(root: root, in: schema.model) { try run(deletion) }
    }
    try run("DELETE FROM \(table.quotedName) WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)")
    return changes
  }

  // MARK: - Which rows

  private func note(_ fetch: ObjectGraph.FetchRequest) throws {
    try run("DELETE FROM temp.Z_BATCH")
    let query = Query(keys: fetch, in: schema)
    let sql = "INSERT INTO temp.Z_BATCH " + query.shape.sql(in: schema)
    let statement = try connection.statement(.sql(sql))
    defer { query.unbind(from: statement.handle) }
    query.bind(to: statement.handle)
    Activity.count(.statements)
    try statement.execute()
  }

  private func note(_ ids: [ManagedObjectID]) throws {
    try run("DELETE FROM temp.Z_BATCH")
    let condition = table.familyCondition.map { " AND \($0)" } ?? ""
    let statement = try connection.statement(
      .sql(
        "INSERT OR IGNORE INTO temp.Z_BATCH SELECT Z_PK, Z_ENT FROM \(table.quotedName)"
          + " WHERE Z_PK = ?" + condition))
    for id in ids {
      sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
      Activity.count(.statements)
      try statement.execute()
    }
  }

  private func notedRows() throws -> [ManagedObjectID] {
    try rows(of: "SELECT Z_PK, Z_ENT FROM temp.Z_BATCH")
  }

  /// Runs a statement that returns keys and numbers of entities.
  private func rows(of sql: String) throws -> [ManagedObjectID] {
    let statement = try connection.statement(.sql(sql))
    defer { statement.reset() }
    Activity.count(.statements)
    var ids: [ManagedObjectID] = []
    while try statement.step() { ids.append(statement.id(store: storeNumber)) }
    return ids
  }

  private func run(_ sql: String) throws {
    let statement = try connection.statement(.sql(sql))
    Activity.count(.statements)
    try statement.execute()
  }
}

/// What a batch request did to which rows.
struct BatchChanges {
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  /// Of the updated rows.
  var columns: AttributeMask = []
  var deleted: [ManagedObjectID] = []
  /// Rows that named a deleted one, and in which columns.
  var unrelated: [(id: ManagedObjectID, columns: AttributeMask)] = []

  var count: Int { inserted.count + updated.count + deleted.count }

  /// What was asked for, by key.
  var sorted: [ManagedObjectID] {
    (inserted + updated + deleted).sorted { $0.primaryKey < $1.primaryKey }
  }
}
