import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

extension BatchTransaction {
  /// - Parameter given: the columns that an existing row takes from the new one.
  func insert(
    _ rows: [ContiguousArray<Value>], given: AttributeMask
  ) throws -> BatchChanges {
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
    ManagedObjectID(
      store: connection.storeNumber, entityIndex: Int32(table.index), primaryKey: key)
  }
}

extension EntityTable {
  /// Parameters: as `insertion`. Unless the rule is to fail, it returns the key and version of the
  /// written row, if any.
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
    raisingVersion(columns(mask).map { "\($0) = ?" })
      + " WHERE Z_PK IN (SELECT Z_PK FROM temp.Z_BATCH)"
  }
}
