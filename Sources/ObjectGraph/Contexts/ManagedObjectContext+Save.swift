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
      try propagateDeletes()
      postWillSave()
      callWillSaveHooks()
      try propagateDeletes()
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
      return SentChanges(objects: objects)
    }
  }

  /// The objects with changes, in the order in which they were first changed.
  func validatedChanges() throws -> ContiguousArray<ManagedObject> {
    let objects = changed.allSatisfy(\.isPending) ? changed : changed.filter(\.isPending)
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
