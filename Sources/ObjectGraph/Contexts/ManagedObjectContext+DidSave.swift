// After the write, one pass over what was sent: IDs and versions are taken over, objects become clean,
// and the did-save learns what they were. One, because of a hundred thousand objects each pass finds
// none in the processor's caches.

/// What a save sent one level up.
struct SentChanges {
  let objects: ContiguousArray<ManagedObject>
  /// Those that the store gave the inserted objects, in their order; nil from a child.
  var insertedIDs: [ManagedObjectID]?
  /// Nil from a child, and where no history is kept.
  var historyToken: HistoryToken?
}

/// What becomes known on the pass.
private struct Settlement {
  /// Of the inserted objects that are still to come.
  var ids: ArraySlice<ManagedObjectID>
  var saved = ChangedObjectIDs()
  /// Temporary IDs that became permanent.
  var settled: [ManagedObjectID] = []
  /// Permanent IDs by temporary ones, where relationships may name objects by them.
  var replaced: [ManagedObjectID: ManagedObjectID] = [:]
  /// The row cache counts them once too often.
  var miscounted: [ManagedObjectID] = []
}

extension ManagedObjectContext {
  /// Makes the saved objects clean and says what they were.
  func didSave(_ sent: SentChanges) -> DidSave {
    var settlement = Settlement(ids: (sent.insertedIDs ?? [])[...])
    if let ids = sent.insertedIDs { expectPermanentIDs(ids.count) }
    let isStored = sent.insertedIDs != nil
    for object in sent.objects { settle(object, isStored: isStored, &settlement) }
    registry.removeTemporaryIDs(settlement.settled)
    if !settlement.replaced.isEmpty { replaceIDs(settlement.replaced, in: sent.objects) }
    if !settlement.miscounted.isEmpty { coordinator.unregister(settlement.miscounted) }
    if changed.count != sent.objects.count {
      for object in changed { object.state.remove(.listedAsChanged) }
    }
    changed.removeAll(keepingCapacity: false)
    watched.removeAll()
    // Those of a child are its parent's, too, by now.
    hasNewObjects = false
    return DidSave(settlement.saved, of: sent, by: self)
  }

  private func settle(
    _ object: ManagedObject, isStored: Bool, _ settlement: inout Settlement
  ) {
    if object.isInserted {
      if isStored { takeID(of: object, &settlement) }
      settlement.saved.inserted.append(object.objectID)
    } else if object.isDeleted {
      settlement.saved.deleted.append(object.objectID)
      if withdraw(object) { settlement.miscounted.append(object.objectID) }
    } else if object.isUpdated {
      settlement.saved.updated.append(object.objectID)
    }
    takeRow(of: object, isStored: isStored && !object.isDeleted)
    for index in object.toMany.indices { object.toMany[index].settle() }
    object.state.subtract([.inserted, .updated, .deleted, .listedAsChanged, .sent])
  }

  private func takeID(of object: ManagedObject, _ settlement: inout Settlement) {
    let old = object.objectID
    guard let id = settlement.ids.popFirst(), id != old else {
      // It was permanent already, and counted; the save counted it once more.
      return settlement.miscounted.append(old)
    }
    if model.hasRelationships { settlement.replaced[old] = id }
    settlement.settled.append(old)
    settledIDs.append(old, id)
    registry.addID(id, to: object)
  }

  private func takeRow(of object: ManagedObject, isStored: Bool) {
    guard isStored || !object.row.isCommitted || !object.touched.isEmpty else { return }
    let isWritten = isStored && !object.state.isDisjoint(with: [.inserted, .sent])
    object.row.commit(version: object.version + (isWritten ? 1 : 0))
    object.touched = []
  }
}
