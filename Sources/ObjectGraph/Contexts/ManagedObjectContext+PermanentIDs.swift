import Queues

extension ManagedObjectContext {
  /// Gives inserted objects permanent IDs before they are saved; they stay inserted. Goes through
  /// every ancestor to the store, and costs a transaction there.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    assertOnQueue()
    let temporary = objects.filter { $0.objectID.isTemporary }
    guard !temporary.isEmpty else { return }
    try Activity.slice(.save) {
      let old = temporary.map(\.objectID)
      let ids = try reserveIDs(for: old)
      // One that was named twice has its ID the second time.
      for (object, id) in zip(temporary, ids) where object.objectID.isTemporary {
        rekey(object, to: id)
        coordinator.register([id])
      }
      if model.hasRelationships {
        replaceIDs(Dictionary(zip(old, ids)) { first, _ in first }, in: changed)
      }
    }
  }

  /// A child's objects get their permanent IDs. One that was saved into this context before has
  /// its ID here, or gets it here too.
  private func obtainPermanentIDs(
    forChild temporary: [ManagedObjectID]
  ) throws -> [ManagedObjectID] {
    try obtainPermanentIDs(for: temporary.compactMap { registry[$0] })
    let unknown = temporary.filter { settledIDs[$0] == nil }
    var reserved = unknown.isEmpty ? [] : try reserveIDs(for: unknown)[...]
    return temporary.map { settledIDs[$0] ?? reserved.removeFirst() }
  }

  private func reserveIDs(for temporary: [ManagedObjectID]) throws -> [ManagedObjectID] {
    switch parent {
    case .coordinator(let coordinator):
      try coordinator.obtainPermanentIDs(for: temporary)
    case .context(let parent):
      try asking(parent) {
        try Activity.slice(.save) { try parent.obtainPermanentIDs(forChild: temporary) }
      }
    }
  }

  func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    settledIDs.append(object.objectID, id)
    registry.rekey(object, to: id)
  }
}

// MARK: - IDs that became permanent above

extension ManagedObjectContext {
  /// Whether a child that looks may come to name an object by a temporary ID.
  private var namesNewObjects: Bool { hasNewObjects || sharesTemporaryIDs }

  /// What this child names by temporary IDs takes the permanent ones that they became in its parent,
  /// when it next turns to that: so no second instance comes up for a row, and relationships lead to
  /// the first. Core Data leaves open when that happens. Runs while the parent's queue is held; costs
  /// nothing but where an ID of the parent changed and this child may name it.
  func followPermanentIDs(of parent: ManagedObjectContext) {
    if idsFollowed != parent.settledIDs.end { follow(parent.settledIDs) }
    // What the parent took back, and this child has still, may be made anew there by a merge policy.
    let mayNameNewObjects = parent.namesNewObjects || registry.hasTemporaryIDs
    guard sharesTemporaryIDs != mayNameNewObjects else { return }
    sharesTemporaryIDs.toggle()
    if sharesTemporaryIDs { parent.settledIDs.addFollower(self) }
  }

  /// Follows what became permanent on any level below.
  func followAllPermanentIDs() {
    guard case .context(let parent) = parent, sharesTemporaryIDs else { return }
    asking(parent) { parent.followAllPermanentIDs() }
  }

  private func follow(_ theirs: SettledIDs) {
    let new = theirs.since(idsFollowed)
    idsFollowed = theirs.end
    guard sharesTemporaryIDs else { return }
    var registered: [ManagedObjectID] = []
    for (old, id) in new {
      if let object = registry[old], registry[id] == nil {
        rekey(object, to: id)
        registered.append(id)
      } else if settledIDs[old] == nil {
        settledIDs.append(old, id)
      }
    }
    coordinator.register(registered)
    let ids = Dictionary(new, uniquingKeysWith: { $1 })
    if model.hasRelationships { replaceIDs(ids, in: registry.objects) }
    trimSettledIDs()
  }

  /// The ID by which the levels below know an object now: the same, but where that became permanent.
  func currentID(of id: ManagedObjectID) -> ManagedObjectID {
    guard id.isTemporary, registry[id] == nil else { return id }
    if let settled = settledIDs[id] { return settled }
    guard case .context(let parent) = parent else { return id }
    return asking(parent) { parent.currentID(of: id) }
  }

  /// Forgets temporary IDs that nobody needs to be followed any more.
  func trimSettledIDs() {
    guard settledIDs.isLong, undoManager == nil else { return }
    settledIDs.trim { registry[$0] != nil }
  }

  /// A save gave this many objects their IDs. Room is made before they come, since all of them are in
  /// use and none could be forgotten.
  func expectPermanentIDs(_ count: Int) {
    guard count > 0 else { return }
    trimSettledIDs()
    settledIDs.reserve(count)
  }
}
