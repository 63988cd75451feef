public import Foundation

extension ManagedObjectContext {
  /// Like `mergeChanges(fromContextDidSave:)`, but reads rows from SQLite again: other coordinators
  /// and batch requests do not update the row cache.
  ///
  /// - Throws: the store's read errors.
  public func mergeChanges(fromHistory transactions: [HistoryTransaction]) throws {
    try mergeChanges(fromRemoteContextSave: ChangedObjectIDs(transactions))
  }

  /// For changes that did not pass through this coordinator's row cache.
  public func mergeChanges(fromRemoteContextSave changes: ChangedObjectIDs) throws {
    assertOnQueue()
    var changes = changes.limited(toStore: storeNumber)
    // A net update may hide that a row was gone for a while, when a fault here found none.
    let missing = Set(objectsWithMissingRows().map(\.objectID))
    if !missing.isEmpty { changes.inserted += changes.updated.filter(missing.contains) }
    coordinator.forgetRows(of: changes.updated + changes.deleted)
    try mergeChanges(changes)
  }

  /// Merges into several contexts, each on its own queue, parents first.
  public static func mergeChanges(
    fromRemoteContextSave changes: ChangedObjectIDs, into contexts: [ManagedObjectContext]
  ) throws {
    for context in contexts.sorted(by: { $0.depth < $1.depth }) {
      try context.performAndWait {
        try context.mergeChanges(fromRemoteContextSave: changes)
      }
    }
  }

  private var depth: Int {
    if case .context(let parent) = parent { parent.depth + 1 } else { 0 }
  }
}

extension ChangedObjectIDs {
  /// Skips URIs of other stores.
  public init(
    insertedURIs: [URL] = [], updatedURIs: [URL] = [], deletedURIs: [URL] = [],
    in coordinator: any PersistentStoreCoordinator
  ) {
    self.init(
      inserted: insertedURIs.compactMap(coordinator.objectID(forURI:)),
      updated: updatedURIs.compactMap(coordinator.objectID(forURI:)),
      deleted: deletedURIs.compactMap(coordinator.objectID(forURI:)))
  }
}

extension ChangedObjectIDs {
  fileprivate func limited(toStore store: Int32) -> ChangedObjectIDs {
    ChangedObjectIDs(
      inserted: inserted.filter { $0.isOf(store: store) },
      updated: updated.filter { $0.isOf(store: store) },
      deleted: deleted.filter { $0.isOf(store: store) })
  }
}
