import Queues

extension ManagedObjectContext {
  /// With default values.
  public func insert(_ entity: Entity) -> ManagedObject {
    insert(entity, values: entity.defaults)
  }

  /// The values are in the order of the entity's columns. Relationships must be null.
  ///
  /// - Precondition: the entity is of this model and not abstract.
  public func insert(_ entity: Entity, values: ContiguousArray<Value>) -> ManagedObject {
    assertOnQueue()
    require(
      values.count == entity.columns.count,
      "'\(entity.name)' has \(entity.columns.count) columns, not \(values.count)")
    require(!entity.isAbstract, "'\(entity.name)' is abstract; insert one of its subentities")
    let index = model.index(of: entity)
    let id = ManagedObjectID.temporary(store: coordinator.storeNumber, entityIndex: Int32(index))
    let object = insert(id, model.resolved[index], values: values)
    insertsToCharge += 1
    entity.hooks.awakeFromInsert?(object)
    return object
  }

  func insert(
    _ id: ManagedObjectID, _ resolved: ResolvedEntity, values: ContiguousArray<Value>
  ) -> ManagedObject {
    let object = ManagedObject(id, resolved, link: link, snapshot: nil)
    object.values = values
    willChange(object)
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

  public var insertedObjects: [ManagedObject] {
    assertOnQueue()
    return changed.filter(\.isInserted)
  }

  public var updatedObjects: [ManagedObject] {
    assertOnQueue()
    return changed.filter(\.isUpdated)
  }

  /// Objects that the next save will delete, and referenced objects that a merge has deleted.
  public var deletedObjects: [ManagedObject] {
    assertOnQueue()
    return changed.filter { $0.isDeleted && !$0.state.contains(.deletedByMerge) }
      + registry.objects.filter { $0.state.contains(.deletedByMerge) }
  }

  /// Whether a save would send anything.
  public var hasChanges: Bool {
    assertOnQueue()
    return changed.contains(where: \.isPending)
  }

  /// Applies the delete rules and posts objects-did-change. Called at the end of `perform` and of a
  /// main queue's turn, and by `save`.
  public func processPendingChanges() {
    assertOnQueue()
    processPendingChanges { _ in }
  }

  /// - Parameter willPost: receives the objects of each objects-did-change before it is posted.
  func processPendingChanges(_ willPost: (ContiguousArray<ManagedObject>) -> Void) {
    if insertsToCharge > 0 {
      Activity.charge(.insert, insertsToCharge)
      insertsToCharge = 0
    }
    if propagatesDeletesAtEndOfEvent { propagateReadableDeletes() }
    while !pendingAnnouncements.isEmpty {
      Activity.slice(.changes) {
        let batch = pendingAnnouncements
        pendingAnnouncements.removeAll(keepingCapacity: false)
        willPost(batch)
        postChanges(of: batch)
        if propagatesDeletesAtEndOfEvent { propagateReadableDeletes() }
      }
    }
    if changedNeedsPruning { pruneChanged() }
    undoManager?.endGroup(in: self)
  }

  private func pruneChanged() {
    changedNeedsPruning = false
    changed.removeAll { object in
      let isChanged =
        object.isPending || object.state.intersection([.vanishing, .removed]) == .vanishing
      if !isChanged { object.state.remove(.listedAsChanged) }
      return !isChanged
    }
  }

  private func postChanges(of batch: ContiguousArray<ManagedObject>) {
    guard !observers.didChange.isEmpty else {
      for object in batch { object.state.subtract([.announcements, .listedForAnnouncement]) }
      return
    }
    let change = Self.coalesce(batch)
    if !change.isEmpty || !change.vanished.isEmpty { observers.didChange.post(change) }
  }

  private static func coalesce(_ batch: ContiguousArray<ManagedObject>) -> ObjectsDidChange {
    var change = ObjectsDidChange()
    change.reserve(for: batch)
    for object in batch {
      let kinds = object.state.intersection(.announcements)
      object.state.subtract([.announcements, .listedForAnnouncement])
      if kinds.contains(.newlyDeleted) {
        if !kinds.contains(.newlyInserted) {
          change.deleted.append(object)
        } else if object.state.isDisjoint(with: [.deleted, .vanishing, .removed]) {
          // Deleted and revived: lists must show its values again.
          change.refreshed.append(object)
        } else {
          change.vanished.append(object)
        }
      } else if kinds.contains(.newlyInserted) {
        change.inserted.append(object)
        if kinds.contains(.newlyRefreshed) { change.refreshedInsertions.append(object) }
      } else {
        if kinds.contains(.newlyUpdated) { change.updated.append(object) }
        if kinds.contains(.newlyRefreshed) { change.refreshed.append(object) }
      }
    }
    return change
  }
}

// MARK: - Change tracking

extension ManagedObjectContext {
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

  @inline(__always)
  func listAsChanged(_ object: ManagedObject) {
    guard !object.state.contains(.listedAsChanged) else { return }
    object.state.insert(.listedAsChanged)
    changed.append(object)
  }

  func announce(_ object: ManagedObject, as kind: ObjectState) {
    object.state.insert(kind)
    guard !object.state.contains(.listedForAnnouncement) else { return }
    object.state.insert(.listedForAnnouncement)
    pendingAnnouncements.append(object)
  }

  /// The objects that `body` announces, still to be posted at the end of the event.
  func announced(by body: () throws -> Void) rethrows -> ContiguousArray<ManagedObject> {
    let earlier = pendingAnnouncements
    for object in earlier { object.state.remove(.listedForAnnouncement) }
    pendingAnnouncements.removeAll()
    defer {
      for object in earlier where !object.state.contains(.listedForAnnouncement) {
        object.state.insert(.listedForAnnouncement)
        pendingAnnouncements.append(object)
      }
    }
    try body()
    return pendingAnnouncements
  }

  func forget(_ object: ManagedObject) {
    if withdraw(object) { coordinator.unregister([object.objectID]) }
  }

  /// - Returns: whether the coordinator must unregister the ID.
  func withdraw(_ object: ManagedObject) -> Bool {
    object.state.insert(.removed)
    if object.state.contains(.listedAsChanged) { changedNeedsPruning = true }
    if !retained.isEmpty { retained.remove(object) }
    return registry.remove(object.objectID)
  }
}

extension AttributeMask {
  static func all(_ count: Int) -> AttributeMask {
    AttributeMask(rawValue: count == 64 ? .max : (1 << UInt64(count)) - 1)
  }
}
