import Queues

extension ManagedObjectContext {
  /// Makes a new object with a temporary ID. Attributes start with their defaults.
  public func insert(_ entity: Entity) -> ManagedObject {
    insert(entity, values: entity.defaults)
  }

  /// Makes a new object with these values, in the order of the entity's columns; relationships are
  /// null, to be set afterwards.
  ///
  /// - Precondition: the entity is of this model and not abstract.
  public func insert(_ entity: Entity, values: ContiguousArray<Value>) -> ManagedObject {
    assertOnQueue()
    precondition(
      values.count == entity.columns.count,
      "'\(entity.name)' has \(entity.columns.count) columns, not \(values.count)")
    precondition(!entity.isAbstract, "'\(entity.name)' is abstract; insert one of its subentities")
    let index = model.index(of: entity)
    let id = ManagedObjectID.temporary(
      store: coordinator.storeNumber, entityIndex: Int32(index))
    let object = insert(id, model.resolved[index], values: values)
    entity.hooks.awakeFromInsert?(object)
    return object
  }

  func insert(
    _ id: ManagedObjectID, _ resolved: ResolvedEntity, values: ContiguousArray<Value>
  ) -> ManagedObject {
    let object = ManagedObject(id, resolved, link: link, snapshot: nil)
    willChange(object)
    object.values = values
    if !resolved.toMany.isEmpty {
      object.toMany = ContiguousArray(repeating: .empty, count: resolved.toMany.count)
    }
    object.state = .inserted
    object.touched = .all(values.count)
    let isUncounted = register(object)
    if id.isTemporary { hasNewObjects = true } else if isUncounted { coordinator.register([id]) }
    listAsChanged(object)
    announce(object, as: .newlyInserted)
    return object
  }

  public var insertedObjects: [ManagedObject] { changed.filter(\.isInserted) }
  public var updatedObjects: [ManagedObject] { changed.filter(\.isUpdated) }

  /// Objects that the next save deletes, and those that a merge deleted and somebody still holds.
  public var deletedObjects: [ManagedObject] {
    changed.filter { $0.isDeleted && !$0.state.contains(.deletedByMerge) }
      + registry.objects.filter { $0.state.contains(.deletedByMerge) }
  }

  /// Whether a save would have anything to send.
  public var hasChanges: Bool { changed.contains(where: \.isPending) }

  /// Applies the delete rules and announces what changed since the last time in one coalesced
  /// objects-did-change. Called at the end of `perform`, at the end of a main queue's turn, and by
  /// `save`.
  public func processPendingChanges() {
    assertOnQueue()
    if propagatesDeletesAtEndOfEvent { propagateReadableDeletes() }
    while !news.isEmpty {
      Activity.slice(.changes) {
        let batch = news
        news.removeAll(keepingCapacity: false)
        postChanges(of: batch)
        if propagatesDeletesAtEndOfEvent { propagateReadableDeletes() }
      }
    }
    if changedHasGaps { delistUnchanged() }
    undoManager?.endGroup()
  }

  /// Lets go of listed objects whose changes were taken back.
  private func delistUnchanged() {
    changedHasGaps = false
    changed.removeAll { object in
      let isChanged =
        object.isPending || object.state.intersection([.vanishing, .gone]) == .vanishing
      if !isChanged { object.state.remove(.listedAsChanged) }
      return !isChanged
    }
  }

  /// One coalesced objects-did-change, if there is anybody to tell.
  private func postChanges(of batch: ContiguousArray<ManagedObject>) {
    guard isAnyoneToldOfChanges else {
      for object in batch { object.state.subtract([.news, .listedAsNews]) }
      return
    }
    let change = Self.coalesce(batch)
    if !change.isEmpty { post(change) }
  }

  private static func coalesce(_ batch: ContiguousArray<ManagedObject>) -> ObjectsDidChange {
    var change = ObjectsDidChange()
    change.reserve(for: batch)
    for object in batch {
      let news = object.state.intersection(.news)
      object.state.subtract([.news, .listedAsNews])
      if news.contains(.newlyDeleted) {
        if !news.contains(.newlyInserted) {
          change.deleted.append(object)
        } else if object.state.isDisjoint(with: [.deleted, .vanishing, .gone]) {
          // Deleted and revived, with what it held before its last edits, perhaps. (One that was made
          // and deleted between two announcements is gone, and nobody needs to know.)
          change.refreshed.append(object)
        }
      } else if news.contains(.newlyInserted) {
        change.inserted.append(object)
      } else {
        if news.contains(.newlyUpdated) { change.updated.append(object) }
        if news.contains(.newlyRefreshed) { change.refreshed.append(object) }
      }
    }
    return change
  }
}

// MARK: - Keeping account

extension ManagedObjectContext {
  /// Called before anything of an object changes by the user's doing: what undo goes back to.
  @inline(__always)
  func willChange(_ object: ManagedObject) {
    if let undoManager { undoManager.record(object) }
  }

  func noteUpdated(_ object: ManagedObject) {
    assertOnQueue()
    guard object.state.isDisjoint(with: [.deleted, .vanishing]) else { return }
    if !object.isInserted {
      object.state.insert(.updated)
      listAsChanged(object)
    }
    announce(object, as: .newlyUpdated)
  }

  func listAsChanged(_ object: ManagedObject) {
    guard !object.state.contains(.listedAsChanged) else { return }
    object.state.insert(.listedAsChanged)
    changed.append(object)
  }

  func announce(_ object: ManagedObject, as news: ObjectState) {
    object.state.insert(news)
    guard !object.state.contains(.listedAsNews) else { return }
    object.state.insert(.listedAsNews)
    self.news.append(object)
  }

  /// Takes the object out of this context for good.
  func forget(_ object: ManagedObject) {
    if withdraw(object) { coordinator.unregister([object.objectID]) }
  }

  /// - Returns: whether the coordinator has to be told.
  func withdraw(_ object: ManagedObject) -> Bool {
    object.state.insert(.gone)
    if object.state.contains(.listedAsChanged) { changedHasGaps = true }
    if !retained.isEmpty { retained.remove(object) }
    return registry.remove(object.objectID)
  }
}

extension AttributeMask {
  static func all(_ count: Int) -> AttributeMask {
    AttributeMask(rawValue: count == 64 ? .max : (1 << UInt64(count)) - 1)
  }
}
