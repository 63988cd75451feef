import ObjectGraph

// A merge passes over objects that are faults, and then a list would not hear that such a row must
// move. So the faults among the updated objects are fired first, as the libraries do it; what that
// costs falls on the queue of the context that merges.

extension ManagedObjectContext {
  /// Realises those of these objects that are registered here. On the context's queue.
  func fireFaults(of ids: [ManagedObjectID]) {
    for id in ids { registeredObject(for: id)?.fireFault() }
  }

  /// Takes over what a sibling saved, so that lists hear of all of it. On the context's queue.
  func mergeFiringFaults(_ save: DidSave) throws {
    fireFaults(of: save.updated)
    try mergeChanges(fromContextDidSave: save)
  }

  /// The same with what passed by this coordinator's row cache: the faults are fired from the old
  /// rows, and what is realised then is read from SQLite anew.
  func mergeFiringFaults(_ changes: ChangedObjectIDs) throws {
    fireFaults(of: changes.updated)
    try mergeChanges(fromRemoteContextSave: changes)
  }
}
