import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

// Updates and deletes first select their rows, so that clearing references to deleted rows cannot
// change the selection:
//
//   INSERT INTO temp.Z_BATCH SELECT Z_PK, Z_ENT FROM … WHERE …       any fetch
//   UPDATE … SET … WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)

struct BatchTransaction {
  let connection: Connection
  let request: BatchRequest
  let history: HistoryWriter?

  private var schema: Schema { connection.schema }
  var table: EntityTable { schema.table(of: request.entity) }

  /// - Throws: `SaveError.constraint`, `StoreError.notUnique` or `.notANumber`, after a rollback.
  func execute() throws -> (BatchResult, historyNumber: Int64?) {
    if case .insert = request.operation {
    } else {
      try run("CREATE TEMP TABLE IF NOT EXISTS Z_BATCH (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
    }
    let (changes, number) = try connection.transaction {
      let changes = try write()
      Activity.charge(.rowWritten, changes.count)
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
    case .insert(let rows, let given): return try insert(rows, given: given)
    case .update(let fetch, let values):
      try select(fetch)
      let mask = AttributeMask(values.map { AttributeMask(index: $0.column) })
      let changes = try BatchChanges(updated: selectedRows(), columns: mask)
      try update(values, mask)
      return changes
    case .delete(let fetch):
      try select(fetch)
      return try deleteSelected()
    case .deleteObjects(let ids):
      try select(ids)
      return try deleteSelected()
    }
  }

  private func update(_ values: [(column: Int, value: Value)], _ mask: AttributeMask) throws {
    let statement = try connection.statement(.sql(table.batchUpdate(of: mask)))
    var parameter: CInt = 1
    for (column, value) in values {
      try table.bindColumn(value, of: column, to: statement, at: &parameter)
    }
    do {
      try statement.executeCounted()
    } catch let error as DatabaseError where error.isUniqueness {
      throw notUnique(values, error)
    }
  }

  /// The violated constraint may be a subentity's.
  private func notUnique(
    _ values: [(column: Int, value: Value)], _ error: DatabaseError
  ) -> StoreError {
    let tables = table.kinds.map { schema.tables[$0 - 1] }
    let violated = tables.first { $0.constraint(violatedIn: error) != nil } ?? table
    let columns = violated.constraint(violatedIn: error)?.columns ?? []
    return .notUnique(
      entity: violated.entity.name,
      values: columns.map { column in
        let value = values.first { $0.column == column }?.value
        return violated.entity.columns[column].name + (value.map { " = \($0)" } ?? "")
      })
  }

  private func deleteSelected() throws -> BatchChanges {
    let root = table.rootIndex
    var changes = try BatchChanges(deleted: selectedRows())
    for reference in schema.references(to: root) {
      let clearing =
        reference.clearing(naming: "SELECT Z_PK FROM temp.Z_BATCH") + " RETURNING Z_PK, Z_ENT"
      changes.unlinked += try rows(of: clearing, in: reference.table).map { id in
        (id, reference.mask(in: schema.tables[Int(id.entityIndex)]))
      }
    }
    for pairs in schema.pairTables {
      for deletion in pairs.deletions(root: root, in: schema.model) { try run(deletion) }
    }
    try run("DELETE FROM \(table.quotedName) WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)")
    return changes
  }

  // MARK: - Selection

  private func select(_ fetch: ObjectGraph.FetchRequest) throws {
    try run("DELETE FROM temp.Z_BATCH")
    let query = Query(fetch.limited(toStore: connection.storeNumber), .keys, in: schema)
    let sql = "INSERT INTO temp.Z_BATCH " + query.shape.sql(in: schema)
    try connection.withStatement(.sql(sql), query.parameters) { try $0.executeCounted() }
  }

  private func select(_ ids: [ManagedObjectID]) throws {
    try run("DELETE FROM temp.Z_BATCH")
    let condition = table.familyCondition.map { " AND \($0)" } ?? ""
    let statement = try connection.statement(
      .sql(
        "INSERT OR IGNORE INTO temp.Z_BATCH SELECT Z_PK, Z_ENT FROM \(table.quotedName)"
          + " WHERE Z_PK = ?" + condition))
    for id in ids where id.isOf(store: connection.storeNumber) && !id.isTemporary {
      sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
      try statement.executeCounted()
    }
  }

  private func selectedRows() throws -> [ManagedObjectID] {
    try rows(of: "SELECT Z_PK, Z_ENT FROM temp.Z_BATCH", in: schema.tables[table.rootIndex])
  }

  private func rows(of sql: String, in table: EntityTable) throws -> [ManagedObjectID] {
    Activity.count(.statements)
    return try connection.statement(.sql(sql)).ids(in: table, store: connection.storeNumber)
  }

  private func run(_ sql: String) throws { try connection.statement(.sql(sql)).executeCounted() }
}

struct BatchChanges {
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  /// The changed columns of `updated`.
  var columns: AttributeMask = []
  var deleted: [ManagedObjectID] = []
  /// Rows that referred to a deleted row, and the columns that became null.
  var unlinked: [(id: ManagedObjectID, columns: AttributeMask)] = []

