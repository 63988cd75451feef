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
    var conflicts: [ConstraintConflict] = []
    for item in postponed {
      let (id, values) = item.row(of: request, ids)
      do {
        try write(item, request, ids)
      } catch let error as DatabaseError where error.isUniqueness {
        conflicts += try holders(of: values, besides: id, names: names)
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

  /// Who has the values that the row wants.
  private func holders(
    of values: ContiguousArray<Value>, besides id: ManagedObjectID,
    names: [ManagedObjectID: ManagedObjectID]
  ) throws -> [ConstraintConflict] {
    let entity = Int(id.entityIndex)
    let table = schema.tables[entity]
    var conflicts: [ConstraintConflict] = []
    for (place, constraint) in table.constraints.enumerated() {
      let wanted = constraint.columns.map { values[$0] }
      guard !wanted.contains(where: \.isNull) else { continue }
      let lookup = try connection.statement(.holder(entity, constraint: place))
      for (index, value) in wanted.enumerated() {
        bind(value, to: lookup.handle, at: CInt(index + 1))
      }
      sqlite3_bind_int64(lookup.handle, CInt(wanted.count + 1), id.primaryKey)
      defer { lookup.reset() }
      Activity.count(.statements)
      guard try lookup.step() else { continue }
      let holder = ManagedObjectID(
        store: storeNumber, entityIndex: Int32(sqlite3_column_int64(lookup.handle, 1) - 1),
        primaryKey: sqlite3_column_int64(lookup.handle, 0))
      conflicts.append(
        ConstraintConflict(
          constraint: constraint.columns.map { table.entity.columns[$0].name },
          objectID: names[id] ?? id, rowID: names[holder] ?? holder))
    }
    return conflicts
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
