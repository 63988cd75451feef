import GRDBSQLite
import ObjectGraph
import Queues

// Pairs have no versions. A save also updates the rows at both ends, where conflicts appear.

extension SaveTransaction {
  /// - Parameter request: with permanent IDs.
  func writePairs(_ request: SaveRequest) throws {
    for delete in request.deletes { try removePairs(of: delete.id) }
    for link in request.unlinked { try write(link, by: .unlink(link.toManyIndex)) }
    for link in request.linked { try write(link, by: .link(link.toManyIndex)) }
  }

  private func removePairs(of id: ManagedObjectID) throws {
    let entity = Int(id.entityIndex)
    let storages = connection.schema.toMany[entity]
    for index in storages.indices where storages[index].pairs != nil {
      let toMany = ToManyIndex(entity: entity, index: index)
      let statement = try connection.statement(.clearPairs(toMany))
      sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
      try statement.executeCounted()
    }
  }

  private func write(_ link: SaveRequest.Link, by key: Connection.StatementKey) throws {
    let statement = try connection.statement(key)
    sqlite3_bind_int64(statement.handle, 1, link.source.primaryKey)
    sqlite3_bind_int64(statement.handle, 2, link.destination.primaryKey)
    try statement.executeCounted()
  }
}

extension SaveRequest.Link {
  fileprivate var toManyIndex: ToManyIndex {
    ToManyIndex(entity: Int(source.entityIndex), index: relationship)
  }
}

// Each row of a one-to-one relationship holds the other's key. A refresh may discard one side of an
// unsaved relation. A save then writes the other side only:
//
//   ada.badge ─▶ badge ◀─▶ eve      the rules of a deleted badge find eve, and not ada

extension SaveTransaction {
  /// Sets those one-to-one keys to null that lead to deleted rows and that no delete rule cleared.
  func clearKeys(toDeleted deletes: [SaveRequest.Delete]) throws -> [ClearedRow] {
    let keys = connection.schema.partnerKeys
    guard keys.contains(where: { !$0.isEmpty }) else { return [] }
    return try deletes.flatMap { delete in
      try keys[Int(delete.id.entityIndex)].indices.flatMap { try clearKey($0, to: delete.id) }
    }
  }

  /// - Parameter index: of the column in the entity's partner keys.
  private func clearKey(_ index: Int, to id: ManagedObjectID) throws -> [ClearedRow] {
    let (schema, entity) = (connection.schema, Int(id.entityIndex))
    let column = schema.partnerKeys[entity][index]
    let root = schema.tables[column.table.rootIndex]
    let statement = try connection.statement(.partnerClearing(entity, column: index))
    sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
    Activity.count(.statements)
    defer { statement.reset() }
    var rows: [ClearedRow] = []
    while try statement.step() {
      let id = try statement.id(in: root, store: connection.storeNumber)
      rows.append(
        ClearedRow(id: id, columns: column.mask(in: schema.tables[Int(id.entityIndex)])))
    }
    return rows
  }
}
