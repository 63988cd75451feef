import GRDBSQLite
import ObjectGraph

// Pairs have no versions: the rows at both ends are updated too, and conflicts appear there.

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
