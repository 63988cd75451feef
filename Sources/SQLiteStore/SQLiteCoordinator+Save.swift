public import ObjectGraph

extension SQLiteCoordinator {
  public func save(_ request: SaveRequest) throws -> [ManagedObjectID] {
    guard !request.isEmpty else { return [] }
    return try exclusively {
      try caching(
        {
          try pool.write {
            try SaveTransaction.save(request, on: $0, schema, storeNumber: storeNumber)
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
