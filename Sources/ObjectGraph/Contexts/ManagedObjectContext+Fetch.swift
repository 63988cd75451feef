import Queues

// A fetch passes down through every ancestor to SQLite. On the way back, each level applies its
// unsaved changes:
//
//   context    stored rows except those changed here, plus changed objects that match now
//      ▲  │
//      │  ▼    the limit grows by the number of changed objects, which may replace the first rows
//   parent, or coordinator

extension ManagedObjectContext {
  /// The matching objects in the store, with the pending changes of this context and its ancestors.
  ///
  /// Always reads SQLite, through every ancestor. Registered objects keep their current values. A
  /// pending object matches by its relationships here, a stored object by stored ones.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      sweepRegistry()
      let request = request.naming(permanentIDs.byTemporaryID)
      let pending = pendingObjects(of: request)
      var objects = try objectsFromParent(requestForParent(request, pending))
      if !pending.isEmpty { overlay(pending, on: &objects, for: request) }
      try prefetch(request.relationshipKeyPathsForPrefetching, for: objects)
      return objects
    }
  }

  public func count(_ request: FetchRequest) throws -> Int {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      let request = request.naming(permanentIDs.byTemporaryID)
      guard pendingObjects(of: request).isEmpty else {
        // Only the IDs show which pending objects the store counts.
        return try fetchIDs(request).count
      }
      return try below({ try $0.count(request) }, orParent: { try $0.count(request) })
    }
  }

  /// In the store's order; pending objects that the store did not find come last. Creates no
  /// objects.
  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      sweepRegistry()
      let request = request.naming(permanentIDs.byTemporaryID)
      let pending = pendingObjects(of: request)
      let below = requestForParent(request, pending)
      let stored = try self.below({ try $0.fetchIDs(below) }, orParent: { try $0.fetchIDs(below) })
      return pending.isEmpty ? stored : overlay(pending, on: stored, for: request)
    }
  }

  /// Stored values, without null ones.
  public func fetchDictionaries(_ request: DictionaryRequest) throws -> [[String: Value]] {
    try dictionaryRows(request).map(request.dictionary)
  }

  private func dictionaryRows(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    assertOnQueue()
    return try Activity.slice(.fetch) {
      let request = request.naming(permanentIDs.byTemporaryID)
      return try below(
        { try $0.fetchDictionaries(request) }, orParent: { try $0.dictionaryRows(request) })
    }
  }
}

// MARK: - Pending changes

/// Changes to the result of the level below.
struct PendingObjects {
  /// Objects that belong to the result if their values in this context match.
  let changed: [ManagedObject]
  /// Objects without rows. No fetch finds them, even if a parent restores a row.
  let missing: [ManagedObject]

  var isEmpty: Bool { changed.isEmpty && missing.isEmpty }
  var count: Int { changed.count + missing.count }

  /// Whether the result must be sorted here.
  func changeOrder(of request: FetchRequest) -> Bool {
    !request.sortTerms.isEmpty && !changed.isEmpty
  }
}

extension ManagedObjectContext {
  func pendingObjects(of request: FetchRequest) -> PendingObjects {
    guard request.includesPendingChanges else { return PendingObjects(changed: [], missing: []) }
    return PendingObjects(
      changed: changed.filter { request.covers($0.entity) && $0.isPending },
      missing: objectsWithMissingRows().filter { request.covers($0.entity) })
  }

  /// Raises the limit, because pending objects may leave the result. Asks for values if the result
  /// must be sorted here.
  func requestForParent(_ request: FetchRequest, _ pending: PendingObjects) -> FetchRequest {
    guard !pending.isEmpty else { return request }
    var request = request
    request.limit = request.limit.map { $0 + pending.count }
    if pending.changeOrder(of: request) { request.returnsObjectsAsFaults = false }
    return request
  }

  func overlay(
    _ pending: PendingObjects, on objects: inout [ManagedObject], for request: FetchRequest
  ) {
    // The visit to the parent may have brought permanent IDs.
    let request = request.naming(permanentIDs.byTemporaryID)
    let replaced = pending.changed + pending.missing
    for object in replaced { object.state.insert(.marked) }
    objects.removeAll { $0.state.contains(.marked) }
    for object in replaced { object.state.remove(.marked) }
    objects += pending.changed.filter { $0.isFound(by: request) }
    if pending.changeOrder(of: request) { objects = request.sortTerms.sorted(objects) }
    if let limit = request.limit { objects = Array(objects.prefix(limit)) }
  }

  private func overlay(
    _ pending: PendingObjects, on stored: [ManagedObjectID], for request: FetchRequest
  ) -> [ManagedObjectID] {
    let request = request.naming(permanentIDs.byTemporaryID)
    var isFound: [ManagedObjectID: Bool] = [:]
    for object in pending.missing { isFound[object.objectID] = false }
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
    !isDeleted && request.predicate?.holds(for: self, in: []) != false
  }
}

// MARK: - Query generations

// A pinned context reads one state of the store:
//
//   store       ─ 1 ───── 2 ──────── 3 ──────▶   commits of others
//   context     pinned ─ reads 1 ─ reads 1 ─ save ─ reads 3
//
// A save, a merge or a reset moves the context to the newest state at its next read. It always sees
// its own writes and the changes that it merged.

extension ManagedObjectContext {
  /// Nil if this context reads the newest state, and for a child.
  public var queryGenerationToken: QueryGenerationToken? {
    assertOnQueue()
    return generation
  }

  /// Pins this context to a token's state, to the state at its next read (`.current`), or to none
  /// (nil). Registered objects keep their values until refreshed.
  ///
  /// - Precondition: the parent is the token's coordinator.
  public func setQueryGeneration(from token: QueryGenerationToken?) {
    assertOnQueue()
    guard case .coordinator = parent else {
      fatalError("context '\(name)' is a child and reads from its parent; pin the root context")
    }
    require(
      token?.reader.map { $0.storeNumber == coordinator.storeNumber } != false,
      "context '\(name)' cannot be pinned to a token of another store")
    generation = token
  }

  func advanceGeneration() {
    if generation != nil { generation = .current }
  }

  func reader(
    _ coordinator: any PersistentStoreCoordinator
  ) throws -> any PersistentStoreCoordinator {
    guard let generation else { return coordinator }
    if let reader = generation.reader { return reader }
    let reader = try coordinator.generation()
    self.generation = QueryGenerationToken(reader: reader)
    return reader
  }
}
