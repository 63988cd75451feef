import GRDBSQLite
import ObjectGraph
import Queues

// The pairs of many-to-many relationships. They have no versions of their own: the rows at both ends
// are updated with them, and conflict there.

extension SaveTransaction {
  /// - Parameter request: with permanent IDs.
  func writePairs(_ request: SaveRequest) throws {
    for delete in request.deletes { try removePairs(of: delete.id) }
    for link in request.unlinked { try write(link, by: .unlink(link.place)) }
    for link in request.linked { try write(link, by: .link(link.place)) }
  }

  /// A row that is gone is related to nothing.
  private func removePairs(of id: ManagedObjectID) throws {
    let storages = schema.toMany[Int(id.entityIndex)]
    for index in storages.indices where storages[index].pairs != nil {
      let place = RelationshipPlace(entity: Int(id.entityIndex), index: index)
      let statement = try connection.statement(.clearPairs(place))
      sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
      Activity.count(.statements)
      try statement.execute()
    }
  }

  private func write(_ link: SaveRequest.Link, by key: Connection.StatementKey) throws {
    let statement = try connection.statement(key)
    sqlite3_bind_int64(statement.handle, 1, link.source.primaryKey)
    sqlite3_bind_int64(statement.handle, 2, link.destination.primaryKey)
    Activity.count(.statements)
    try statement.execute()
  }
}

/// A to-many relationship of an entity, by their places.
struct RelationshipPlace: Hashable {
  let entity: Int
  let index: Int
}

extension SaveRequest.Link {
  fileprivate var place: RelationshipPlace {
    RelationshipPlace(entity: Int(source.entityIndex), index: relationship)
  }
}
