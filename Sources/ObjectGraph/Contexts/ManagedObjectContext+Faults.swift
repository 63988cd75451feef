import Queues

extension ManagedObjectContext {
  /// For getters and setters, which cannot throw. A read error stops the program. (Core Data raises
  /// an exception.)
  func fulfillFault(_ object: ManagedObject) {
    assertOnQueue()
    do { try readFault(object) } catch { stopUnreadable(object, error) }
  }

  /// Reads a fault's values from the nearest level that has them.
  ///
  /// Without a row, the object is marked deleted and its values read as null, as in Core Data since
  /// 2015, or the program stops (`shouldDeleteInaccessibleFaults`).
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
        releaseUnsavedRelations(to: [object.objectID])
      }
    }
  }

  func stopUnreadable(_ object: ManagedObject, _ error: any Error) -> Never {
    fatalError(
      "cannot read the row of '\(object.entity.name)' in context '\(name)': \(error);"
        + " call existingObject(with:) or refresh, which throw instead")
  }

  /// Fills a fault and calls `awakeFromFetch`. Change processing is off during the hook, so that
  /// its setters record no changes.
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

  /// Transient values stay.
  func refill(_ object: ManagedObject, with snapshot: RowSnapshot) {
    let row = object.refreshedRow(to: snapshot)
    fill(object, with: snapshot)
    object.row = row
  }

  /// Leaves unsaved relations to the object as they are.
  func markInaccessible(_ object: ManagedObject) {
    fillWithNull(object)
    markRowMissing(object)
    announce(object, as: .newlyDeleted)
  }

  func fillWithNull(_ object: ManagedObject) {
    object.values = ContiguousArray(repeating: .null, count: object.entity.columns.count)
    object.toMany = ContiguousArray(repeating: .empty, count: object.resolved.toMany.count)
    object.state.remove(.fault)
  }

  /// Nil without a row.
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

  /// Reads all rows in one visit to the parent. Nil stands for a missing row.
  func snapshotsFromParent(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try below {
      try $0.snapshots(of: ids)
    } orParent: { parent in
      try Activity.slice(.fault) { try ids.map { try parent.snapshot(forChild: $0) } }
    }
  }

  /// This level's values with unsaved changes. Without an object here, the row below.
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
  /// Transient attributes have their defaults.
  var currentSnapshot: RowSnapshot {
    RowSnapshot(values: storedValues, version: version)
  }
}
