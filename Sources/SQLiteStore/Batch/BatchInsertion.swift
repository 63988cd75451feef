import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

/// Inserts rows of one entity by repeating one statement.
struct BatchInsertion {
  let connection: Connection
  let schema: Schema
  let storeNumber: Int32
  let request: BatchRequest

  /// - Parameter given: the columns that an existing row takes from the new one.
  func insert(
    _ rows: [ContiguousArray<Value>], given: AttributeMask
  ) throws -> BatchChanges {
    guard !rows.isEmpty else { return BatchChanges() }
    let table = schema.table(of: request.entity)
    let keys = KeyReservation(connection: connection, schema: schema, storeNumber: storeNumber)
    let first = try keys.firstKey(of: rows.count, root: table.rootNumber - 1)
    let sql = table.batchInsertion(request.uniquenessRule, given: given)
    let statement = try connection.statement(.sql(sql))
    var changes = BatchChanges(columns: given)
    for (offset, row) in rows.enumerated() {
      let id = ManagedObjectID(
        store: storeNumber, entityIndex: Int32(table.number - 1),
        primaryKey: first + Int64(offset))
      switch try insert(row, id, by: statement, table) {
      case id: changes.inserted.append(id)
      case let other?: changes.updated.append(other)
      case nil: break
      }
    }
    return changes
  }

  /// - Returns: the row that has the values now; nil if the new row was ignored.
  private func insert(
    _ row: ContiguousArray<Value>, _ id: ManagedObjectID, by statement: PreparedStatement,
    _ table: EntityTable
  ) throws -> ManagedObjectID? {
    sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
    var parameter: CInt = 2
    for index in row.indices {
      try bindColumn(row[index], of: index, table, to: statement, at: &parameter)
    }
    Activity.count(.statements)
    do {
      guard request.uniquenessRule != .fail else {
        try statement.execute()
        return id
      }
      return try statement.number().map { key in
        ManagedObjectID(store: storeNumber, entityIndex: id.entityIndex, primaryKey: key)
      }
    } catch let error as DatabaseError where error.isUniqueness {
      let lookup = ConstraintLookup(
        connection: connection, schema: schema, storeNumber: storeNumber)
      throw SaveError.constraint(try lookup.conflicts(of: row, id))
    }
  }
}

extension EntityTable {
  /// Parameters: as `insertion`. Unless the rule is to fail, it returns the key and version of the
  /// row that was written, if any.
  func batchInsertion(
    _ rule: BatchRequest.UniquenessRule, given: AttributeMask
  ) -> String {
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
    let assignments =
      ["Z_OPT = Z_OPT + 1"] + columns(given).map { "\($0) = excluded.\($0)" }
    return " ON CONFLICT (\(target))" + (constraint.condition.map { " WHERE \($0)" } ?? "")
      + " DO UPDATE SET \(assignments.joined(separator: ", ")) WHERE Z_ENT = excluded.Z_ENT"
  }

  /// Parameters: the values in order.
  func batchUpdate(of mask: AttributeMask) -> String {
    let assignments = ["Z_OPT = Z_OPT + 1"] + columns(mask).map { "\($0) = ?" }
    return "UPDATE \(quotedName) SET \(assignments.joined(separator: ", "))"
      + " WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)"
  }
}
