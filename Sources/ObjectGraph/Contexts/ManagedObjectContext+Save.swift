import Queues

extension ManagedObjectContext {
  /// Sends the pending changes one level: to SQLite from a context on a coordinator, into the parent
  /// from a child, occupying the parent's queue meanwhile.
  ///
  /// In order: objects-did-change, will-save, the write, did-save (also when nothing had changed).
  /// - Throws: `SaveError`, or what the store throws. Nothing is written then, nothing posted, and
  ///   all changes stay pending.
  public func save() throws {
    assertOnQueue()
    try Activity.slice(.save) {
      sweepRegistry()
      processPendingChanges()
      propagateDeletes()
      postWillSave()
      callWillSaveHooks()
      processPendingChanges()
      let sent = try sendChanges()
      slowDown(.save, objects: sent.objects.count)
      let save = didSave(sent)
      for object in sent.objects { object.entity.hooks.didSave?(object) }
      post(save)
      tellAutomaticMergers(of: save)
    }
  }

  private func sendChanges() throws -> SentChanges {
    switch parent {
    case .coordinator(let coordinator):
      return try write(to: coordinator)
    case .context(let parent):
      let objects = try validatedChanges()
      try asking(parent) { try parent.absorb(objects) }
      // They are the parent's, too, by now.
      hasNewObjects = false
      return SentChanges(objects: objects)
    }
  }

  /// The objects with changes, in the order in which they were first changed.
  func validatedChanges() throws -> ContiguousArray<ManagedObject> {
    let objects = ContiguousArray(changed.lazy.filter(\.isPending))
    try validate(objects)
    return objects
  }

  /// Tells every object with changes that it will be saved, and again those that are changed by
  /// being told, until nothing changes any more.
  private func callWillSaveHooks() {
    guard model.hasWillSaveHooks else {
      return processPendingChanges()
    }
    var told = ContiguousArray(changed.lazy.filter(\.hasChanges))
    var rounds = 0
    while !told.isEmpty {
      processPendingChanges()
      for object in told { object.entity.hooks.willSave?(object) }
      told = ContiguousArray(news.lazy.filter(\.hasChanges))
      rounds += 1
      precondition(rounds < 1000, "willSave changed objects of context '\(name)' 1000 times over")
    }
  }
}

// MARK: - Afterwards

extension ManagedObjectContext {
  /// Makes the saved objects clean and says what they were.
  private func didSave(_ sent: SentChanges) -> DidSave {
    var inserted: [ManagedObjectID] = []
    var updated: [ManagedObjectID] = []
    var deleted: [ManagedObjectID] = []
    var forgotten: [ManagedObjectID] = []
    for object in sent.objects {
      if object.isInserted {
        inserted.append(object.objectID)
      } else if object.isDeleted {
        deleted.append(object.objectID)
        if withdraw(object) { forgotten.append(object.objectID) }
      } else if object.isUpdated {
        updated.append(object.objectID)
      }
      settle(object)
    }
    if !forgotten.isEmpty { coordinator.unregister(forgotten) }
    if changed.count != sent.objects.count {
      for object in changed { object.state.remove(.listedAsChanged) }
    }
    changed.removeAll(keepingCapacity: false)
    watched.removeAll()
    return DidSave(
      context: self, inserted: inserted, updated: updated, deleted: deleted,
      historyToken: sent.historyToken, keptAlive: sent.objects)
  }

  private func settle(_ object: ManagedObject) {
    if object.committed == nil || !object.touched.isEmpty {
      object.committed = RowSnapshot(values: object.values, version: object.version)
    }
    object.touched = []
    for index in object.toMany.indices { object.toMany[index].settle() }
    object.state.subtract([.inserted, .updated, .deleted, .listedAsChanged, .sent])
  }
}
