// A merge or a fault may find that a row was deleted elsewhere. The object is then deleted here,
// with nothing to save, and no fetch finds it. While referenced it stays deleted, even if a parent
// restores the row, until a merge reports the row's insertion. After a save it leaves the context.
//
// The object's delete rules apply to unsaved relations only; the deletion changed saved ones. In
// Core Data a merge calls `delete` for each deleted object:
// developer.apple.com/documentation/coredata/nsmanagedobjectcontext,
// mergechanges(fromcontextdidsave:)
// A save repairs what is left ("repairing missing delete propagation"):
// github.com/Mantle/Mantle/issues/255

extension ManagedObjectContext {
  func markDeletedByMerge(_ object: ManagedObject) {
    // Already deleted here: a rollback must not revive it, and a save must not delete it.
    if object.isDeleted { return markRowMissing(object) }
    // A fault has no values for the hook to read.
    if !object.isFault { withoutUndo { object.entity.hooks.prepareForDeletion?(object) } }
    markRowMissing(object)
    announce(object, as: .newlyDeleted)
  }

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
      var holders = holders(of: gone)
      let owned = cascading ? holders.filter { isOwned($0, by: gone) } : []
      if !owned.isEmpty {
        // The hooks find all relations, and may add some.
        for object in owned { delete(object) }
        holders = owned + self.holders(of: gone)
      }
      for object in holders { endUnsavedRelations(of: object, to: gone) }
    }
  }

  /// Objects to save, some of whose unsaved relations may lead to the rows.
  private func holders(of gone: Set<ManagedObjectID>) -> [ManagedObject] {
    changed.filter { $0.mayLead(to: gone) && $0.isPending && !$0.isDeleted }
  }

  /// Registered objects to which the deleted objects' relations lead. Faults have none.
  func knownPartners(of gone: [ManagedObject]) -> [ManagedObject] {
    var known: Set<ManagedObject> = []
    return gone.lazy.filter { !$0.isFault }.flatMap { object in
      object.resolved.relationships.lazy.filter { $0.description.deleteRule != .noAction }.flatMap {
        switch $0.end {
        case .toOne(let column): Set([object.values[column].objectID].compactMap(\.self))
        case .toMany(let index): object.toMany[index].members
        }
      }
    }.compactMap { self.object(registeredFor: $0) }.filter { known.insert($0).inserted }
  }

  /// Ends relations to deleted rows. To-many sides forget the rows. To-one sides are read again,
  /// because the deletion changed their rows.
  func refresh(
    _ partners: [ManagedObject], withoutRelationsTo gone: Set<ManagedObjectID>,
    orElse: ([ManagedObject], any Error) throws -> Void
  ) rethrows {
    var outdated: [ManagedObject] = []
    for partner in partners
    where partner.resolved.hasRelationships
      && partner.state.isDisjoint(with: [.fault, .inserted, .deleted, .vanishing])
    {
      for index in partner.toMany.indices where partner.toMany[index].forget(gone) {
        announce(partner, as: .newlyRefreshed)
      }
      var leads = false
      partner.resolved.toOneColumns.forEachIndex { column in
        if let id = partner.values[column].objectID, gone.contains(id) { leads = true }
      }
      if leads { outdated.append(partner) }
    }
    guard !outdated.isEmpty else { return }
    if case .coordinator(let coordinator) = parent {
      coordinator.forgetRows(of: outdated.map(\.objectID))
    }
    do { try refreshKeepingEdits(outdated) } catch { try orElse(outdated, error) }
  }

  /// The object's unsaved relations to the rows, with the rules of the other side.
  private func unsavedRelations(
    of object: ManagedObject, to gone: Set<ManagedObjectID>
  ) -> [(end: RelationshipEnd, rule: DeleteRule)] {
    let changes = object.persistentChanges
    var relations: [(end: RelationshipEnd, rule: DeleteRule)] = []
    for (column, relationship) in object.resolved.toOne.enumerated() {
      guard let relationship, changes.contains(AttributeMask(index: column)),
        let id = object.values[column].objectID, gone.contains(id)
      else { continue }
      relations.append((.toOne(column: column), model.inverseRule(of: relationship) ?? .nullify))
    }
    for index in object.toMany.indices where !object.toMany[index].added.isDisjoint(with: gone) {
      let rule = model.inverseRule(of: object.resolved.toMany[index])
      relations.append((.toMany(index), rule ?? .nullify))
    }
    return relations
  }

  /// Whether the deletion of one of the rows cascades to the object.
  private func isOwned(_ object: ManagedObject, by gone: Set<ManagedObjectID>) -> Bool {
    unsavedRelations(of: object, to: gone).contains { $0.rule == .cascade }
  }

  private func endUnsavedRelations(of object: ManagedObject, to gone: Set<ManagedObjectID>) {
    for (end, rule) in unsavedRelations(of: object, to: gone) {
      switch end {
      case .toOne(let column): if rule != .noAction { object.write(.null, at: column) }
      case .toMany(let index):
        for id in object.toMany[index].added.intersection(gone) { object.toMany[index].forget(id) }
        noteUpdated(object)
      }
    }
  }

  /// After a save. Objects whose deletion the save itself found are announced first.
  func forgetObjectsWithMissingRows() {
    forget(withoutRows: objectsWithMissingRows().filter { !$0.state.contains(.newlyDeleted) })
  }

  func forget(withoutRows objects: [ManagedObject]) {
    for object in objects where object.state.contains(.deletedByMerge) {
      if object.isFault { fillWithNull(object) }
      object.state.remove(.deleted)
      forget(object)
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

extension ManagedObject {
  /// Whether an unsaved relation may lead to one of the rows. A fault without a row asks each
  /// changed object, so this must be fast.
  fileprivate func mayLead(to ids: Set<ManagedObjectID>) -> Bool {
    guard resolved.hasRelationships else { return false }
    var leads = false
    touched.intersection(resolved.toOneColumns).forEachIndex { column in
      if let id = values[column].objectID, ids.contains(id) { leads = true }
    }
    return leads || toMany.contains { !$0.added.isEmpty && !$0.added.isDisjoint(with: ids) }
  }
}
