import Queues

extension ManagedObjectContext {
  /// As `readFault`, for who cannot be told of an error, such as a getter's caller: a store that cannot
  /// be read stops the program. (Core Data raises an exception.)
  func fulfillFault(_ object: ManagedObject) {
    assertOnQueue()
    do { try readFault(object) } catch { stopReading(object, error) }
  }

  /// Brings the values of a fault from the nearest level that has them.
  ///
  /// Where the row is gone, the object is marked deleted and reads as null throughout, as Core Data
  /// does since 2015; or the program stops, if `shouldDeleteInaccessibleFaults` is off.
  /// - Throws: what the store throws; the object stays a fault.
  func readFault(_ object: ManagedObject) throws {
    try Activity.slice(.fault) {
      Activity.count(.faultsFired)
      if let snapshot = try snapshotFromParent(of: object.objectID) {
        fill(object, with: snapshot)
        object.entity.hooks.awakeFromFetch?(object)
      } else {
        precondition(
          shouldDeleteInaccessibleFaults,
          "the row of a fault of '\(object.entity.name)' in context '\(name)' is gone: another context"
            + " deleted it")
        markInaccessible(object)
      }
    }
  }

  func stopReading(_ object: ManagedObject, _ error: any Error) -> Never {
    fatalError(
      "the store cannot be read for a fault of '\(object.entity.name)' in context '\(name)': \(error);"
        + " existingObject(with:) and refresh throw instead")
  }

  func fill(_ object: ManagedObject, with snapshot: RowSnapshot) {
    object.row = ObjectRow(snapshot)
    object.touched = []
    object.refaultToMany()
    object.state.remove(.fault)
  }

  private func markInaccessible(_ object: ManagedObject) {
    object.values = ContiguousArray(repeating: .null, count: object.entity.columns.count)
    object.toMany = ContiguousArray(repeating: .empty, count: object.resolved.toMany.count)
    object.state.remove(.fault)
    markRowGone(object)
    announce(object, as: .newlyDeleted)
  }

  /// One row from the level above; nil if there is none.
  func snapshotFromParent(of id: ManagedObjectID) throws -> RowSnapshot? {
    switch parent {
    case .coordinator(let coordinator):
      return id.isTemporary ? nil : try reader(coordinator).snapshot(of: id)
    case .context(let parent):
      return try asking(parent) {
        try Activity.slice(.fault) { try parent.snapshot(forChild: id) }
      }
    }
  }

  /// Several rows from the level above, in one visit; nil where there is none.
  func snapshotsFromParent(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    switch parent {
    case .coordinator(let coordinator):
      return try reader(coordinator).snapshots(of: ids)
    case .context(let parent):
      return try asking(parent) {
        try Activity.slice(.fault) { try ids.map { try parent.snapshot(forChild: $0) } }
      }
    }
  }

  /// A child's fault: answered by this level's object if there is one, with its unsaved values,
  /// otherwise by the level above, without registering anything here.
  private func snapshot(forChild id: ManagedObjectID) throws -> RowSnapshot? {
    guard let object = currentObject(registeredFor: id) else {
      return try snapshotFromParent(of: settledIDs[id] ?? id)
    }
    guard object.state.isDisjoint(with: [.deleted, .vanishing]) else { return nil }
    if object.isFault { try readFault(object) }
    return object.isDeleted ? nil : object.currentSnapshot
  }
}

extension ManagedObject {
  /// What a child takes for this object's row: the values as they are here, saved or not, but for
  /// transient ones.
  var currentSnapshot: RowSnapshot {
    RowSnapshot(values: storedValues, version: version)
  }
}
