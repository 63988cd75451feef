import Queues

extension ManagedObjectContext {
  /// Applies a child's save to this context. Runs on this context's queue while the child's thread
  /// waits or runs the call itself, so the child's objects can be read.
  ///
  /// Each changed object is found or read here, and takes the changed columns and members. It
  /// shares the child's buffer if it still has the values that the child changed. Ends with one
  /// objects-did-change, before anything is durable.
  /// - Throws: the store's read errors. No change is then applied.
  func absorb(_ children: ContiguousArray<ManagedObject>) throws {
    try Activity.slice(.pushUp) {
      sweepRegistry()
      // Counts main-queue contexts only: `sync` may run another queue's block on main's thread.
      if queue is any RunLoopQueue { Activity.count(.objectsCopied, children.count) }
      Activity.charge(.pushUp, children.count)
      let mine = try counterparts(of: children)
      let targets = try targets(ofDeleted: children, mine)
      changed.reserveCapacity(changed.count + children.count)
      pendingAnnouncements.reserveCapacity(pendingAnnouncements.count + children.count)
      var former: [FormerPartner] = []
      for index in children.indices { absorb(children[index], into: mine[index], &former) }
      if model.hasRelationships {
        for index in children.indices { absorbMembers(of: children[index], into: mine[index]) }
        for one in former { end(one) }
        for child in children { dropDeletedTargets(of: child) }
      }
      processPendingChanges()
      withExtendedLifetime(targets) {}
    }
  }

  /// Reads the deleted objects' targets: a cascade may delete more here than the child knew of.
  private func targets(
    ofDeleted children: ContiguousArray<ManagedObject>, _ mine: [ManagedObject?]
  ) throws -> [ManagedObject] {
    guard model.hasRelationships else { return [] }
    let deleted = zip(children, mine).compactMap { child, object in
      child.isDeleted && object?.state.isDisjoint(with: [.fault, .deleted, .vanishing]) == true
        ? object : nil
    }
    return try readTargets(ofDeleting: deleted, cascading: false).read
  }

  private func absorb(
    _ child: ManagedObject, into object: ManagedObject?, _ former: inout [FormerPartner]
  ) {
    guard let object else {
      if child.isInserted { absorbInsert(child) }
      return
    }
    if child.isDeleted {
      delete(object)
    } else if child.isInserted {
      absorbReturn(child, into: object, &former)
    } else {
      absorbUpdate(child, into: object, &former)
    }
  }

  /// The realised objects. Nil for new rows, and for updates to equal values, which read no row.
  private func counterparts(
    of children: ContiguousArray<ManagedObject>
  ) throws -> [ManagedObject?] {
    var objects = objects(registeredFor: children.map { localID($0.objectID) })
    for (index, child) in children.enumerated() {
      if !child.isInserted, let object = objects[index], !object.isFault { continue }
      if child.isInserted {
        objects[index] = child.row.hasLostRow ? try standing(child) : nil
      } else {
        objects[index] = child.isUpdated && !child.hasEdits ? nil : try counterpart(of: child)
      }
    }
    return objects
  }

  /// If the row is gone, the object takes the child's committed values, so that the save to the
  /// store finds the conflict.
  private func counterpart(of child: ManagedObject) throws -> ManagedObject {
    let id = localID(child.objectID)
    let object = object(registeredFor: id) ?? registerFault(id)
    if let snapshot = try snapshotFromParent(of: id) ?? child.committed {
      Activity.count(.faultsFired)
      realise(object, with: snapshot)
    }
    return object
  }

  /// The object that the child's undo inserted again, if it has a row here: its deletion is not
  /// saved, or was taken back. A context has one object for a row: Core Data Programming Guide,
  /// Faulting and Uniquing.
  private func standing(_ child: ManagedObject) throws -> ManagedObject? {
    let id = localID(child.objectID)
    if let object = object(registeredFor: id), !object.isFault {
      return object.state.isDisjoint(with: [.inserted, .vanishing, .deletedByMerge]) ? object : nil
    }
    guard let row = try snapshotFromParent(of: id) else { return nil }
    let object = object(with: id)
    realise(object, with: row)
    return object
  }

  private func absorbInsert(_ child: ManagedObject) {
    let object = insert(child.objectID, child.resolved, values: child.values)
    if child.row.hasLostRow {
      object.row.loseRow()
      ReturnedRows.add(inStore: storeNumber)
    }
    guard child.resolved.hasRelationships else { return }
    for index in child.toMany.indices {
      for id in child.toMany[index].members {
        object.toMany[index].set(localID(id), isMember: true)
      }
    }
    replaceIDs(permanentIDs.byTemporaryID, in: CollectionOfOne(object))
  }

