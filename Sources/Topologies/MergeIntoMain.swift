public import ObjectGraph

// A merge skips faults, so a list would not learn that such a row must move. As in libraries,
// faults among the updated objects are fired first. Their SQL runs on the merging context's queue.

extension ManagedObjectContext {
  /// Realises the registered objects among these. Call it on the context's queue.
  public func fireFaults(of ids: [ManagedObjectID]) {
    for id in ids { registeredObject(for: id)?.fireFault() }
  }

  /// Merges a sibling's save so that all changes reach the context's lists. Call it on the
  /// context's queue.
  public func mergeFiringFaults(_ save: DidSave) throws {
    fireFaults(of: save.updated)
    try mergeChanges(fromContextDidSave: save)
  }

  /// Merges changes that bypassed this coordinator's row cache. Faults fire with old rows; realised
  /// objects are then read from SQLite again. Call it on the context's queue.
  public func mergeFiringFaults(_ changes: ChangedObjectIDs) throws {
    fireFaults(of: changes.updated)
    try mergeChanges(fromRemoteContextSave: changes)
  }
}
