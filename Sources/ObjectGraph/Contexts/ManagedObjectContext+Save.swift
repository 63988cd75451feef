import Queues

extension ManagedObjectContext {
  /// Sends the pending changes one level: from a root context to SQLite, from a child into its
  /// parent. A child occupies the parent's queue meanwhile.
  ///
  /// The order is objects-did-change, will-save, the write, did-save. Did-save follows even without
  /// changes.
  /// - Throws: `SaveError`, or the store's errors. Nothing is then written or posted, and all
  ///   changes stay pending. If a merge policy has settled a conflict before the error, the context
  ///   keeps what it settled: `rollback` discards it with the other changes.
  public func save() throws {
    assertOnQueue()
    try Activity.slice(.save) {
      sweepRegistry()
      processPendingChanges()
      try propagateDeletes()
      observers.willSave.post(())
      callWillSaveHooks()
      try propagateDeletes()
      processPendingChanges()
      let sent = try sendChanges()
      slowDown(.save, objects: sent.objects.count)
      if !sent.objects.isEmpty { Activity.charge(.save) }
      // Observers may start work on other queues, which follows this save.
      Activity.pay()
      let save = didSave(sent)
      for object in sent.objects { object.entity.hooks.didSave?(object) }
      observers.didSave.post(save)
      notifyAutomaticMergers(of: save)
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

  /// In the order of their first change.
  ///
  /// - Parameter hooked: the objects whose `validate` hook is called; nil for all.
  func validatedChanges(
    callingHooksOf hooked: Set<ManagedObject>? = nil
  ) throws -> ContiguousArray<ManagedObject> {
    let objects = changed.allSatisfy(\.isPending) ? changed : changed.filter(\.isPending)
    try validate(objects, callingHooksOf: hooked)
    return objects
  }

  /// Calls the will-save hook of every object with changes. Objects that hooks change are called
  /// again, until hooks change nothing.
  private func callWillSaveHooks() {
    guard model.hasWillSaveHooks else {
      return processPendingChanges()
    }
    var saved = ContiguousArray(changed.lazy.filter(\.hasChanges))
    var rounds = 0
    while !saved.isEmpty {
      processPendingChanges()
      for object in saved { object.entity.hooks.willSave?(object) }
      saved = ContiguousArray(pendingAnnouncements.lazy.filter(\.hasChanges))
      rounds += 1
      checkWillSave(rounds)
    }
  }

  func checkWillSave(_ rounds: Int) {
    require(
      rounds < 1000,
      "willSave hooks of context '\(name)' changed objects 1000 times in one save; set a value only if"
        + " it differs")
  }
}
