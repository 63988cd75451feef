import GRDBSQLite
import ObjectGraph
import Queues

// Both rows of a one-to-one relationship have a key. A refresh may discard one side of an unsaved
// relation. A save then writes the other side only:
//
//   ada.badge ─▶ badge ◀─▶ eve      the rules of a deleted badge find eve, and not ada

extension SaveTransaction {
  /// Sets one-to-one keys to null that lead to deleted rows and that no delete rule found.
  func clearKeys(
    toDeleted deletes: [SaveRequest.Delete]
  ) throws -> [(id: ManagedObjectID, columns: AttributeMask)] {
    let schema = connection.schema
    guard schema.partnerKeys.contains(where: { !$0.isEmpty }) else { return [] }
    return try deletes.flatMap { delete in
      let entity = Int(delete.id.entityIndex)
      return try schema.partnerKeys[entity].enumerated().flatMap { index, column in
        let statement = try connection.statement(.partnerClearing(entity, column: index))
        sqlite3_bind_int64(statement.handle, 1, delete.id.primaryKey)
        Activity.count(.statements)
        let root = schema.tables[column.table.rootIndex]
        return try statement.ids(in: root, store: connection.storeNumber).map {
          (id: $0, columns: column.mask(in: schema.tables[Int($0.entityIndex)]))
        }
      }
    }
  }
}
