import Queues

extension ManagedObjectContext {
  /// Takes in what a child saves. Runs on this context's queue while the child's thread waits, or is
  /// the one that runs it; so the child's objects may be read.
  ///
  /// Every changed object is copied: looked up or brought in here, its changed columns and members
  /// set. The copy shares the child's buffer where this level had no values of its own. Ends with
  /// one objects-did-change, before anything is durable.
  /// - Throws: what the store throws when a row has to be read. Nothing was taken in then.
  func absorb(_ children: ContiguousArray<ManagedObject>) throws {
    try Activity.slice(.pushUp) {
      sweepRegistry()
      // What main pushes on into a context of its own thread's making is not pushed into main.
      if queue is any RunLoopQueue { Activity.count(.objectsCopied, children.count) }
      let mine = try counterparts(of: children)
      let targets = try targets(ofDeleted: children, mine)
      changed.reserveCapacity(changed.count + children.count)
      news.reserveCapacity(news.count + children.count)
      for index in children.indices { absorb(children[index], into: mine[index]) }
      if model.hasRelationships { for child in children { dropDeletedTargets(of: child) } }
      processPendingChanges()
      withExtendedLifetime(targets) {}
    }
  }

  /// What the rules will concern of what the child deleted. (What else a cascade deletes here, which the
  /// child did not know of, is this context's own business.)
  private func targets(
    ofDeleted children: ContiguousArray<ManagedObject>, _ mine: [ManagedObject?]
  ) throws -> [ManagedObject] {
    guard model.hasRelationships else { return [] }
    let deleted = zip(children, mine).compactMap { child, object in
      child.isDeleted && object?.state.isDisjoint(with: [.fault, .deleted, .vanishing]) == true
        ? object : nil
    }
    return try readTargets(of: deleted)
  }

  private func absorb(_ child: ManagedObject, into object: ManagedObject?) {
    guard let object else {
      if child.isInserted { absorbInsert(child) }
      return
    }
    if child.isDeleted { delete(object) } else { absorbUpdate(child, into: object) }
  }

  /// This level's object for each child's, realised; nil for what is new here. Nil, too, for what was
  /// only set to what it was: that changes nothing here, and no row is read for it.
  private func counterparts(
    of children: ContiguousArray<ManagedObject>
  ) throws -> [ManagedObject?] {
    var objects = objects(registeredFor: children.map { here($0.objectID) })
    for (index, child) in children.enumerated() {
      if !child.isInserted, let object = objects[index], !object.isFault { continue }
      let isNone = child.isInserted || (child.isUpdated && !child.hasValuesToPush)
      objects[index] = isNone ? nil : try counterpart(of: child)
    }
    return objects
  }

  /// A row that is gone from the store keeps what the child knew of it, so that the save that
  /// reaches the store finds the conflict.
  private func counterpart(of child: ManagedObject) throws -> ManagedObject {
    let id = here(child.objectID)
    let object = object(registeredFor: id) ?? registerFault(id)
    if let snapshot = try snapshotFromParent(of: id) ?? child.committed {
      Activity.count(.faultsFired)
      fill(object, with: snapshot)
    }
    return object
  }

  private func absorbInsert(_ child: ManagedObject) {
    let object = insert(child.objectID, child.resolved, values: child.values)
    guard child.resolved.hasRelationships else { return }
    for index in child.toMany.indices {
      for id in child.toMany[index].members { object.toMany[index].add(here(id)) }
    }
    replaceIDs(settledIDs.permanent, in: CollectionOfOne(object))
  }

  private func absorbUpdate(_ child: ManagedObject, into object: ManagedObject) {
    let changes = child.persistentChanges
    let changesMembers = child.toMany.contains(where: \.hasChanges)
    guard !object.isDeleted, !changes.isEmpty || changesMembers else { return }
    willChange(object)
    if let committed = child.committed, object.values.isSameBuffer(as: committed.values) {
      object.values = child.values
    } else {
      changes.forEachIndex { object.values[$0] = child.values[$0] }
    }
    object.touched.formUnion(changes)
    if changesMembers { absorbMembers(of: child, into: object) }
    if object.resolved.hasRelationships, !settledIDs.isEmpty {
      replaceIDs(settledIDs.permanent, in: CollectionOfOne(object))
    }
    noteUpdated(object)
  }

  private func absorbMembers(of child: ManagedObject, into object: ManagedObject) {
    for index in child.toMany.indices where child.toMany[index].hasChanges {
      for id in child.toMany[index].added { object.toMany[index].add(here(id)) }
      for id in child.toMany[index].removed { object.toMany[index].remove(here(id)) }
    }
  }

  /// What arrives related to an object that is deleted here arrives without that relation: the delete
  /// rules have been applied, or know nothing of it.
  private func dropDeletedTargets(of child: ManagedObject) {
    guard child.resolved.hasRelationships, !child.isDeleted,
      let object = object(registeredFor: here(child.objectID)), !object.isDeleted
    else { return }
    let changes = child.persistentChanges
    for (column, relationship) in object.resolved.toOne.enumerated()
    where relationship != nil && changes.contains(AttributeMask(index: column)) {
      if let id = object.values[column].objectID, isDeleted(id) { object.write(.null, at: column) }
    }
    for index in object.toMany.indices {
      for id in child.toMany[index].added.map(here) where isDeleted(id) {
        object.toMany[index].remove(id)
      }
    }
  }

  private func isDeleted(_ id: ManagedObjectID) -> Bool {
    guard let object = object(registeredFor: id) else { return false }
    return !object.state.isDisjoint(with: [.deleted, .vanishing])
  }

  /// The ID by which this level knows an object.
  private func here(_ id: ManagedObjectID) -> ManagedObjectID {
    settledIDs[id] ?? id
  }
}

extension ManagedObject {
  fileprivate var hasValuesToPush: Bool {
    !persistentChanges.isEmpty || toMany.contains(where: \.hasChanges)
  }
}

extension ContiguousArray<Value> {
  func isSameBuffer(as other: ContiguousArray<Value>) -> Bool {
    withUnsafeBufferPointer { a in
      other.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress }
    }
  }
}
