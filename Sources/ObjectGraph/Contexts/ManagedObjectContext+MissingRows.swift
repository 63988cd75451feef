// A merge or a fault may find that a row was deleted elsewhere. The object is then deleted here,
// with nothing to save, and no fetch finds it. While referenced it stays deleted, even if a parent
// restores the row, until a merge reports the row's insertion.
//
// The object's delete rules apply to unsaved relations only; the deletion changed saved ones. In
// Core Data a merge calls `delete` for each deleted object:
// developer.apple.com/documentation/coredata/nsmanagedobjectcontext,
// mergechanges(fromcontextdidsave:)
// A save repairs what is left ("repairing missing delete propagation"):
// github.com/Mantle/Mantle/issues/255

extension ManagedObjectContext {
  func markRowMissing(_ object: ManagedObject) {
    if !object.state.contains(.deletedByMerge) {
      // Removes entries of deallocated objects before the list grows.
      if missingRowIDs.count == missingRowIDs.capacity { _ = objectsWithMissingRows() }
      missingRowIDs.append(object.objectID)
    }
    object.state.subtract([.inserted, .updated])
    object.state.formUnion([.deleted, .deletedByMerge])
    if object.state.contains(.listedAsChanged) { changedNeedsPruning = true }
  }

  /// Brings the object back, because its row was inserted again.
  func returnToRow(_ object: ManagedObject, _ row: RowSnapshot) {
    object.state.subtract([.deleted, .deletedByMerge])
    realise(object, with: row)
    announce(object, as: .newlyInserted)
  }

  /// Applies delete rules to unsaved relations that lead to objects without rows. *Deny* only
  /// clears the relation: the deletion has already happened.
  ///
  /// - Parameter cascading: false to clear the relation where the rule is to cascade.
  func releaseUnsavedRelations(to gone: Set<ManagedObjectID>, cascading: Bool = true) {
    guard model.hasRelationships, !changed.isEmpty, !gone.isEmpty else { return }
    withoutUndo {
      for object in changed
      where object.isPending && !object.isDeleted && object.resolved.hasRelationships {
        releaseUnsavedRelations(of: object, to: gone, cascading)
      }
    }
  }

  /// Refreshes partners, because a batch deletion changes their rows without listing them.
  func refreshPartners(
    of gone: [ManagedObject], orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    var outdated: [ManagedObject] = []
    for object in gone where !object.isFault {
      for relationship in object.resolved.relationships
      where relationship.description.deleteRule != .noAction {
        outdated += outdatedPartners(of: object, by: relationship)
      }
    }
    guard !outdated.isEmpty else { return }
    if case .coordinator(let coordinator) = parent {
      coordinator.forgetRows(of: outdated.map(\.objectID))
    }
    do { try refreshKeepingEdits(outdated) } catch { try orElse(outdated, error) }
  }

  /// Partners whose to-one side still leads to the deleted object. To-many sides forget it at once.
  private func outdatedPartners(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) -> [ManagedObject] {
    let known =
      switch relationship.end {
      case .toOne(let column): Set([object.values[column].objectID].compactMap(\.self))
      case .toMany(let index): object.toMany[index].members
      }
    return known.compactMap { self.object(registeredFor: $0) }.filter { partner in
      guard partner.state.isDisjoint(with: [.fault, .inserted, .deleted, .vanishing]) else {
        return false
      }
      switch relationship.inverse {
      case .toOne(let column): return partner.values[column] == .object(object.objectID)
      case .toMany(let index):
        guard partner.toMany[index].members.contains(object.objectID) else { return false }
        partner.toMany[index].forget(object.objectID)
        announce(partner, as: .newlyRefreshed)
        return false
      case nil: return false
      }
    }
  }

  private func releaseUnsavedRelations(
    of object: ManagedObject, to gone: Set<ManagedObjectID>, _ cascading: Bool
  ) {
    let changes = object.persistentChanges
    for (column, relationship) in object.resolved.toOne.enumerated() {
      guard let relationship, changes.contains(AttributeMask(index: column)),
        let id = object.values[column].objectID, gone.contains(id)
      else { continue }
      let rule = model.inverseRule(of: relationship) ?? .nullify
      guard rule != .noAction else { continue }
      object.write(.null, at: column)
      if rule == .cascade, cascading { delete(object) }
    }
    for index in object.toMany.indices {
      let lost = object.toMany[index].added.intersection(gone)
      guard !lost.isEmpty else { continue }
      for id in lost { object.toMany[index].forget(id) }
      noteUpdated(object)
      let rule = model.inverseRule(of: object.resolved.toMany[index])
      if rule == .cascade, cascading { delete(object) }
    }
  }

  func objectsWithMissingRows() -> [ManagedObject] {
    guard !missingRowIDs.isEmpty else { return [] }
    let objects = missingRowIDs.compactMap { object(registeredFor: $0) }.filter {
      $0.state.contains(.deletedByMerge)
    }
    missingRowIDs = ContiguousArray(objects.lazy.map(\.objectID))
    return objects
  }

}
