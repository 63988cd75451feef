public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func save(_ request: SaveRequest) throws -> [ManagedObjectID] {
    guard !request.isEmpty else { return [] }
    return try exclusively {
      try caching(
        {
          try pool.write {
            let ids = try SaveTransaction.save(
              request, on: $0, schema, storeNumber: storeNumber)
            // With the writer still held, so that the last commit has the last word.
            let now = SystemClock().now()
            commitTime.withLock { $0 = now }
            return ids
          }
        }, { $0.saved(request, insertedIDs: $1) })
    }
  }

  public func obtainPermanentIDs(
    for temporaryIDs: [ManagedObjectID]
  ) throws -> [ManagedObjectID] {
    guard temporaryIDs.contains(where: \.isTemporary) else { return temporaryIDs }
    return try exclusively {
      try pool.write {
        try SaveTransaction.reserveKeys(
          for: temporaryIDs, on: $0, schema, storeNumber: storeNumber)
      }
    }
  }
}
