import Queues

extension ManagedObjectContext {
  /// Changes many rows at once, through all ancestors, each occupied meanwhile.
  ///
  /// Nothing is validated or announced, and no object changes. Merge the result's IDs, or refresh
  /// with a staleness interval of zero. If a new row violates a uniqueness constraint, the policy
  /// `error` fails the request, policies that prefer the object update the existing row, and the
  /// others skip the new row.
  ///
  /// - Throws: `SaveError.constraint`, or the store's errors. Nothing is then written.
  @discardableResult
  public func execute(_ request: BatchRequest) throws -> BatchResult {
    assertOnQueue()
    if case .update(_, let values) = request.operation {
      for id in values.compactMap(\.value.objectID) where !id.isOf(store: storeNumber) {
        stopForeign(id)
      }
    }
    var request = request
    request.author = request.author ?? transactionAuthor
    request.contextName = request.contextName ?? name
    if request.uniquenessRule == .fail, mergePolicy != .error {
      request.uniquenessRule = mergePolicy.prefersObject ? .update : .skip
    }
    return try Activity.slice(.save) { try forward(request) }
  }

  private func forward(_ request: BatchRequest) throws -> BatchResult {
    let request = request.naming(permanentIDs.byTemporaryID)
    switch parent {
    case .coordinator(let coordinator): return try coordinator.execute(request)
    case .context(let parent):
      return try onQueue(of: parent) {
        try Activity.slice(.save) { try parent.forward(request) }
      }
    }
  }
}
