import GRDBSQLite
public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    guard let first = ids.first else { return [:] }
    let storage = schema.toMany[Int(first.entityIndex)][relationship]
    let owners = Dictionary(ids.map { ($0.primaryKey, $0) }) { first, _ in first }
    var members: [ManagedObjectID: [ManagedObjectID]] = [:]
    try exclusively {
      try pool.read { connection in
        var keys = Array(owners.keys.sorted())[...]
        while !keys.isEmpty {
          let chunk = Array(keys.prefix(PredicateSQL.longestBoundList))
          keys = keys.dropFirst(chunk.count)
          for (owner, member) in try pairs(of: chunk, in: storage, by: connection) {
            if let owner = owners[owner] { members[owner, default: []].append(member) }
          }
        }
      }
    }
    return members
  }

  private func pairs(
    of keys: [Int64], in storage: ToManyStorage, by connection: Connection
  ) throws -> [(Int64, ManagedObjectID)] {
    let count = paddedCount(keys.count)
    let statement = try connection.statement(.sql(storage.relatedToEach(of: count)))
    defer { statement.reset() }
    for index in 0..<count {
      let key = keys[min(index, keys.count - 1)]
      sqlite3_bind_int64(statement.handle, CInt(index + 1), key)
    }
    var pairs: [(Int64, ManagedObjectID)] = []
    while try statement.step() {
      let owner = sqlite3_column_int64(statement.handle, 2)
      pairs.append((owner, statement.id(store: storeNumber)))
    }
    Activity.count(.statements)
    Activity.count(.rowsRead, pairs.count)
    return pairs
  }
}
