import Queues

extension ManagedObjectContext {
  /// Brings an object up to date with the level below, or forgets what it holds.
  ///
  /// - Parameter mergeChanges: true: the row is read now (from the row cache if it is there), and
  ///   unsaved edits stay on top. False: the object turns into a fault, and its edits are gone.
  /// - Throws: what the store throws when the row has to be read.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    assertOnQueue()
    precondition(object.link === link, "an object of another context cannot be refreshed here")
    guard object.state.isDisjoint(with: [.inserted, .deleted, .vanishing, .gone]) else { return }
    if stalenessInterval == .zero { coordinator.forgetRows(of: [object.objectID]) }
    if mergeChanges {
      try refreshKeepingEdits([object])
    } else {
      refault(object)
    }
  }

  /// Turns clean objects into faults; brings the row beneath the others up to date and keeps their
  /// edits. Ends with one objects-did-change that names all as refreshed.
  public func refreshAllObjects() throws {
    assertOnQueue()
    try Activity.slice(.merge) {
      let objects = registry.objects.filter {
        $0.state.isDisjoint(with: [.inserted, .deleted, .vanishing, .gone])
      }
      if stalenessInterval == .zero { coordinator.forgetRows(of: objects.map(\.objectID)) }
      try refreshKeepingEdits(objects.filter(\.hasChanges))
      for object in objects where !object.hasChanges {
        refault(object)
      }
      processPendingChanges()
    }
  }

  private func refreshKeepingEdits(_ objects: [ManagedObject]) throws {
    let snapshots = try snapshotsFromParent(of: objects.map(\.objectID))
    for (object, snapshot) in zip(objects, snapshots) {
      guard let snapshot else { continue }
      if object.isFault {
        fill(object, with: snapshot)
        announce(object, as: .newlyRefreshed)
      } else {
        refresh(object, with: snapshot)
      }
    }
  }

  func refault(_ object: ManagedObject) {
    turnIntoFault(object)
    announce(object, as: .newlyRefreshed)
  }

  private func turnIntoFault(_ object: ManagedObject) {
    willChange(object)
    object.row = ObjectRow(nil)
    object.toMany = []
    object.touched = []
    object.state.remove(.updated)
    object.state.insert(.fault)
    if object.state.contains(.listedAsChanged) { changedHasGaps = true }
  }

  /// Forgets all unsaved changes: inserted objects are gone, deleted ones are back, edits are undone.
  /// Nothing is read. The undo stack is cleared.
  public func rollback() {
    assertOnQueue()
    undoManager?.removeAllActions()
    for object in changed
    where object.isPending || object.state.intersection([.vanishing, .gone]) == .vanishing {
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

  /// Takes back a deletion that was not saved.
  func revive(_ object: ManagedObject) {
    object.state.remove(.deleted)
    announce(object, as: .newlyInserted)
  }

  /// Forgets every object and every change without saving, and says so in one objects-did-change.
  public func reset() {
    assertOnQueue()
    for object in changed { object.state.insert(.gone) }
    for object in registry.objects { object.state.insert(.gone) }
    changed.removeAll()
    news.removeAll()
    pendingDeletes.removeAll()
    retained.removeAll()
    watched.removeAll()
    rowsGone.removeAll()
    prefetched.removeAll()
    // Children may still name what was here by temporary IDs.
    settledIDs.trim { _ in false }
    hasNewObjects = false
    undoManager?.removeAllActions()
    coordinator.unregister(registry.removeAll())
    advanceGeneration()
    var change = ObjectsDidChange()
    change.invalidatedAll = true
    post(change)
  }
}