  var count: Int { inserted.count + updated.count + deleted.count }

  /// By key.
  var sorted: [ManagedObjectID] {
    (inserted + updated + deleted).sorted { $0.primaryKey < $1.primaryKey }
  }
}

extension BatchTransaction {
  /// - Parameter given: the columns that an existing row takes from the new one.
  func insert(_ rows: [ContiguousArray<Value>], given: AttributeMask) throws -> BatchChanges {
    guard !rows.isEmpty else { return BatchChanges() }
    let first = try connection.reserveKeys(rows.count, root: table.rootIndex)
    let sql = table.batchInsertion(request.uniquenessRule, given: given)
    let statement = try connection.statement(.sql(sql))
    var changes = BatchChanges(columns: given)
    var updated: Set<ManagedObjectID> = []
    for (offset, row) in rows.enumerated() {
      let id = id(first + Int64(offset))
      guard let written = try insert(row, id, by: statement) else { continue }
      if written == id {
        changes.inserted.append(id)
      } else if written.primaryKey < first, updated.insert(written).inserted {
        // A row with a later key is one that this request has inserted.
        changes.updated.append(written)
      }
    }
    return changes
  }

  /// Returns the row with the values; nil if the new row was ignored.
  private func insert(
    _ row: ContiguousArray<Value>, _ id: ManagedObjectID, by statement: PreparedStatement
  ) throws -> ManagedObjectID? {
    sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
    try table.bindRow(row, to: statement, from: 2)
    Activity.count(.statements)
    do {
      guard request.uniquenessRule != .fail else {
        try statement.execute()
        return id
      }
      return try statement.number().map { self.id(try checkedKey($0, in: table.name)) }
    } catch let error as DatabaseError where error.isUniqueness {
      throw SaveError.constraint(try connection.constraintConflicts(of: row, id))
    }
  }

  private func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(store: connection.storeNumber, entityIndex: Int32(table.index), primaryKey: key)
  }
}

extension EntityTable {
  /// Parameters: as `insertion`. Unless the rule is to fail, it returns the key and version of the
  /// written row, if any.
  func batchInsertion(_ rule: BatchRequest.UniquenessRule, given: AttributeMask) -> String {
    switch rule {
    case .fail: insertion
    case .skip: insertion + " ON CONFLICT DO NOTHING RETURNING Z_PK, Z_OPT"
    case .update:
      insertion + constraints.map { takeover($0, given) }.joined()
        + " RETURNING Z_PK, Z_OPT"
    }
  }

  /// Updates rows of the same entity only, because another entity has other columns.
  private func takeover(_ constraint: Constraint, _ given: AttributeMask) -> String {
    let target = constraint.columns.map(quotedColumn).joined(separator: ", ")
    let assignments = ["Z_OPT = Z_OPT + 1"] + columns(given).map { "\($0) = excluded.\($0)" }
    return " ON CONFLICT (\(target))" + (constraint.condition.map { " WHERE \($0)" } ?? "")
      + " DO UPDATE SET \(assignments.joined(separator: ", ")) WHERE Z_ENT = excluded.Z_ENT"
  }

  /// Parameters: the values in order.
  func batchUpdate(of mask: AttributeMask) -> String {
    raisingVersion(columns(mask).map { "\($0) = ?" })
      + " WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)"
  }
}
