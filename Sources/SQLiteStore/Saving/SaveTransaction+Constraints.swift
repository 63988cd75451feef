import GRDB
import GRDBSQLite
import ObjectGraph
import Queues

// A row may take values that another row of the same save gives up, or two may exchange theirs.
// SQLite checks each statement by itself, so rows that a constraint stops are put aside:
//
//   inserts, updates, deletes      two rows that exchange their names: both are stopped
//   free                           the values of the stopped updates that constraints are about
//   again                          what is stopped now wants values that another row keeps

extension DatabaseError {
  var isUniqueness: Bool { extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE }
}

extension SaveTransaction {
  /// Writes what was put aside.
  ///
  /// - Parameters:
  ///   - request: with permanent IDs.
  ///   - original: with those that the caller knows the objects by.
  /// - Throws: `SaveError.constraint` with every object whose values another row has.
  mutating func writePostponed(
    _ request: SaveRequest, _ ids: [ManagedObjectID], original: SaveRequest
  ) throws {
    for case .update(let index) in postponed { try free(request.updates[index]) }
    let names = Dictionary(uniqueKeysWithValues: zip(ids, original.inserts.map(\.id)))
    let lookup = ConstraintLookup(
      connection: connection, schema: schema, storeNumber: storeNumber)
    var conflicts: [ConstraintConflict] = []
    for item in postponed {
      let (id, values) = item.row(of: request, ids)
      do {
        try write(item, request, ids)
      } catch let error as DatabaseError where error.isUniqueness {
        conflicts += try lookup.conflicts(of: values, id).map { $0.named(names) }
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
      let statement = try connection.statement(
        .update(Int(update.id.entityIndex), update.changed))
      try self.update(update, by: statement)
    }
  }

  /// Lets go of the unique values that the row is to change.
  private func free(_ update: SaveRequest.Update) throws {
    let entity = Int(update.id.entityIndex)
    let columns = schema.tables[entity].constraints.flatMap(\.columns)
    let mask = AttributeMask(columns.map { AttributeMask(index: $0) }).intersection(update.changed)
    let statement = try connection.statement(.clearing(entity, mask))
    sqlite3_bind_int64(statement.handle, 1, update.id.primaryKey)
    Activity.count(.statements)
    try statement.execute()
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
      constraint: constraint, objectID: names[objectID] ?? objectID,
      rowID: names[rowID] ?? rowID)
  }
}

/// Finds out who has the values that a row wants.
struct ConstraintLookup {
  let connection: Connection
  let schema: Schema
  let storeNumber: Int32

  func conflicts(
    of values: ContiguousArray<Value>, _ id: ManagedObjectID
  ) throws -> [ConstraintConflict] {
    let entity = Int(id.entityIndex)
    let table = schema.tables[entity]
    return try table.constraints.enumerated().compactMap { place, constraint in
      let wanted = constraint.columns.map { values[$0] }
      guard !wanted.contains(where: \.isNull) else { return nil }
      let lookup = try connection.statement(.holder(entity, constraint: place))
      defer { lookup.reset() }
      for (index, value) in wanted.enumerated() {
        bind(value, to: lookup.handle, at: CInt(index + 1))
      }
      sqlite3_bind_int64(lookup.handle, CInt(wanted.count + 1), id.primaryKey)
      Activity.count(.statements)
      guard try lookup.step() else { return nil }
      return ConstraintConflict(
        constraint: constraint.columns.map { table.entity.columns[$0].name }, objectID: id,
        rowID: lookup.id(store: storeNumber))
    }
  }
}
