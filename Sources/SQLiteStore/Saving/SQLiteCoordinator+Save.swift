public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func save(_ request: SaveRequest) throws -> [ManagedObjectID] {
    try commit(request).insertedIDs
  }

  public func commit(_ request: SaveRequest) throws -> SaveReceipt {
    guard !request.isEmpty else { return SaveReceipt(insertedIDs: [], historyToken: nil) }
    return try committing { connection in
      do {
        return try SaveTransaction.save(request, on: connection, history: history(connection))
      } catch let error as SaveError {
        throw located(error)
      }
    }
  }

  public func commit(
    _ request: SaveRequest, settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt {
    try committing { connection in
      try pool.settlingThread.run {
        try SaveTransaction.save(request, on: connection, history: history(connection)) {
          try settle(located($0))
        }
      }
    }
  }

  private func committing(
    _ write: (Connection) throws -> SaveTransaction.Outcome
  ) throws -> SaveReceipt {
    let outcome: SaveTransaction.Outcome = try request(.saving) {
      try caching(
        {
          try pool.write {
            let outcome = try write($0)
            // Noted while this thread holds the writer, so that the times are in order.
            commitTime.setToNow()
            return outcome
          }
        }, { $0.saved($1, by: $2) })
    }
    let token = outcome.historyNumber.map(token(number:))
    if let token { RemoteChanges.tell(storeNumber, token) }
    return SaveReceipt(
      insertedIDs: outcome.insertedIDs, historyToken: token,
      returnedVersions: outcome.returnedVersions)
  }

  private func located(_ error: SaveError) -> SaveError {
    guard case .conflict(let conflicts) = error else { return error }
    return .conflict(withCache { cache in conflicts.map { $0.located(in: cache) } })
  }

  /// Nil if the store keeps no history.
  func history(_ connection: Connection) -> HistoryWriter? {
    guard configuration.keepsHistory else { return nil }
    return HistoryWriter(connection: connection, date: configuration.now())
  }

  public func obtainPermanentIDs(for temporaryIDs: [ManagedObjectID]) throws -> [ManagedObjectID] {
    guard temporaryIDs.contains(where: \.isTemporary) else { return temporaryIDs }
    return try request(.saving) {
      try pool.write { connection in
        let ids = try connection.transaction { try connection.permanentIDs(for: temporaryIDs) }
        Activity.count(.commits)
        return ids
      }
    }
  }
}

extension MergeConflict {
  /// Returns a conflict with the row cache if the cache holds the store's row, because another
  /// context of this coordinator wrote it. Otherwise returns a conflict with SQLite.
  /// `NSMergePolicy.h` distinguishes the two.
  fileprivate func located(in cache: RowCache) -> MergeConflict {
    guard let cached = cache.snapshot(of: id), cached.version == newVersion else { return self }
    return MergeConflict(
      id: id, oldVersion: oldVersion, newVersion: newVersion, cachedSnapshot: cached)
  }
}

extension SQLiteCoordinator {
  public func execute(_ request: BatchRequest) throws -> BatchResult {
    try request.checkIsStored(in: model)
    request.checkEntities(in: model, store: storeNumber)
    let (result, historyNumber) = try self.request(.batch) {
      try pool.write { connection in
        let transaction = BatchTransaction(
          connection: connection, request: request, history: history(connection))
        let result = try transaction.execute()
        commitTime.setToNow()
        return result
      }
    }
    if let historyNumber { RemoteChanges.tell(storeNumber, token(number: historyNumber)) }
    return result
  }
}
