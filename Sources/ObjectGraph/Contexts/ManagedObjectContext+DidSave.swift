// The saved objects are updated in one pass: a hundred thousand objects do not fit in the
// processor's caches.

struct SentChanges {
  let objects: ContiguousArray<ManagedObject>
  /// How many of them were not listed as changed: the unchanged targets of new relations.
  var targetCount = 0
  /// The count of `ReturnedRows` before the save.
  let returnsBefore: Int
  /// Nil for a save into a parent.
  let receipt: SaveReceipt?
}

private struct SaveSummary {
  /// Permanent IDs for the inserted objects that are still to be marked.
  var ids: ArraySlice<ManagedObjectID>
  /// Versions of inserted rows that existed before.
  let returnedVersions: [ManagedObjectID: Int64]
  var bringsRowsBack = false
  var saved = ChangedObjectIDs()
  var replacedIDs: [ManagedObjectID] = []
  /// Permanent IDs by temporary ones, to replace these in relationships.
  var newIDs: [ManagedObjectID: ManagedObjectID] = [:]
  /// IDs with one registration too many in the row cache.
  var overcounted: [ManagedObjectID] = []
}

extension ManagedObjectContext {
  func didSave(_ sent: SentChanges) -> DidSave {
    var summary = SaveSummary(
      ids: (sent.receipt?.insertedIDs ?? [])[...],
      returnedVersions: sent.receipt?.returnedVersions ?? [:])
    if !summary.ids.isEmpty {
      // Trimmed before the new IDs are added, because all of those are in use.
      trimPermanentIDs()
      permanentIDs.reserve(summary.ids.count)
    }
    let isStored = sent.receipt != nil
    for object in sent.objects { markSaved(object, isStored: isStored, &summary) }
    if summary.bringsRowsBack { ReturnedRows.add(inStore: storeNumber) }
    registry.removeTemporaryIDs(summary.replacedIDs)
    if !summary.newIDs.isEmpty {
      replaceIDs(summary.newIDs, in: sent.objects)
      // No save sends them, but they keep their relations, which a child may read.
      replaceIDs(summary.newIDs, in: objectsWithMissingRows())
    }
    if !summary.overcounted.isEmpty { coordinator.unregister(summary.overcounted) }
    // A merge policy leaves listed objects without changes.
    if changed.count != sent.objects.count - sent.targetCount {
      for object in changed { object.state.remove(.listedAsChanged) }
    }
    changed.removeAll(keepingCapacity: false)
    watched.removeAll()
    if !missingRowIDs.isEmpty { forgetObjectsWithMissingRows() }
    undoManager?.forgetConflicts()
    // The parent now has a child's new objects too.
    hasNewObjects = false
    var save = DidSave(of: summary.saved, by: self)
    save.historyToken = sent.receipt?.historyToken
    save.returnsBefore = sent.returnsBefore
    save.keptAlive = sent.objects
    return save
  }

  private func markSaved(_ object: ManagedObject, isStored: Bool, _ summary: inout SaveSummary) {
    if object.isInserted {
      if isStored {
        if object.row.hasLostRow { summary.bringsRowsBack = true }
        assignID(of: object, &summary)
      }
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
      // The ID was already permanent and registered.
      return summary.overcounted.append(old)
    }
    if model.hasRelationships { summary.newIDs[old] = id }
    summary.replacedIDs.append(old)
    permanentIDs.append(old, id)
    registry.addID(id, to: object)
  }

  @inline(__always)
  private func commitRow(of object: ManagedObject, isStored: Bool) {
    guard isStored || !object.row.isCommitted || !object.touched.isEmpty else { return }
    let isWritten = isStored && !object.state.isDisjoint(with: [.inserted, .sent])
    let version = object.version + (isWritten ? 1 : 0)
    if let stored = object.rowWithoutAwakening {
      object.committed = RowSnapshot(values: stored, version: version)
    } else {
      object.row.commit(version: version)
    }
    object.touched = []
  }
}
