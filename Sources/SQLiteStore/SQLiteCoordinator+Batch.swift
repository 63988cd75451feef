public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func execute(_ request: BatchRequest) throws -> BatchResult {
    try exclusively {
      try pool.write { connection in
        let transaction = BatchTransaction(
          connection: connection, schema: schema, storeNumber: storeNumber, request: request)
        let result = try transaction.execute()
        noteCommit()
        return result
      }
    }
  }

  /// With the writer still held, so that the last commit has the last word.
  func noteCommit() {
    let now = SystemClock().now()
    commitTime.withLock { $0 = now }
  }
}
