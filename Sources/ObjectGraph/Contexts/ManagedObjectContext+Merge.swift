import Queues

extension ManagedObjectContext {
  /// Takes over what another context saved, on this context's queue.
  ///
  /// - Updated objects that are registered *and realised* here are refreshed: the new row comes from
  ///   the row cache, or else from SQLite on this thread; unsaved edits stay on top. Faults and
  ///   unregistered objects are passed over, and nobody is told of them. Nor is anybody told of the new
  ///   row of an object that is deleted here: that is what a rollback brings back.
  /// - Inserted objects are registered as faults, where a fetch has not brought them before, and
  ///   announced as inserted either way: nobody was told of them yet.
  /// - Deleted objects that are registered are marked deleted; a save of this context sends nothing
  ///   for them.
  ///
  /// Ends with one objects-did-change, and posts no did-save.
  /// - Throws: what the store throws when rows have to be read.
  public func mergeChanges(fromContextDidSave save: DidSave) throws {
    assertOnQueue()
    try mergeChanges(
      ChangedObjectIDs(inserted: save.inserted, updated: save.updated, deleted: save.deleted))
  }

  /// As `mergeChanges(fromContextDidSave:)`, where nobody can be told of an error. What cannot be read now
  /// is a fault, to be read when it is next looked at; but for what was edited here, whose save finds
  /// the conflict.
  func followChanges(fromContextDidSave save: DidSave) {
    let ids = ChangedObjectIDs(
      inserted: save.inserted, updated: save.updated, deleted: save.deleted)
    mergeChanges(ids) { objects, _ in
      for object in objects where !object.hasChanges { refault(object) }
    }
  }

  func mergeChanges(_ save: ChangedObjectIDs) throws {
    try mergeChanges(save) { _, error in throw error }
  }

  private func mergeChanges(
    _ save: ChangedObjectIDs, orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    advanceGeneration()
    try Activity.slice(.merge) {
      sweepRegistry()
      let save = current(save)
      let refreshed = try refreshRegistered(save.updated, orElse: orElse)
      var inserted: [ManagedObjectID] = []
      var deleted: [ManagedObjectID] = []
      // Held until they are announced: registration is weak.
      for id in save.inserted {
        let object = object(registeredFor: id) ?? registerFault(id)
        if !object.hasChanges {
          announce(object, as: .newlyInserted)
          inserted.append(id)
        }
      }
      for id in save.deleted {
        guard let object = object(registeredFor: id) else { continue }
        markDeletedByMerge(object)
        deleted.append(id)
      }
      processPendingChanges()
      slowDown(.merge, objects: save.inserted.count + save.updated.count + save.deleted.count)
      post(DidMergeChanges(inserted: inserted, refreshed: refreshed, deleted: deleted))
    }
  }

  /// With the IDs that objects have by now; this child follows its parent meanwhile.
  private func current(_ save: ChangedObjectIDs) -> ChangedObjectIDs {
    guard case .context = parent else { return save }
    followAllPermanentIDs()
    func current(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
      ids.contains(where: \.isTemporary) ? ids.map(currentID) : ids
    }
    return ChangedObjectIDs(
      inserted: current(save.inserted), updated: current(save.updated),
      deleted: current(save.deleted))
  }

  /// - Returns: the IDs of the objects that were refreshed.
  private func refreshRegistered(
    _ ids: [ManagedObjectID], orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows -> [ManagedObjectID] {
    let objects = objects(registeredFor: ids).compactMap { object -> ManagedObject? in
      // What is inserted here has no row beneath; a child's save brought its values already.
      guard let object, object.state.isDisjoint(with: [.fault, .deletedByMerge, .inserted]) else {
        return nil
      }
      return object
    }
    guard !objects.isEmpty else { return [] }
    Activity.count(.objectsRefreshed, objects.count)
    let snapshots: [RowSnapshot?]
    do {
      snapshots = try snapshotsFromParent(of: objects.map(\.objectID))
    } catch {
      try orElse(objects, error)
      return objects.lazy.filter(\.isFault).map(\.objectID)
    }
    // At once, before what the old rows free leaves the allocator a long list to search.
    news.reserveCapacity(news.count + objects.count)
    for index in objects.indices {
      if let snapshot = snapshots[index] { refresh(objects[index], with: snapshot) }
    }
    return objects.lazy.filter { !$0.isDeleted }.map(\.objectID)
  }

  /// The new row beneath, unsaved edits on top.
  func refresh(_ object: ManagedObject, with snapshot: RowSnapshot) {
    var row = ObjectRow(snapshot)
    object.touched.forEachIndex { row.values[$0] = object.values[$0] }
    object.row = row
    for index in object.toMany.indices { object.toMany[index].refault() }
    if !object.isDeleted { announce(object, as: .newlyRefreshed) }
  }

  private func markDeletedByMerge(_ object: ManagedObject) {
    // If it is deleted already: a rollback must not revive it, nor a save delete it.
    if object.isDeleted { return markRowGone(object) }
    markRowGone(object)
    announce(object, as: .newlyDeleted)
  }
}
