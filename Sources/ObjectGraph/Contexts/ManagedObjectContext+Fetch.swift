import Queues

// A fetch goes down through every ancestor to SQLite, and its result comes up again; each level lays
// over it what it has changed and not saved:
//
//   context    stored rows without those changed here, and the changed ones that match now
//      ▲  │
//      │  ▼    as many rows more as there are changed objects, which may take the first ones' places
//   parent, or coordinator

extension ManagedObjectContext {
  /// The matching objects, as the store has them and with this context's pending changes (and its
  /// ancestors') laid over.
  ///
  /// Always goes to SQLite, through every ancestor. An object that is registered here already is
  /// returned as it is, with the values that it has. What a pending object is related to counts as it
  /// is here; a stored one is matched as it is stored, though what it is related to may have changed.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      sweepRegistry()
      let request = request.naming(settledIDs.permanent)
      let pending = pendingObjects(of: request)
      var objects = try objectsFromParent(requestForParent(request, pending))
      if !pending.isEmpty { overlay(pending, on: &objects, for: request) }
      try prefetch(request.relationshipKeyPathsForPrefetching, for: objects)
      return objects
    }
  }

  /// How many objects a fetch of the request would find.
  public func count(_ request: FetchRequest) throws -> Int {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      let request = request.naming(settledIDs.permanent)
      guard pendingObjects(of: request).isEmpty else {
        // Which of the pending objects the store counts can only be told by their IDs.
        return try fetchIDs(request).count
      }
      switch parent {
      case .coordinator(let coordinator):
        return try reader(coordinator).count(request)
      case .context(let parent):
        return try asking(parent) { try parent.count(request) }
      }
    }
  }

  /// The IDs of the matching objects, without making or registering any; those of new objects are
  /// temporary. The order is that of the store, with pending objects that it does not have at the end.
  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      sweepRegistry()
      let request = request.naming(settledIDs.permanent)
      let pending = pendingObjects(of: request)
      let stored = try idsFromParent(requestForParent(request, pending))
      return pending.isEmpty ? stored : overlay(pending, on: stored, for: request)
    }
  }

  /// The values that the store has, as `DictionaryRequest` says; null ones are left out.
  public func fetchDictionaries(_ request: DictionaryRequest) throws -> [[String: Value]] {
    try dictionaryRows(request).map(request.dictionary)
  }

  private func dictionaryRows(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      switch parent {
      case .coordinator(let coordinator):
        return try reader(coordinator).fetchDictionaries(request)
      case .context(let parent):
        return try asking(parent) { try parent.dictionaryRows(request) }
      }
    }
  }

  private func idsFromParent(_ request: FetchRequest) throws -> [ManagedObjectID] {
    switch parent {
    case .coordinator(let coordinator):
      return try reader(coordinator).fetchIDs(request)
    case .context(let parent):
      return try asking(parent) { try parent.fetchIDs(request) }
    }
  }
}

// MARK: - Pending changes

/// What a context lays over what the level below finds.
struct PendingObjects {
  /// Those that a save would send: found if they match as they are here.
  let changed: [ManagedObject]
  /// Those whose rows were found gone: deleted here, and so not found, though a row may be there
  /// again (a parent takes back its deletion).
  let gone: [ManagedObject]

  var isEmpty: Bool { changed.isEmpty && gone.isEmpty }
  var count: Int { changed.count + gone.count }
}

extension ManagedObjectContext {
  func pendingObjects(of request: FetchRequest) -> PendingObjects {
    guard request.includesPendingChanges else { return PendingObjects(changed: [], gone: []) }
    return PendingObjects(
      changed: changed.filter { request.covers($0.entity) && $0.isPending },
      gone: goneObjects().filter { request.covers($0.entity) })
  }

  /// With pending changes, the store's first rows may leave and others take their place, and the
  /// order is made here.
  func requestForParent(_ request: FetchRequest, _ pending: PendingObjects) -> FetchRequest {
    guard !pending.isEmpty else { return request }
    var request = request
    request.limit = request.limit.map { $0 + pending.count }
    if !request.sortDescriptors.isEmpty, !pending.changed.isEmpty {
      request.returnsObjectsAsFaults = false
    }
    return request
  }

  func overlay(
    _ pending: PendingObjects, on objects: inout [ManagedObject], for request: FetchRequest
  ) {
    for object in pending.changed { object.state.insert(.marked) }
    for object in pending.gone { object.state.insert(.marked) }
    objects.removeAll { $0.state.contains(.marked) }
    for object in pending.changed { object.state.remove(.marked) }
    for object in pending.gone { object.state.remove(.marked) }
    objects += pending.changed.filter { $0.isFound(by: request) }
    if !request.sortDescriptors.isEmpty, !pending.changed.isEmpty {
      objects = request.sortDescriptors.sorted(objects)
    }
    if let limit = request.limit { objects = Array(objects.prefix(limit)) }
  }

  private func overlay(
    _ pending: PendingObjects, on stored: [ManagedObjectID], for request: FetchRequest
  ) -> [ManagedObjectID] {
    var isFound: [ManagedObjectID: Bool] = [:]
    for object in pending.gone { isFound[object.objectID] = false }
    for object in pending.changed { isFound[object.objectID] = object.isFound(by: request) }
    let kept = stored.filter { isFound[$0] != false }
    let known = Set(kept)
    let added = pending.changed.map(\.objectID).filter {
      isFound[$0] == true && !known.contains($0)
    }
    return Array((kept + added).prefix(request.limit ?? .max))
  }
}

extension ManagedObject {
  fileprivate func isFound(by request: FetchRequest) -> Bool {
    !isDeleted && request.predicate?.matches(self) != false
  }
}
