public import Foundation
import Queues

extension ManagedObjectContext {
  /// Merges another context's save. Call it on this context's queue.
  ///
  /// - Updated objects that are registered *and realised* are refreshed, from the row cache or else
  ///   from SQLite on this thread. Unsaved edits stay. An object deleted here takes the new row for
  ///   a rollback, without an announcement.
  /// - Inserted objects are registered as faults if needed, and announced. Known ones are refreshed
  ///   too if a deleted row came back since the save.
  /// - Registered deleted objects are marked deleted, realised ones after `prepareForDeletion`. A
  ///   save sends nothing for them. Their delete rules apply to unsaved relations. If the row was
  ///   inserted again, the object is updated instead.
  /// - Objects of another store are skipped.
  ///
  /// It ends with one objects-did-change and posts no did-save.
  /// - Throws: the store's read errors.
  public func mergeChanges(fromContextDidSave save: DidSave) throws {
    assertOnQueue()
    guard save.context.storeNumber == storeNumber else { return }
    // Another coordinator's save is not in this one's row cache.
    if save.context.coordinator !== coordinator {
      coordinator.forgetRows(of: save.updated + save.deleted)
    }
    try merge(save) { _, error in throw error }
  }

  /// Does not throw, because no caller could handle the error. Unreadable objects become faults,
  /// except those with edits: their save finds the conflict.
  func mergeAutomatically(fromContextDidSave save: DidSave) {
    merge(save) { objects, _ in
      for object in objects where !object.hasChanges { refault(object) }
    }
  }

  private func merge(
    _ save: DidSave, orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    let wasStored = if case .coordinator = save.context.parent { true } else { false }
    try mergeChanges(
      save.changes, wasStored: wasStored, returnsBefore: save.returnsBefore, listsPartners: true,
      orElse: orElse)
  }

  /// - Parameters:
  ///   - wasStored: false for a save into a parent.
  ///   - returnsBefore: the count of `ReturnedRows` before the save.
  ///   - listsPartners: false for a batch request, which lists no objects whose members it changed.
  private func mergeChanges(
    _ save: ChangedObjectIDs, wasStored: Bool, returnsBefore: Int, listsPartners: Bool,
    orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    advanceGeneration()
    // New rows may hide relations that earlier deletions' rules need. The rules can be undone.
    if propagatesDeletesAtEndOfEvent { propagateReadableDeletes() }
    try Activity.slice(.merge) {
      sweepRegistry()
      var save = current(save)
      if !save.deleted.isEmpty { observers.willMerge.post(save.deleted) }
      if returnsBefore != ReturnedRows.count(inStore: storeNumber) {
        try separateReturned(in: &save, wasStored: wasStored, orElse: orElse)
      }
      Activity.charge(.merge)
      if !pendingDeletes.isEmpty { applyWaitingRules(ofUpdated: save.updated) }
      let refreshed = try refreshRegistered(save.updated, orElse: orElse)
      if !listsPartners { refaultMembers(amongUpdated: save.updated) }
      try bringBackDeleted(among: save.inserted, orElse: orElse)
      let inserted = announceInserted(save.inserted)
      let gone = registeredObjects(for: save.deleted)
      for object in gone { markDeletedByMerge(object) }
      if model.hasRelationships, !save.deleted.isEmpty {
        let deleted = Set(save.deleted)
        releaseUnsavedRelations(to: deleted)
        let partners = listsPartners ? knownPartners(of: gone) : registry.objects
        try refresh(partners, withoutRelationsTo: deleted, orElse: orElse)
      }
      withoutUndo { processPendingChanges() }
      slowDown(.merge, objects: save.inserted.count + save.updated.count + save.deleted.count)
      observers.didMerge.post(
        DidMergeChanges(
          inserted: inserted, refreshed: refreshed, deleted: gone.map(\.objectID)))
    }
  }

  /// Applies pending rules of updated objects: new rows would hide the relations that they need.
  private func applyWaitingRules(ofUpdated ids: [ManagedObjectID]) {
    let (updated, waiting) = (Set(ids), pendingDeletes)
    pendingDeletes = waiting.filter { updated.contains($0.objectID) }
    propagateReadableDeletes()
    pendingDeletes += waiting.filter { !updated.contains($0.objectID) }
  }

  /// A child first adopts its parent's permanent IDs.
  private func current(_ save: ChangedObjectIDs) -> ChangedObjectIDs {
    guard case .context = parent else { return save }
    adoptAllPermanentIDs()
    return save.map { ids in ids.contains(where: \.isTemporary) ? ids.map(currentID) : ids }
  }

  /// Counts a deleted object as updated if its row exists again, and an inserted one if it is known
  /// here: a rollback kept the old row's values.
  private func separateReturned(
    in save: inout ChangedObjectIDs, wasStored: Bool,
    orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    save.updated += registeredObjects(for: save.inserted).map(\.objectID)
    let objects = registeredObjects(for: save.deleted)
    guard !objects.isEmpty else { return }
    let ids = objects.map(\.objectID)
    do {
      coordinator.forgetRows(of: ids)
      let rows = try wasStored ? coordinator.snapshots(of: ids) : snapshotsFromParent(of: ids)
      let standing = zip(ids, rows).filter { $1 != nil }.map(\.0)
      save.deleted.removeAll(where: Set(standing).contains)
      save.updated += standing
    } catch {
      try orElse(objects, error)
    }
  }

