import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

// Two rows of one save may exchange unique values. SQLite checks each statement by itself, so rows
// that violate a constraint are postponed:
//
//   1  inserts, updates, deletes   two rows exchange their names: both are postponed
//   2  clear                       the unique values of the postponed updates become null
//   3  retry                       a row that fails now wants values that another row keeps

extension DatabaseError {
  var isUniqueness: Bool { extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE }
  var isPrimaryKey: Bool { extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY }
}

extension SaveTransaction {
  /// - Parameters:
  ///   - request: with permanent IDs.
  ///   - original: with the caller's IDs.
  /// - Throws: `SaveError.constraint` with all objects whose values another row has.
  mutating func writePostponed(
    _ request: SaveRequest, _ ids: [ManagedObjectID], original: SaveRequest
  ) throws {
    for case .update(let index) in postponed { try clearUniqueValues(of: request.updates[index]) }
    let names = Dictionary(uniqueKeysWithValues: zip(ids, original.inserts.map(\.id)))
    var conflicts: [ConstraintConflict] = []
    for item in postponed {
      let (id, values) = item.row(of: request, ids)
      do {
        try write(item, request, ids)
      } catch let error as DatabaseError where error.isUniqueness {
        conflicts += try connection.constraintConflicts(of: values, id).map { $0.named(names) }
      }
    }
    guard conflicts.isEmpty else { throw SaveError.constraint(conflicts) }
  }

  private mutating func write(
    _ item: Postponed, _ request: SaveRequest, _ ids: [ManagedObjectID]
  ) throws {
    switch item {
    case .insert(let index):
      let statement = try connection.statement(.insertion(Int(ids[index].entityIndex)))
      try insert(request.inserts[index].values, ids[index], by: statement)
    case .update(let index):
      let update = request.updates[index]
      let statement = try connection.statement(.update(Int(update.id.entityIndex), update.changed))
      try self.update(update, by: statement)
    }
  }

  private func clearUniqueValues(of update: SaveRequest.Update) throws {
    let table = connection.schema.tables[Int(update.id.entityIndex)]
    let columns = table.constraints.flatMap(\.columns)
    let mask = AttributeMask(columns.map { AttributeMask(index: $0) }).intersection(update.changed)
    let statement = try connection.statement(.sql(table.clearing(mask)))
    sqlite3_bind_int64(statement.handle, 1, update.id.primaryKey)
    try statement.executeCounted()
  }
}

extension SaveTransaction.Postponed {
  fileprivate func row(
    of request: SaveRequest, _ ids: [ManagedObjectID]
  ) -> (ManagedObjectID, ContiguousArray<Value>) {
    switch self {
    case .insert(let index): (ids[index], request.inserts[index].values)
    case .update(let index): (request.updates[index].id, request.updates[index].values)
    }
  }
}

extension ConstraintConflict {
  fileprivate func named(_ names: [ManagedObjectID: ManagedObjectID]) -> ConstraintConflict {
    ConstraintConflict(
      entity: entity, constraint: constraint, values: values,
      objectID: names[objectID] ?? objectID, rowID: names[rowID] ?? rowID)
  }
}

extension EntityTable {
  func names(of constraint: Constraint) -> [String] {
    constraint.columns.map { entity.columns[$0].name }
  }

  /// The constraint that SQLite says was violated, as in `UNIQUE constraint failed: ZCITY.ZNAME`.
  func constraint(violatedIn error: DatabaseError) -> Constraint? {
    constraints.first { constraint in
      let columns = constraint.columns.map { "\(name).\(layouts[$0].name)" }
      return error.message?.hasSuffix(": " + columns.joined(separator: ", ")) == true
    }
  }
}

extension Connection {
  func constraintConflicts(
    of values: ContiguousArray<Value>, _ id: ManagedObjectID
  ) throws -> [ConstraintConflict] {
    let table = schema.tables[Int(id.entityIndex)]
    return try table.constraints.enumerated().compactMap { number, constraint in
      let wanted = constraint.columns.map { values[$0] }
      guard !wanted.contains(where: \.isNull) else { return nil }
      var parameters = Parameters()
      for value in wanted + [.int64(id.primaryKey)] { parameters.append(value) }
      Activity.count(.statements)
      let key = StatementKey.holder(table.index, constraint: number)
      return try withStatement(key, parameters) { holder in
        guard try holder.step() else { return nil }
        return ConstraintConflict(
          entity: table.entity.name, constraint: table.names(of: constraint), values: wanted,
          objectID: id, rowID: try holder.id(in: schema.tables[table.rootIndex], store: storeNumber)
        )
      }
    }
  }
}
