import Queues

extension ManagedObjectContext {
  /// Gives inserted objects permanent IDs before a save. Passes through every ancestor and costs a
  /// transaction in the store.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    assertOnQueue()
    // An object that has left the context stays out of it.
    let temporary = objects.filter { $0.objectID.isTemporary && !$0.state.contains(.removed) }
    guard !temporary.isEmpty else { return }
    try Activity.slice(.save) {
      let old = temporary.map(\.objectID)
      let ids = try reserveIDs(for: old)
      // An object listed twice already has its ID the second time.
      for (object, id) in zip(temporary, ids) where object.objectID.isTemporary {
        rekey(object, to: id)
        coordinator.register([id])
      }
      if model.hasRelationships {
        let new = Dictionary(zip(old, ids)) { first, _ in first }
        replaceIDs(new, in: changed)
        replaceIDs(new, in: objectsWithMissingRows())
      }
    }
  }

  /// Gives IDs to objects that the child saved here, and reserves them for its other objects.
  private func obtainPermanentIDs(
    forChild temporary: [ManagedObjectID]
  ) throws -> [ManagedObjectID] {
    try obtainPermanentIDs(for: temporary.compactMap { registry[$0] })
    let unknown = temporary.filter { permanentIDs[$0] == nil }
    guard !unknown.isEmpty else { return temporary.compactMap { permanentIDs[$0] } }
    // The visit to the parent may make some of them known here.
    let reserved = Dictionary(zip(unknown, try reserveIDs(for: unknown))) { first, _ in first }
    return temporary.compactMap { permanentIDs[$0] ?? reserved[$0] }
  }

  private func reserveIDs(for temporary: [ManagedObjectID]) throws -> [ManagedObjectID] {
    switch parent {
    case .coordinator(let coordinator):
      try coordinator.obtainPermanentIDs(for: temporary)
    case .context(let parent):
      try onQueue(of: parent) {
        try Activity.slice(.save) { try parent.obtainPermanentIDs(forChild: temporary) }
      }
    }
  }

  func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    permanentIDs.append(object.objectID, id)
    registry.rekey(object, to: id)
  }
}

// MARK: - Permanent IDs from the parent

extension ManagedObjectContext {
  /// Whether a child may take over a temporary ID from here.
  private var namesNewObjects: Bool { hasNewObjects || sharesTemporaryIDs }

  /// Replaces temporary IDs that became permanent in the parent since this child's last visit, so
  /// that each row has one object. Core Data does not specify the moment. Runs while the parent's
  /// queue is held.
  func adoptPermanentIDs(of parent: ManagedObjectContext) {
    if idsAdopted != parent.permanentIDs.end { adopt(parent.permanentIDs) }
    // The parent's merge policy may insert an object again that only this child has.
    let mayNameNewObjects = parent.namesNewObjects || registry.hasTemporaryIDs
    guard sharesTemporaryIDs != mayNameNewObjects else { return }
    sharesTemporaryIDs.toggle()
    if sharesTemporaryIDs { parent.addIDFollower(self) }
  }

  func adoptAllPermanentIDs() {
    guard case .context(let parent) = parent, sharesTemporaryIDs else { return }
    onQueue(of: parent) { parent.adoptAllPermanentIDs() }
  }

  private func adopt(_ theirs: PermanentIDLog) {
    let new = theirs.since(idsAdopted)
    idsAdopted = theirs.end
    guard sharesTemporaryIDs else { return }
    var registered: [ManagedObjectID] = []
    for (old, id) in new {
      if let object = registry[old], registry[id] == nil {
        rekey(object, to: id)
        registered.append(id)
      } else if permanentIDs[old] == nil {
        permanentIDs.append(old, id)
      }
    }
    coordinator.register(registered)
    let ids = Dictionary(new, uniquingKeysWith: { $1 })
    if model.hasRelationships { replaceIDs(ids, in: registry.objects) }
    trimPermanentIDs()
  }

  /// The permanent ID if an ancestor has assigned it, otherwise the same ID.
  func currentID(of id: ManagedObjectID) -> ManagedObjectID {
    guard id.isTemporary, registry[id] == nil else { return id }
    if let permanent = permanentIDs[id] { return permanent }
    guard case .context(let parent) = parent else { return id }
    return onQueue(of: parent) { parent.currentID(of: id) }
  }

  func trimPermanentIDs() {
    guard permanentIDs.isLong, undoManager == nil else { return }
    permanentIDs.trim(first: idsAdoptedByAll) { registry[$0] != nil }
  }

  var idsAdoptedByAll: Int {
    let behind = idFollowers.compactMap(\.context).filter(\.sharesTemporaryIDs)
    return behind.map(\.idsAdopted).min() ?? permanentIDs.end
  }

  private func addIDFollower(_ child: ManagedObjectContext) {
    idFollowers.removeAll { $0.context == nil || $0.context === child }
    idFollowers.append(WeakContext(context: child))
  }

}
