import Queues

extension ManagedObjectContext {
  func objectsFromParent(_ request: FetchRequest) throws -> [ManagedObject] {
    switch parent {
    case .coordinator(let coordinator):
      guard request.includesPropertyValues else {
        return faults(of: try reader(coordinator).fetchIDs(request))
      }
      return materialise(
        try registeredRows(request, by: reader(coordinator)),
        asFaults: request.returnsObjectsAsFaults)
    case .context(let parent):
      var awaking: [ManagedObject] = []
      let objects = try onQueue(of: parent) {
        // With a main-queue parent, the block runs on main's thread, where it counts as a fetch.
        try Activity.slice(.fetch) {
          let adopted = try adoptObjects(of: parent, by: request, &awaking)
          // As in Core Data, parent objects are unregistered when deallocated, not at the parent's
          // next use.
          parent.sweepRegistry()
          return adopted
        }
      }
      // The hooks may read from the parent.
      for object in awaking { awake(object) }
      return objects
    }
  }

  private func adoptObjects(
    of parent: ManagedObjectContext, by request: FetchRequest, _ awaking: inout [ManagedObject]
  ) throws -> [ManagedObject] {
    let theirs = try parent.fetch(request.withoutPrefetching)
    adoptPermanentIDs(of: parent)
    return adopt(theirs, asFaults: request.leavesFaults, &awaking)
  }

  func registeredRows(
    _ request: FetchRequest, by reader: any PersistentStoreCoordinator
  ) throws -> [FetchedRow] {
    let rows = try reader.fetch(request)
    if reader !== coordinator { coordinator.register(rows.map(\.id)) }
    return rows
  }

  /// - Parameter rows: rows with different IDs, each registered once. Objects registered before
  ///   give this registration back.
  func materialise(_ rows: consuming [FetchedRow], asFaults: Bool) -> [ManagedObject] {
    // The standard library would write the count into the storage that all empty arrays share.
    if rows.isEmpty { return [] }
    registry.reserve(rows.count)
    var registeredBefore: [ManagedObjectID] = []
    var new = link.reserve(rows.count)
    var kind = model.resolved[0]
    // Read once: `model` asks the coordinator, which would cost each row a call and a reference.
    let hasHooks = model.hasAwakeFromFetchHooks
    var awaking: [ManagedObject] = []
    func object(of row: inout FetchedRow) -> ManagedObject {
      if let object = registry[row.id] {
        registeredBefore.append(row.id)
        if object.isFault && !asFaults {
          fill(object, with: row.takeSnapshot())
          if hasHooks { awaking.append(object) }
        }
        return object
      }
      let entityIndex = Int(row.id.entityIndex)
      if kind.index != entityIndex { kind = model.resolved[entityIndex] }
      let object = ManagedObject(
        row.id, kind, link: link, snapshot: asFaults ? nil : row.takeSnapshot())
      new.add(object)
      if !asFaults, hasHooks { awaking.append(object) }
      return object
    }
    let objects = rows.withUnsafeMutableBufferPointer { rows in
      // `map` would cost four more calls per row.
      [ManagedObject](unsafeUninitializedCapacity: rows.count) { objects, count in
        while count < rows.count {
          objects.initializeElement(at: count, to: object(of: &rows[count]))
          count += 1
        }
      }
    }
    registeredBefore += register(new, among: objects)
    if !registeredBefore.isEmpty { coordinator.unregister(registeredBefore) }
    for object in awaking { awake(object) }
    return objects
  }

  private func faults(of ids: [ManagedObjectID]) -> [ManagedObject] {
    coordinator.register(ids)
    let rows = ids.map { FetchedRow(id: $0, snapshot: RowSnapshot(values: [], version: 0)) }
    return materialise(rows, asFaults: true)
  }

  /// Runs while the parent's queue is held.
  ///
  /// - Parameter awaking: receives the realised objects, whose hook must be called.
  private func adopt(
    _ parents: [ManagedObject], asFaults: Bool, _ awaking: inout [ManagedObject]
  ) -> [ManagedObject] {
    registry.reserve(parents.count)
    var registered: [ManagedObjectID] = []
    let hasHooks = model.hasAwakeFromFetchHooks
    let objects = parents.map { theirs in
      if let object = object(registeredFor: theirs.objectID) {
        if object.isFault && !asFaults {
          fill(object, with: theirs.currentSnapshot)
          if hasHooks { awaking.append(object) }
        }
        return object
      }
      let object = ManagedObject(
        theirs.objectID, theirs.resolved, link: link,
        snapshot: asFaults || theirs.isFault ? nil : theirs.currentSnapshot)
      if register(object) { registered.append(object.objectID) }
      if !object.isFault, hasHooks { awaking.append(object) }
      return object
    }
    coordinator.register(registered)
    return objects
  }
}

extension FetchRequest {
  /// Whether fetched objects stay faults. A fetch without property values cannot realise them.
  var leavesFaults: Bool { returnsObjectsAsFaults || !includesPropertyValues }

  var withoutPrefetching: FetchRequest {
    var request = self
    request.relationshipKeyPathsForPrefetching = []
    return request
  }
}
