// After the write, one pass over the sent objects sets IDs and versions, marks objects clean and
// collects the did-save. One pass is fastest: a hundred thousand objects do not fit in the
// processor's caches.

/// The objects that a save sent one level up.
struct SentChanges {
  let objects: ContiguousArray<ManagedObject>
  /// How often deleted rows had come back before.
  let returnsBefore: Int
  /// The store's answer; nil from a child.
  let receipt: SaveReceipt?
}

private struct SaveSummary {
  /// The store's IDs for the inserted objects that follow.
  var ids: ArraySlice<ManagedObjectID>
  /// The versions of rows that existed before.
  let returnedVersions: [ManagedObjectID: Int64]
  var saved = ChangedObjectIDs()
  var replacedIDs: [ManagedObjectID] = []
  /// Permanent IDs by temporary ones, for replacement in relationships.
  var newIDs: [ManagedObjectID: ManagedObjectID] = [:]
  /// IDs with one registration too many in the row cache.
  var overcounted: [ManagedObjectID] = []
}

extension ManagedObjectContext {
  /// Marks the saved objects clean and returns the notification.
  func didSave(_ sent: SentChanges) -> DidSave {
    var summary = SaveSummary(
      ids: (sent.receipt?.insertedIDs ?? [])[...],
      returnedVersions: sent.receipt?.returnedVersions ?? [:])
    expectPermanentIDs(summary.ids.count)
    if !summary.returnedVersions.isEmpty { ReturnedRows.add(inStore: storeNumber) }
    let isStored = sent.receipt != nil
    for object in sent.objects { markSaved(object, isStored: isStored, &summary) }
    registry.removeTemporaryIDs(summary.replacedIDs)
    if !summary.newIDs.isEmpty { replaceIDs(summary.newIDs, in: sent.objects) }
    if !summary.overcounted.isEmpty { coordinator.unregister(summary.overcounted) }
    if changed.count != sent.objects.count {
      for object in changed { object.state.remove(.listedAsChanged) }
    }
    changed.removeAll(keepingCapacity: false)
    watched.removeAll()
    undoManager?.forgetConflicts()
    // The parent now has a child's new objects too.
    hasNewObjects = false
    return DidSave(
      of: summary.saved, by: self, historyToken: sent.receipt?.historyToken,
      returnsBefore: sent.returnsBefore, keepingAlive: sent.objects)
  }

  private func markSaved(
    _ object: ManagedObject, isStored: Bool, _ summary: inout SaveSummary
  ) {
    if object.isInserted {
      if isStored { assignID(of: object, &summary) }
      summary.saved.inserted.append(object.objectID)
    } else if object.isDeleted {
      summary.saved.deleted.append(object.objectID)
      if withdraw(object) { summary.overcounted.append(object.objectID) }
    } else if object.isUpdated {
      summary.saved.updated.append(object.objectID)
    }
    if let undoManager { undoManager.noteSaved(object) }
    commitRow(of: object, isStored: isStored && !object.isDeleted)
    if !summary.returnedVersions.isEmpty,
      let version = summary.returnedVersions[object.objectID], object.isInserted
    {
      object.row.commit(version: version)
    }
    for index in object.toMany.indices { object.toMany[index].commit() }
    object.state.subtract([.inserted, .updated, .deleted, .listedAsChanged, .sent])
  }

  private func assignID(of object: ManagedObject, _ summary: inout SaveSummary) {
    let old = object.objectID
    guard let id = summary.ids.popFirst(), id != old else {
      // The ID was permanent before. It was registered then, and again by the save.
      return summary.overcounted.append(old)
    }
    if model.hasRelationships { summary.newIDs[old] = id }
    summary.replacedIDs.append(old)
    permanentIDs.append(old, id)
    registry.addID(id, to: object)
  }

  private func commitRow(of object: ManagedObject, isStored: Bool) {
    guard isStored || !object.row.isCommitted || !object.touched.isEmpty else { return }
    let isWritten = isStored && !object.state.isDisjoint(with: [.inserted, .sent])
    object.row.commit(version: object.version + (isWritten ? 1 : 0))
    object.touched = []
  }
}