  /// - Returns: the announced IDs.
  private func announceInserted(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
    var announced: [ManagedObjectID] = []
    var created = 0
    // The announcement retains the objects; registration is weak.
    for id in ids {
      let known = object(registeredFor: id)
      let object = known ?? registerFault(id)
      if known == nil { created += 1 }
      if !object.hasChanges {
        announce(object, as: .newlyInserted)
        announced.append(id)
      }
    }
    Activity.count(.objectsCreated, created)
    return announced
  }

  /// Brings back objects that an earlier merge deleted, if their rows were inserted again.
  private func bringBackDeleted(
    among ids: [ManagedObjectID], orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    guard !ids.isEmpty, !missingRowIDs.isEmpty else { return }
    let missing = objectsWithMissingRows()
    let inserted = missing.isEmpty ? [] : Set(ids)
    let objects = missing.filter { inserted.contains($0.objectID) }
    guard !objects.isEmpty else { return }
    do {
      let rows = try snapshotsFromParent(of: objects.map(\.objectID))
      for (object, row) in zip(objects, rows) {
        if let row { returnToRow(object, row) }
      }
    } catch {
      try orElse(objects, error)
    }
  }

  private func refreshRegistered(
    _ ids: [ManagedObjectID], orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows -> [ManagedObjectID] {
    let objects = objects(registeredFor: ids).compactMap { object -> ManagedObject? in
      // An object inserted here has no row below, and has the values of a child's save.
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
    // Reserved before old rows are freed: the freed blocks slow the allocator down.
    pendingAnnouncements.reserveCapacity(pendingAnnouncements.count + objects.count)
    refresh(objects, with: snapshots)
    return objects.lazy.filter { !$0.isDeleted }.map(\.objectID)
  }

  /// The objects take their new rows and keep edits. Setting an equal value was no edit. Delete
  /// rules apply to the new relations of a deleted object.
  func refresh(_ objects: [ManagedObject], with snapshots: [RowSnapshot?]) {
    var replaced: [FormerPartner] = []
    for index in objects.indices {
      if let snapshot = snapshots[index] { rebase(objects[index], on: snapshot, &replaced) }
    }
    // All objects have their rows by now, so their order does not matter.
    for relation in replaced { endStored(relation) }
    guard !changed.isEmpty, model.hasRelationships else { return }
    for index in objects.indices where snapshots[index] != nil {
      repeatRules(of: objects[index], sparing: objects[index].touched)
    }
  }

  /// - Parameter replaced: receives the row's new relations that edits here replace.
  private func rebase(
    _ object: ManagedObject, on snapshot: RowSnapshot, _ replaced: inout [FormerPartner]
  ) {
    if !object.touched.isEmpty {
      object.touched = object.persistentChanges
      if object.isDeleted { object.touched.subtract(object.resolved.toOneColumns) }
      if !object.touched.isDisjoint(with: object.resolved.toOneColumns) {
        replaced += formerPartners(of: object, in: snapshot)
      }
    }
    var row = object.refreshedRow(to: snapshot)
    object.touched.forEachIndex { row.values[$0] = object.values[$0] }
    object.row = row
    for index in object.toMany.indices { object.toMany[index].refault() }
    if !object.isDeleted {
      announce(object, as: .newlyRefreshed)
    } else if object.resolved.hasRelationships {
      pendingDeletes.append(object)
    }
  }
}

extension ManagedObject {
  /// The row after a refresh, which does not affect transient properties:
  /// developer.apple.com/documentation/coredata/nsmanagedobjectcontext/refresh(_:mergechanges:)
  func refreshedRow(to snapshot: RowSnapshot) -> ObjectRow {
    var row = ObjectRow(snapshot)
    resolved.transients.forEachIndex { row.values[$0] = values[$0] }
    return row
  }
}

// MARK: - History

extension ManagedObjectContext {
  /// Like `mergeChanges(fromContextDidSave:)`, but reads rows from SQLite again: other coordinators
  /// and batch requests do not update the row cache.
  ///
  /// - Throws: the store's read errors.
  public func mergeChanges(fromHistory transactions: [HistoryTransaction]) throws {
    try mergeChanges(fromElsewhere: ChangedObjectIDs(transactions))
  }

  /// For changes that did not pass through this coordinator's row cache.
  public func mergeChanges(fromRemoteContextSave changes: ChangedObjectIDs) throws {
    assertOnQueue()
    if !changes.deleted.isEmpty, model.hasRelationships {
      // Cached rows of faults may lead to the deleted rows. History lists them as updated.
      coordinator.forgetRows(of: registry.objects.filter(\.isFault).map(\.objectID))
    }
    try mergeChanges(fromElsewhere: changes)
  }

  private func mergeChanges(fromElsewhere changes: ChangedObjectIDs) throws {
    assertOnQueue()
    var changes = changes.map { ids in ids.filter { $0.isOf(store: storeNumber) } }
    // An update may stand for a deletion and an insertion, between which a fault here found no row.
    let missing = Set(objectsWithMissingRows().map(\.objectID))
    if !missing.isEmpty { changes.inserted += changes.updated.filter(missing.contains) }
    coordinator.forgetRows(of: changes.updated + changes.deleted)
    try mergeChanges(changes, wasStored: true, returnsBefore: 0, listsPartners: false) {
      _, error in throw error
    }
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
  fileprivate func map(_ body: ([ManagedObjectID]) -> [ManagedObjectID]) -> ChangedObjectIDs {
    ChangedObjectIDs(inserted: body(inserted), updated: body(updated), deleted: body(deleted))
  }
}
