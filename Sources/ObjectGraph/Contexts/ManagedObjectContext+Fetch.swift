import Queues

extension ManagedObjectContext {
  /// The matching objects, as the store has them and with this context's pending changes (and its
  /// ancestors') laid over.
  ///
  /// Always goes to SQLite, through every ancestor. An object that is registered here already is
  /// returned as it is, with the values that it has.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      sweepRegistry()
      let pending = pendingObjects(of: request)
      let stored = requestForParent(request, pending: pending.count)
      var objects = try objectsFromParent(stored)
      if !pending.isEmpty { overlay(pending, on: &objects, for: request) }
      return objects
    }
  }

  /// How many objects match, pending changes laid over.
  public func count(_ request: FetchRequest) throws -> Int {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      guard pendingObjects(of: request).isEmpty else {
        // Which of the pending objects the store counts can only be told by their IDs.
        return try fetch(request).count
      }
      switch parent {
      case .coordinator(let coordinator):
        return try reader(coordinator).count(request)
      case .context(let parent):
        return try parent.queue.sync(waitingAs: .parent) { try parent.count(request) }
      }
    }
  }

  private func pendingObjects(of request: FetchRequest) -> [ManagedObject] {
    changed.filter { request.covers($0.entity) && $0.hasChanges }
  }

  /// With pending changes, the store's first rows may leave and others take their place, and the
  /// order is made here.
  private func requestForParent(_ request: FetchRequest, pending: Int) -> FetchRequest {
    guard pending > 0 else { return request }
    var request = request
    request.limit = request.limit.map { $0 + pending }
    if !request.sortDescriptors.isEmpty { request.returnsObjectsAsFaults = false }
    return request
  }

  private func overlay(
    _ pending: [ManagedObject], on objects: inout [ManagedObject], for request: FetchRequest
  ) {
    for object in pending { object.state.insert(.marked) }
    objects.removeAll { $0.state.contains(.marked) }
    for object in pending { object.state.remove(.marked) }
    objects += pending.filter { object in
      !object.isDeleted && request.predicate?.matches(object) != false
    }
    if !request.sortDescriptors.isEmpty {
      objects.sort { $0.precedes($1, by: request.sortDescriptors) }
    }
    if let limit = request.limit { objects = Array(objects.prefix(limit)) }
  }
}

// MARK: - Through the levels

extension ManagedObjectContext {
  private func objectsFromParent(_ request: FetchRequest) throws -> [ManagedObject] {
    switch parent {
    case .coordinator(let coordinator):
      let reader = try reader(coordinator)
      let rows = try reader.fetch(request)
      if reader !== coordinator { coordinator.register(rows.map(\.id)) }
      var excess: [ManagedObjectID] = []
      let objects = materialise(
        rows, asFaults: request.returnsObjectsAsFaults, registeredBefore: &excess)
      if !excess.isEmpty { coordinator.unregister(excess) }
      return objects
    case .context(let parent):
      return try parent.queue.sync(waitingAs: .parent) {
        // The parent's thread may be another, and is at work for all of this.
        try Activity.slice(.fetch) {
          try adopt(parent.fetch(request), asFaults: request.returnsObjectsAsFaults)
        }
      }
    }
  }

  /// The objects of these rows, which are of different IDs.
  private func materialise(
    _ rows: [FetchedRow], asFaults: Bool, registeredBefore: inout [ManagedObjectID]
  ) -> [ManagedObject] {
    registry.reserve(rows.count)
    var new: [ManagedObject] = []
    new.reserveCapacity(rows.count)
    var kind = model.resolved[0]
    let objects = rows.withUnsafeBufferPointer { rows in
      rows.indices.map { index in
        if let object = registry[rows[index].id] {
          registeredBefore.append(rows[index].id)
          if object.isFault && !asFaults { fill(object, with: rows[index].snapshot) }
          return object
        }
        let place = Int(rows[index].id.entityIndex)
        if kind.index != place { kind = model.resolved[place] }
        let object = ManagedObject(
          rows[index].id, kind, link: link, snapshot: asFaults ? nil : rows[index].snapshot)
        new.append(object)
        return object
      }
    }
    registeredBefore += register(new)
    return objects
  }

  /// Makes this context's own objects of its parent's. Runs while the parent's queue is held.
  private func adopt(_ parents: [ManagedObject], asFaults: Bool) -> [ManagedObject] {
    registry.reserve(parents.count)
    var registered: [ManagedObjectID] = []
    let objects = parents.map { theirs in
      if let object = object(registeredFor: theirs.objectID) {
        if object.isFault && !asFaults { fill(object, with: theirs.currentSnapshot) }
        return object
      }
      let object = ManagedObject(
        theirs.objectID, theirs.resolved, link: link,
        snapshot: asFaults || theirs.isFault ? nil : theirs.currentSnapshot)
      if register(object) { registered.append(object.objectID) }
      return object
    }
    coordinator.register(registered)
    return objects
  }
}

extension ManagedObject {
  /// The order of a fetch: by the descriptors, then by ID so that it is total.
  func precedes(_ other: ManagedObject, by descriptors: [SortDescriptor]) -> Bool {
    if isFault { realise() }
    if other.isFault { other.realise() }
    let order = descriptors.order(values, other.values)
    return order == 0 ? objectID.number < other.objectID.number : order < 0
  }
}
