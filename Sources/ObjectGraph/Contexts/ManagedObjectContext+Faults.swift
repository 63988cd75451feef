import Queues

extension ManagedObjectContext {
  /// Like `readFault`, for getters, which cannot throw. A read error stops the program. (Core Data
  /// raises an exception.)
  func fulfillFault(_ object: ManagedObject) {
    assertOnQueue()
    do { try readFault(object) } catch { stopUnreadable(object, error) }
  }

  /// Reads the values of a fault from the nearest level that has them.
  ///
  /// If the row is gone, the object is marked deleted and all its values read as null, as in Core
  /// Data since 2015. With `shouldDeleteInaccessibleFaults` off, the program stops instead.
  /// - Throws: the store's read errors. The object stays a fault.
  func readFault(_ object: ManagedObject) throws {
    try Activity.slice(.fault) {
      Activity.count(.faultsFired)
      if let snapshot = try snapshotFromParent(of: object.objectID) {
        realise(object, with: snapshot)
      } else {
        require(
          shouldDeleteInaccessibleFaults,
          "the row of a fault of '\(object.entity.name)' in context '\(name)' is gone: another context"
            + " deleted it")
        markInaccessible(object)
      }
    }
  }

  func stopUnreadable(_ object: ManagedObject, _ error: any Error) -> Never {
    fatalError(
      "cannot read the row of '\(object.entity.name)' in context '\(name)': \(error);"
        + " call existingObject(with:) or refresh, which throw instead")
  }

  /// Gives a fault its row and calls the hook. Change processing is off meanwhile, so that public
  /// setters make no changes.
  func realise(_ object: ManagedObject, with snapshot: RowSnapshot) {
    fill(object, with: snapshot)
    awake(object)
  }

  func awake(_ object: ManagedObject) {
    guard let hook = object.entity.hooks.awakeFromFetch else { return }
    let processesChanges = processesChanges
    self.processesChanges = false
    defer { self.processesChanges = processesChanges }
    hook(object)
  }

  func fill(_ object: ManagedObject, with snapshot: RowSnapshot) {
    object.row = ObjectRow(snapshot)
    object.touched = []
    object.refaultToMany()
    object.state.remove(.fault)
  }

  /// Gives a realised object another row. Transient values stay.
  func refill(_ object: ManagedObject, with snapshot: RowSnapshot) {
    let row = object.refreshedRow(to: snapshot)
    fill(object, with: snapshot)
    object.row = row
  }

  func markInaccessible(_ object: ManagedObject, cascading: Bool = true) {
    object.values = ContiguousArray(repeating: .null, count: object.entity.columns.count)
    object.toMany = ContiguousArray(repeating: .empty, count: object.resolved.toMany.count)
    object.state.remove(.fault)
    markRowMissing(object)
    announce(object, as: .newlyDeleted)
    releaseUnsavedRelations(to: [object.objectID], cascading: cascading)
  }

  /// One row from the level above; nil if it does not exist.
  func snapshotFromParent(of id: ManagedObjectID) throws -> RowSnapshot? {
    switch parent {
    case .coordinator(let coordinator):
      return id.isTemporary ? nil : try reader(coordinator).snapshot(of: id)
    case .context(let parent):
      return try onQueue(of: parent) {
        try Activity.slice(.fault) { try parent.snapshot(forChild: id) }
      }
    }
  }

  /// Several rows from the level above, in one visit; nil for rows that do not exist.
  func snapshotsFromParent(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    switch parent {
    case .coordinator(let coordinator):
      return try reader(coordinator).snapshots(of: ids)
    case .context(let parent):
      return try onQueue(of: parent) {
        try Activity.slice(.fault) { try ids.map { try parent.snapshot(forChild: $0) } }
      }
    }
  }

  /// The same rows, without those that a coordinator has not cached.
  func cachedSnapshotsFromParent(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    guard case .coordinator(let coordinator) = parent else {
      return try snapshotsFromParent(of: ids)
    }
    return try reader(coordinator).cachedSnapshots(of: ids)
  }

  /// The row for a child's fault: this level's object with its unsaved values, or else the row of
  /// the level above. Nothing is registered here.
  private func snapshot(forChild id: ManagedObjectID) throws -> RowSnapshot? {
    guard let object = currentObject(registeredFor: id) else {
      return try snapshotFromParent(of: permanentIDs[id] ?? id)
    }
    guard object.state.isDisjoint(with: [.deleted, .vanishing]) else { return nil }
    if object.isFault { try readFault(object) }
    return object.isDeleted ? nil : object.currentSnapshot
  }
}

extension ManagedObject {
  /// The row that a child reads, with unsaved values and the defaults of transient attributes.
  var currentSnapshot: RowSnapshot {
    RowSnapshot(values: storedValues, version: version)
  }
}
