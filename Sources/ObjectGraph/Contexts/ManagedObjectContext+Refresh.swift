import Queues

extension ManagedObjectContext {
  /// Updates an object from the level below, or turns it into a fault.
  ///
  /// - Parameter mergeChanges: if true, reads the row, from the row cache if possible, and keeps
  ///   edits. If false, the object becomes a fault and loses its edits.
  /// - Throws: the store's read errors.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    assertOnQueue()
    require(object.link === link, "an object of another context cannot be refreshed here")
    guard object.state.isDisjoint(with: [.inserted, .deleted, .vanishing, .removed]) else { return }
    undoManager?.forgetConflicts(of: object)
    if stalenessInterval == .zero { coordinator.forgetRows(of: [object.objectID]) }
    if mergeChanges {
      try refreshKeepingEdits([object])
      endDisplacedRelations(of: object)
    } else {
      refault(object)
    }
  }

  /// Clean objects become faults. Objects with edits take their new rows and keep their edits. Ends
  /// with one objects-did-change.
  public func refreshAllObjects() throws {
    assertOnQueue()
    undoManager?.forgetConflicts()
    try Activity.slice(.merge) {
      let objects = registry.objects.filter {
        $0.state.isDisjoint(with: [.inserted, .deleted, .vanishing, .removed])
      }
      if stalenessInterval == .zero { coordinator.forgetRows(of: objects.map(\.objectID)) }
      var refreshed: Set<ManagedObject> = []
      // A new row may end an edited object's relation, which changes the object at its other end.
      while case let edited = objects.filter({ $0.hasChanges && !refreshed.contains($0) }),
        !edited.isEmpty
      {
        try refreshKeepingEdits(edited)
        refreshed.formUnion(edited)
      }
      for object in objects where !object.hasChanges { refault(object) }
      processPendingChanges()
    }
  }

  /// Refreshes fetched objects whose rows have a newer version. Edits stay. Runs SQL only for rows
  /// that are no longer cached.
  ///
  /// A fetch leaves registered objects as they are, even with `shouldRefreshRefetchedObjects` (Core
  /// Data's FB7419788).
  public func refreshOutdated(_ objects: [ManagedObject]) throws {
    assertOnQueue()
    try Activity.slice(.merge) {
      let realised = objects.filter {
        $0.state.isDisjoint(with: [.fault, .inserted, .deleted, .vanishing, .removed])
      }
      let ids = realised.map(\.objectID)
      let rows =
        if case .coordinator(let coordinator) = parent {
          try reader(coordinator).cachedSnapshots(of: ids)
        } else {
          try snapshotsFromParent(of: ids)
        }
      let newer = zip(realised, rows).map { object, row in
        row.flatMap { $0.version > object.version ? $0 : nil }
      }
      refresh(realised, with: newer)
      Activity.count(.objectsRefreshed, newer.count { $0 != nil })
      processPendingChanges()
    }
  }

  /// Counts realised, unchanged objects whose rows differ in the store, or are gone. Reads these
  /// rows from SQLite in parts: all may take as much memory as the objects. The row cache forgets
  /// them.
  package func countStaleObjects() throws -> Int {
    assertOnQueue()
    let objects = registry.objects.filter { !$0.isFault && !$0.hasChanges }
    let partSize = 1000
    return try stride(from: 0, to: objects.count, by: partSize).reduce(0) { count, start in
      let part = objects[start...].prefix(partSize)
      let ids = part.map(\.objectID)
      coordinator.forgetRows(of: ids)
      defer { coordinator.forgetRows(of: ids) }
      return try count
        + zip(part, coordinator.snapshots(of: ids)).count { $1?.values != $0.storedValues }
    }
  }

  func refreshKeepingEdits(_ objects: [ManagedObject]) throws {
    var rows = try snapshotsFromParent(of: objects.map(\.objectID))
    for (index, object) in objects.enumerated() where object.isFault {
      guard let row = rows[index] else { continue }
      realise(object, with: row)
      announce(object, as: .newlyRefreshed)
      rows[index] = nil
    }
    refresh(objects, with: rows)
  }

  func refault(_ object: ManagedObject) {
    turnIntoFault(object)
    announce(object, as: .newlyRefreshed)
  }

  /// Turns to-many relationships into faults that may have gained or lost an updated row.
  func refaultMembers(amongUpdated ids: [ManagedObjectID]) {
    var kinds: Set<Int> = []
    var last: Int?
    // Most saves change objects of one entity.
    for index in ids.lazy.map({ Int($0.entityIndex) }) where index != last {
      last = index
      if !model.resolved[index].toOneColumns.isEmpty { kinds.insert(index) }
    }
    guard !kinds.isEmpty else { return }
    for object in registry.objects
    where object.state.isDisjoint(with: [.fault, .inserted, .deleted, .vanishing]) {
      for (index, relationship) in object.resolved.toMany.enumerated()
      where !relationship.isManyToMany
        && !kinds.isDisjoint(with: model.resolved[relationship.destination].kinds)
      {
        object.toMany[index].refault()
      }
    }
  }

  private func turnIntoFault(_ object: ManagedObject) {
    object.row = ObjectRow(nil)
    object.toMany = []
    object.touched = []
    object.state.remove(.updated)
    object.state.insert(.fault)
    if object.state.contains(.listedAsChanged) { changedNeedsPruning = true }
  }

  /// Discards all unsaved changes. Reads nothing and clears the undo stack.
  public func rollback() {
    assertOnQueue()
    undoManager?.removeAllActions()
    for object in changed
    where object.isPending || object.state.intersection([.vanishing, .removed]) == .vanishing {
      revert(object)
    }
    pendingDeletes.removeAll()
    for object in changed { object.state.remove(.listedAsChanged) }
    changed.removeAll()
    processPendingChanges()
  }

  private func revert(_ object: ManagedObject) {
    if object.isInserted || object.state.contains(.vanishing) {
      object.state.remove(.inserted)
      announce(object, as: .newlyDeleted)
      forget(object)
      return
    }
    if object.isDeleted { revive(object) }
    object.state.remove(.updated)
    object.touched = []
    for index in object.toMany.indices { object.toMany[index].revert() }
    guard let committed = object.committed else { return turnIntoFault(object) }
    object.row = ObjectRow(committed)
    announce(object, as: .newlyRefreshed)
  }

  func revive(_ object: ManagedObject) {
    object.state.remove(.deleted)
    ReturnedRows.add(inStore: storeNumber)
    announce(object, as: .newlyInserted)
  }

  /// Discards all objects and changes without saving, and announces it in one objects-did-change.
  public func reset() {
    assertOnQueue()
    for object in changed { object.state.insert(.removed) }
    for object in registry.objects { object.state.insert(.removed) }
    changed.removeAll()
    pendingAnnouncements.removeAll()
    pendingDeletes.removeAll()
    retained.removeAll()
    watched.removeAll()
    missingRowIDs.removeAll()
    prefetched.removeAll()
    // Children may still have temporary IDs of objects that were here.
    permanentIDs.trim(first: idsAdoptedByAll) { _ in false }
    hasNewObjects = false
    undoManager?.removeAllActions()
    releaseVanished()
    coordinator.unregister(registry.removeAll())
    advanceGeneration()
    var change = ObjectsDidChange()
    change.invalidatedAll = true
    observers.didChange.post(change)
  }
}
