public import Foundation

extension ManagedObjectContext {
  /// Takes over what the store's history says others wrote, as `mergeChanges(fromContextDidSave:)`
  /// does with a save. Rows are read from SQLite anew: another coordinator's writes, and batch
  /// requests, have passed by the row cache.
  ///
  /// - Throws: what the store throws when rows have to be read.
  public func mergeChanges(fromHistory transactions: [HistoryTransaction]) throws {
    try mergeChanges(fromRemoteContextSave: ChangedObjectIDs(transactions))
  }

  /// Takes over changes that passed by this coordinator's row cache.
  public func mergeChanges(fromRemoteContextSave changes: ChangedObjectIDs) throws {
    assertOnQueue()
    coordinator.forgetRows(of: changes.updated + changes.deleted)
    try mergeChanges(changes)
  }

  /// Takes over changes into several contexts, each on its own queue; a parent before its children,
  /// which read their rows from it.
  public static func mergeChanges(
    fromRemoteContextSave changes: ChangedObjectIDs, into contexts: [ManagedObjectContext]
  ) throws {
    for context in contexts.sorted(by: { $0.depth < $1.depth }) {
      try context.performAndWait {
        try context.mergeChanges(fromRemoteContextSave: changes)
      }
    }
  }

  /// How many contexts are above this one.
  private var depth: Int {
    if case .context(let parent) = parent { parent.depth + 1 } else { 0 }
  }
}

extension ChangedObjectIDs {
  /// The objects that URIs name; those of other stores are passed over.
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
