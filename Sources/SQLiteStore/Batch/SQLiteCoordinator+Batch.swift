public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func execute(_ request: BatchRequest) throws -> BatchResult {
    try request.checkIsStored(in: model)
    request.checkEntities(in: model, store: storeNumber)
    let (result, historyNumber) = try self.request(.batch) {
      try pool.write { connection in
        let transaction = BatchTransaction(
          connection: connection, request: request, history: history(connection))
        let result = try transaction.execute()
        noteCommit()
        return result
      }
    }
    if let historyNumber { RemoteChanges.tell(storeNumber, token(number: historyNumber)) }
    return result
  }

  /// Call it while the writer is held, so that commits are noted in order.
  func noteCommit() {
    let now = SystemClock().now()
    commitTime.withLock { $0 = now }
  }
}
