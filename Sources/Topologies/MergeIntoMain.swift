public import ObjectGraph

// A merge skips faults, so a list would not learn that such a row must move. Therefore the faults
// among the updated objects are fired first, as libraries do. Their SQL runs on the queue of the
// merging context.

extension ManagedObjectContext {
  /// Realises the registered objects among these. Call it on the context's queue.
  public func fireFaults(of ids: [ManagedObjectID]) {
    for id in ids { registeredObject(for: id)?.fireFault() }
  }

  /// Merges a sibling's save. All changes reach the context's lists. Call it on the context's
  /// queue.
  public func mergeFiringFaults(_ save: DidSave) throws {
    fireFaults(of: save.updated)
    try mergeChanges(fromContextDidSave: save)
  }

  /// Merges changes that bypassed this coordinator's row cache. Faults are fired with the old rows,
  /// and realised objects are then read from SQLite again. Call it on the context's queue.
  public func mergeFiringFaults(_ changes: ChangedObjectIDs) throws {
    fireFaults(of: changes.updated)
    try mergeChanges(fromRemoteContextSave: changes)
  }
}
