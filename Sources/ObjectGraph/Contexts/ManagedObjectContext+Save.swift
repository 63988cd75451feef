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
      postWillSave()
      processPendingChanges()
      let objects = try validatedChanges()
      switch parent {
      case .coordinator(let coordinator):
        try write(objects, to: coordinator)
      case .context(let parent):
        try parent.queue.sync(waitingAs: .parent) { try parent.absorb(objects) }
      }
      post(didSave(objects))
    }
  }

  /// Gives inserted objects permanent IDs before they are saved; they stay inserted. Goes through
  /// every ancestor to the store, and costs a transaction there.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    assertOnQueue()
    let temporary = objects.filter { $0.objectID.isTemporary }
    guard !temporary.isEmpty else { return }
    try Activity.slice(.save) {
      let ids = try reserveIDs(for: temporary.map(\.objectID))
      coordinator.register(ids)
      for (object, id) in zip(temporary, ids) { rekey(object, to: id) }
    }
  }

  /// A child's objects get their permanent IDs. One that was saved into this context before has
  /// its ID here, or gets it here too.
  private func obtainPermanentIDs(
    forChild temporary: [ManagedObjectID]
  ) throws -> [ManagedObjectID] {
    try obtainPermanentIDs(for: temporary.compactMap { registry[$0] })
    let unknown = temporary.filter { permanentIDs[$0] == nil }
    var reserved = unknown.isEmpty ? [] : try reserveIDs(for: unknown)[...]
    return temporary.map { permanentIDs[$0] ?? reserved.removeFirst() }
  }

  private func reserveIDs(for temporary: [ManagedObjectID]) throws -> [ManagedObjectID] {
    switch parent {
    case .coordinator(let coordinator):
      try coordinator.obtainPermanentIDs(for: temporary)
    case .context(let parent):
      try parent.queue.sync(waitingAs: .parent) {
        try Activity.slice(.save) { try parent.obtainPermanentIDs(forChild: temporary) }
      }
    }
  }

  private func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    permanentIDs[object.objectID] = id
    registry.rekey(object, to: id)
  }
}

// MARK: - Into the store

extension ManagedObjectContext {
  /// The objects with changes, in the order in which they were first changed.
  private func validatedChanges() throws -> ContiguousArray<ManagedObject> {
    let objects = ContiguousArray(changed.lazy.filter(\.hasChanges))
    for object in objects where !object.isDeleted {
      for (column, value) in zip(object.entity.columns, object.values)
      where value.isNull && !column.isOptional {
        throw SaveError.missingValue(entity: object.entity.name, attribute: column.name)
      }
    }
    return objects
  }

  private func write(
    _ objects: ContiguousArray<ManagedObject>, to coordinator: any PersistentStoreCoordinator
  ) throws {
    let request = saveRequest(objects)
    let insertedIDs = request.isEmpty ? [] : try coordinator.save(request)
    var remaining = insertedIDs[...]
    for object in objects {
      if object.isInserted, let id = remaining.popFirst(), id != object.objectID {
        rekey(object, to: id)
      } else if object.isInserted {
        // Its ID was permanent already, and counted; the save counted it once more.
        coordinator.unregister(CollectionOfOne(object.objectID))
      }
      let written = object.isInserted || (object.isUpdated && object.hasPersistentChangedValues)
      let version = (object.committed?.version ?? 0) + (written ? 1 : 0)
      if !object.isDeleted {
        object.committed = RowSnapshot(values: object.values, version: version)
      }
    }
  }

  private func saveRequest(_ objects: ContiguousArray<ManagedObject>) -> SaveRequest {
    var request = SaveRequest()
    for object in objects {
      if object.isInserted {
        request.inserts.append(.init(id: object.objectID, values: object.values))
      } else if object.isDeleted {
        guard !object.state.contains(.deletedByMerge) else { continue }
        request.deletes.append(
          .init(id: object.objectID, version: object.committed?.version ?? 0))
      } else {
        let changes = object.persistentChanges
        guard !changes.isEmpty else { continue }
        request.updates.append(
          .init(
            id: object.objectID, values: object.values, changed: changes,
            version: object.committed?.version ?? 0))
      }
    }
    return request
  }
}

// MARK: - Afterwards

extension ManagedObjectContext {
  /// Makes the saved objects clean and says what they were.
  private func didSave(_ objects: ContiguousArray<ManagedObject>) -> DidSave {
    var inserted: [ManagedObjectID] = []
    var updated: [ManagedObjectID] = []
    var deleted: [ManagedObjectID] = []
    for object in objects {
      if object.isInserted {
        inserted.append(object.objectID)
      } else if object.isDeleted {
        deleted.append(object.objectID)
        forget(object)
      } else {
        updated.append(object.objectID)
      }
      settle(object)
    }
    for object in changed { object.state.remove(.listedAsChanged) }
    changed.removeAll(keepingCapacity: false)
    return DidSave(
      context: self, inserted: inserted, updated: updated, deleted: deleted,
      keptAlive: objects)
  }

  private func settle(_ object: ManagedObject) {
    if object.committed == nil || !object.touched.isEmpty {
      object.committed = object.currentSnapshot
    }
    object.touched = []
    object.state.subtract([.inserted, .updated, .deleted, .listedAsChanged])
  }
}
