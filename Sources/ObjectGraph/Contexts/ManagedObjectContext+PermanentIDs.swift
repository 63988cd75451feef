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
      for (object, id) in zip(temporary, ids) where object.objectID != id {
        rekey(object, to: id)
        coordinator.register([id])
      }
      if model.hasRelationships {
        replaceIDs(Dictionary(uniqueKeysWithValues: zip(old, ids)), in: changed)
      }
    }
  }

  /// A child's objects get their permanent IDs. One that was saved into this context before has
  /// its ID here, or gets it here too.
  private func obtainPermanentIDs(
    forChild temporary: [ManagedObjectID]
  ) throws -> [ManagedObjectID] {
    try obtainPermanentIDs(for: temporary.compactMap { registry[$0] })
    let unknown = temporary.filter { permanentIDs[$0] == nil }
    var reserved = unknown.isEmpty ? [] : try reserveIDs(for: unknown)[...]
    return temporary.map { permanentIDs[$0] ?? reserved.removeFirst() }
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
    permanentIDs[object.objectID] = id
    idsMadePermanent += 1
    registry.rekey(object, to: id)
  }
}

// MARK: - IDs that became permanent above

extension ManagedObjectContext {
  /// An object that this child made keeps its temporary ID when its ancestors save; when the child
  /// next turns to its parent, it follows, so that no second instance comes up for the row. Core Data
  /// leaves open when that happens. Runs while the parent's queue is held; costs nothing but where an
  /// ID of the parent changed.
  func followPermanentIDs(of parent: ManagedObjectContext) {
    guard !sharedTemporaryIDs.isEmpty, idsFollowed != parent.idsMadePermanent else { return }
    idsFollowed = parent.idsMadePermanent
    var replaced: [ManagedObjectID: ManagedObjectID] = [:]
    sharedTemporaryIDs.removeAll { old in
      let object = registry[old]
      // A child of this one may still hold what nobody holds here.
      guard object != nil || hasAbsorbed else { return true }
      guard let new = parent.permanentIDs[old] else { return false }
      permanentIDs[old] = new
      idsMadePermanent += 1
      // Who has the object by both IDs already keeps both.
      guard let object, registry[new] == nil else { return true }
      rekey(object, to: new)
      replaced[old] = new
      return true
    }
    guard !replaced.isEmpty else { return }
    coordinator.register(Array(replaced.values))
    if model.hasRelationships { replaceIDs(replaced, in: registry.objects) }
  }
}
