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
      coordinator.register(ids)
      for (object, id) in zip(temporary, ids) { rekey(object, to: id) }
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
    registry.rekey(object, to: id)
  }
}