  /// Takes back an unsaved deletion, if any: the child's undo inserted the object again.
  private func absorbReturn(
    _ child: ManagedObject, into object: ManagedObject, _ former: inout [FormerPartner]
  ) {
    willChange(object)
    let (wasDeleted, before) = (object.isDeleted, (object.values, object.toMany))
    if wasDeleted {
      object.state.remove(.deleted)
      ReturnedRows.add(inStore: storeNumber)
    } else {
      former += formerPartners(of: object, child, .all(child.values.count))
    }
    for column in child.values.indices where object.values[column] != child.values[column] {
      undoManager?.record(object, column: column, to: child.values[column])
      object.values[column] = child.values[column]
      object.touched.insert(AttributeMask(index: column))
    }
    for index in object.toMany.indices {
      let wanted = Set(child.toMany[index].members.map(localID))
      for id in object.toMany[index].members.union(wanted) {
        object.toMany[index].set(id, isMember: wanted.contains(id))
      }
    }
    replaceIDs(permanentIDs.byTemporaryID, in: CollectionOfOne(object))
    guard wasDeleted || (object.values, object.toMany) != before else { return }
    if object.hasPersistentChangedValues {
      object.state.insert(.updated)
      listAsChanged(object)
    }
    changedNeedsPruning = true
    announce(object, as: wasDeleted ? .newlyInserted : .newlyUpdated)
  }

  private func absorbUpdate(
    _ child: ManagedObject, into object: ManagedObject, _ former: inout [FormerPartner]
  ) {
    // Copied once: each access to the child's row would count a reference.
    let row = child.row
    let changes = row.changes(among: child.touched)
    guard !object.isDeleted, !changes.isEmpty || child.changesMembers else { return }
    if !changes.isDisjoint(with: object.resolved.toOneColumns) {
      former += formerPartners(of: object, child, changes)
    }
    if let undoManager {
      undoManager.record(object)
      changes.forEachIndex { undoManager.record(object, column: $0, to: child.values[$0]) }
    }
    if object.row.sharesCommittedValues(of: row), !object.resolved.hasAwakeFromFetchHook {
      object.values = row.current
    } else {
      changes.forEachIndex { object.values[$0] = row.current[$0] }
    }
    object.touched.formUnion(changes)
    noteUpdated(object)
  }

  /// Call after all objects have taken the child's values. Changing a member may read the
  /// relationship, and the read leaves out members that these values have moved to other objects.
  private func absorbMembers(of child: ManagedObject, into object: ManagedObject?) {
    guard child.resolved.hasRelationships, !child.isDeleted, !child.isInserted, let object,
      !object.isDeleted
    else { return }
    for index in child.toMany.indices where child.toMany[index].hasChanges {
      let members = child.toMany[index]
      for id in members.added { setMember(localID(id), of: object, at: index, true) }
      for id in members.removed { setMember(localID(id), of: object, at: index, false) }
    }
    if !permanentIDs.isEmpty {
      replaceIDs(permanentIDs.byTemporaryID, in: CollectionOfOne(object))
    }
  }

  /// Another child's relations that this child's new ones replace, and those that the child ended
  /// without its partner: a merge had deleted the partner there, so the child does not send it.
  private func formerPartners(
    of object: ManagedObject, _ child: ManagedObject, _ changes: AttributeMask
  ) -> [FormerPartner] {
    object.resolved.toOne.enumerated().compactMap { column, relationship in
      guard changes.contains(AttributeMask(index: column)), let relationship,
        relationship.inverse != nil, let id = object.values[column].objectID,
        id != child.values[column].objectID.map(localID),
        case let committed = child.committed?.values[column].objectID,
        id != committed.map(localID) || isDeletedByMerge(committed, in: child.context)
      else { return nil }
      return FormerPartner(
        object: object, partner: self.object(with: id), relationship: relationship)
    }
  }

  private func isDeletedByMerge(
    _ id: ManagedObjectID?, in context: ManagedObjectContext?
  ) -> Bool {
    guard let id, let context, !context.missingRowIDs.isEmpty else { return false }
    return context.object(registeredFor: id)?.state.contains(.deletedByMerge) == true
  }

  /// Drops the child's new relations to objects deleted here: their delete rules came earlier.
  private func dropDeletedTargets(of child: ManagedObject) {
    guard child.resolved.hasRelationships, !child.isDeleted,
      let object = object(registeredFor: localID(child.objectID)), !object.isDeleted
    else { return }
    let changes = child.persistentChanges
    for (column, relationship) in object.resolved.toOne.enumerated()
    where relationship != nil && changes.contains(AttributeMask(index: column)) {
      if let id = object.values[column].objectID, isDeleted(id) { object.write(.null, at: column) }
    }
    for index in object.toMany.indices {
      for id in child.toMany[index].added.map(localID) where isDeleted(id) {
        object.toMany[index].set(id, isMember: false)
      }
    }
  }

  private func isDeleted(_ id: ManagedObjectID) -> Bool {
    guard let object = object(registeredFor: id) else { return hasVanished(id) }
    return !object.state.isDisjoint(with: [.deleted, .vanishing])
  }

  /// The object's ID in this context.
  private func localID(_ id: ManagedObjectID) -> ManagedObjectID {
    id.isTemporary ? permanentIDs[id] ?? id : id
  }
}

extension ContiguousArray<Value> {
  func isSameBuffer(as other: ContiguousArray<Value>) -> Bool {
    withUnsafeBufferPointer { a in
      other.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress }
    }
  }
}
