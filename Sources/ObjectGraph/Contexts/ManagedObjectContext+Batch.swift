import Queues

extension ManagedObjectContext {
  /// Has the store change many rows at once. From a child, the request passes through every ancestor
  /// to the coordinator, each being occupied meanwhile.
  ///
  /// Nothing is validated or announced, and no object of any context changes: merge the result's IDs,
  /// or refresh with a staleness interval of zero. Of new rows with values that must be unique, this
  /// context's merge policy decides: `error` fails the request, those that prefer the object update
  /// the row that is there, the others leave the new row out.
  ///
  /// - Throws: `SaveError.constraint`; what the store throws. Nothing is written then.
  @discardableResult
  public func execute(_ request: BatchRequest) throws -> BatchResult {
    assertOnQueue()
    var request = request
    request.author = request.author ?? transactionAuthor
    request.contextName = request.contextName ?? name
    if request.uniquenessRule == .fail, mergePolicy != .error {
      request.uniquenessRule = mergePolicy.prefersObject ? .update : .skip
    }
    return try Activity.slice(.save) { try forward(request) }
  }

  private func forward(_ request: BatchRequest) throws -> BatchResult {
    switch parent {
    case .coordinator(let coordinator): try coordinator.execute(request)
    case .context(let parent):
      try asking(parent) {
        try Activity.slice(.save) { try parent.forward(request) }
      }
    }
  }
}
