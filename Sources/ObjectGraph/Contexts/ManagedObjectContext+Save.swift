import Queues

extension ManagedObjectContext {
  /// Sends the pending changes one level: from a root context to SQLite, from a child into its
  /// parent, whose queue is occupied meanwhile.
  ///
  /// The order is objects-did-change, will-save, the write, did-save. Did-save is posted even
  /// without changes.
  /// - Throws: `SaveError`, or the store's errors. Nothing is then written, no did-save is posted,
  ///   and all changes stay pending. Changes made by the merge policy also stay; `rollback`
  ///   discards them.
  public func save() throws {
    assertOnQueue()
    try Activity.slice(.save) {
      sweepRegistry()
      processPendingChanges()
      try propagateDeletes()
      observers.willSave.post(())
      let announced = try processedChanges()
      try callWillSaveHooks(
        of: model.hasWillSaveHooks ? changed.filter(\.isPending) : announced
      ) { callHooks in
        callHooks()
        return try processedChanges()
      }
      #if TOPOBENCH_PLANTED_BUGS
        if PlantedBug.earlyMerge.isActive {
          let updated = ChangedObjectIDs(updated: changed.map(\.objectID))
          notifyAutomaticMergers(of: DidSave(of: updated, by: self))
        }
      #endif
      let sent = try sendChanges()
      slowDown(.save, objects: sent.objects.count)
      if !sent.objects.isEmpty { Activity.charge(.save) }
      // The save's simulated cost is paid before observers start work on other queues.
      Activity.pay()
      let save = didSave(sent)
      // The policy found that these rows are gone.
      let found = objectsWithMissingRows()
      // Lists and observers learn of what the merge policy changed.
      if !pendingAnnouncements.isEmpty { processPendingChanges() }
      forget(withoutRows: found)
      for object in sent.objects { callDidSaveHook(of: object) }
      observers.didSave.post(save)
      #if TOPOBENCH_PLANTED_BUGS
        if !PlantedBug.earlyMerge.isActive { notifyAutomaticMergers(of: save) }
      #else
        notifyAutomaticMergers(of: save)
      #endif
      releaseVanished()
    }
  }

  private func sendChanges() throws -> SentChanges {
    switch parent {
    case .coordinator(let coordinator):
      return try write(to: coordinator)
    case .context(let parent):
      let objects = try validatedChanges()
      let returns = ReturnedRows.count(inStore: storeNumber)
      try onQueue(of: parent) { try parent.absorb(objects) }
      return SentChanges(objects: objects, returnsBefore: returns, receipt: nil)
    }
  }

  /// - Parameter round: calls the hooks and returns the objects that they changed. Rounds follow
  ///   for those, until nothing changes.
  /// - Returns: the objects that all rounds returned.
  @discardableResult
  private func callWillSaveHooks(
    of objects: ContiguousArray<ManagedObject>,
    _ round: (() -> Void) throws -> ContiguousArray<ManagedObject>
  ) rethrows -> ContiguousArray<ManagedObject> {
    var (objects, all) = (objects, ContiguousArray<ManagedObject>())
    var rounds = 0
    while !objects.isEmpty || !pendingDeletes.isEmpty {
      let current = objects
      objects = try round { for object in current { object.entity.hooks.willSave?(object) } }
      all += objects
      rounds += 1
      require(
        rounds < 1000,
        "hooks or observers of context '\(name)' changed objects 1000 times in one save; set a"
          + " value only if it differs")
    }
    return all
  }

  /// Applies delete rules too.
  ///
  /// - Returns: the changed objects that this announced, each once.
  private func processedChanges() throws -> ContiguousArray<ManagedObject> {
    try propagateDeletes()
    var objects: ContiguousArray<ManagedObject> = []
    processPendingChanges { objects += $0 }
    var known: Set<ManagedObject> = []
    return objects.filter { $0.isPending && known.insert($0).inserted }
  }

  /// A saved deletion shows until the hook returns: "You can find out if an object is marked for
  /// deletion with isDeleted." developer.apple.com/documentation/coredata/nsmanagedobject/didsave()
  private func callDidSaveHook(of object: ManagedObject) {
    guard let hook = object.entity.hooks.didSave else { return }
    let wasDeleted = object.state.contains(.removed)
    if wasDeleted { object.state.insert(.deleted) }
    hook(object)
    if wasDeleted { object.state.remove(.deleted) }
  }

  /// Changes many rows at once. The request occupies the queues of all ancestors meanwhile.
  ///
  /// Nothing is validated or announced, and no object changes. Merge the result's IDs, or refresh
  /// with a staleness interval of zero. If a new row violates a uniqueness constraint, the policy
  /// `error` fails the request, policies that prefer the object update the existing row, and the
  /// others skip the new row.
  ///
  /// - Throws: `SaveError.constraint`, or the store's errors. Nothing is then written.
  @discardableResult
  public func execute(_ request: BatchRequest) throws -> BatchResult {
    assertOnQueue()
    if case .update(_, let values) = request.operation {
      for id in values.compactMap(\.value.objectID) where !id.isOf(store: storeNumber) {
        stopForeign(id)
      }
    }
    var request = request
    request.author = request.author ?? transactionAuthor
    request.contextName = request.contextName ?? name
    if request.uniquenessRule == .fail, mergePolicy != .error {
      request.uniquenessRule = mergePolicy.prefersObject ? .update : .skip
    }
    return try Activity.slice(.save) { try forward(request) }
  }

  private func forward(_ request: BatchRequest) throws -> BatchResult {
    let request = request.naming(permanentIDs.byTemporaryID)
    switch parent {
    case .coordinator(let coordinator): return try coordinator.execute(request)
    case .context(let parent):
      return try onQueue(of: parent) {
        try Activity.slice(.save) { try parent.forward(request) }
      }
    }
  }
}

// MARK: - Conflicts

// The merge policy resolves conflicts and the save repeats. Other contexts may write in between:
//
//   attempts 1 to 3   others can write:  conflict ─ policy ─ hooks ─ write ─ conflict …
//   then              nobody else can:   conflict ─ policy ─ hooks ─ write ─ commit

extension ManagedObjectContext {
  private static let optimisticAttempts = 3

  /// - Parameter settle: returns what to write instead after a conflict.
  func commit(
    _ request: SaveRequest, to coordinator: any PersistentStoreCoordinator,
    settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt {
    var request = request
    for _ in 0..<Self.optimisticAttempts {
      do { return try coordinator.commit(request) } catch let error as SaveError {
        request = try settle(error)
      }
    }
    return try coordinator.commit(request, settling: settle)
  }

  /// Applies the merge policy, and calls hooks again. Posts nothing: the coordinator may hold its
  /// locks.
  ///
  /// - Returns: the changes that remain, validated.
  func settle(
    _ error: SaveError, by resolution: inout ConflictResolution
  ) throws -> ContiguousArray<ManagedObject> {
    try checkTargets(missingIn: error)
    // A pinned context would read rows that are older than the conflict.
    if mergePolicy != .error || conflictHandler != nil { advanceGeneration() }
    var settled = try announced {
      try withoutUndo {
        try resolution.resolve(error)
        try propagateDeletes()
      }
    }
    if model.hasWillSaveHooks {
      settled += try callWillSaveHooks(of: settled.filter(\.isPending)) { callHooks in
        try announced {
          callHooks()
          try propagateDeletes()
        }.filter(\.isPending)
      }
    }
    return try validatedChanges(callingHooksOf: Set(settled))
  }

}
