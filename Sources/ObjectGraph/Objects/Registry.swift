// Registration is weak: an unreferenced clean object is deallocated, which bounds the cost of a
// merge. This happens on any thread, while the context looks objects up on its queue:
//
//   entries  [ID ▸ slot]              the context's queue only
//                    │
//   slots    [ address │  0  │ … ]    under the lock
//                ▲         └ the deinit of an object, any thread: lock, slot = 0, note it, unlock
//                └ a lookup: lock, retain unless it is being deallocated, unlock
//
// `sweepRegistry` removes the entries of deallocated objects and frees their slots.

/// Used on the context's queue.
struct Registry {
  private let link: ContextLink
  private var stored: [ManagedObjectID: Int32] = [:]
  /// Separate, because a save removes all of them at once.
  private var temporary: [ManagedObjectID: Int32] = [:]

  init(_ link: ContextLink) {
    self.link = link
  }

  var objects: [ManagedObject] {
    (Array(stored.values) + temporary.values).compactMap { link.object(in: $0) }
  }

  /// Counts dead objects too.
  var hasTemporaryIDs: Bool { !temporary.isEmpty }

  private subscript(slotOf id: ManagedObjectID) -> Int32? {
    get { id.isTemporary ? temporary[id] : stored[id] }
    set { if id.isTemporary { temporary[id] = newValue } else { stored[id] = newValue } }
  }

  subscript(id: ManagedObjectID) -> ManagedObject? {
    guard let slot = self[slotOf: id] else { return nil }
    return link.object(in: slot)
  }

  func objects(for ids: [ManagedObjectID]) -> [ManagedObject?] {
    link.objects(in: ids.map { self[slotOf: $0] ?? -1 })
  }

  mutating func reserve(_ additional: Int) {
    stored.reserveCapacity(stored.count + additional)
  }

  /// - Returns: whether the ID had no entry before. The row cache must then count it.
  mutating func add(_ object: ManagedObject) -> Bool {
    if object.slot < 0 { link.admit(object) }
    return add(object.objectID, object.slot)
  }

  /// - Parameter newObjects: objects with different IDs.
  /// - Returns: the IDs that already had entries.
  mutating func add(_ newObjects: NewObjects) -> [ManagedObjectID] {
    link.admit(newObjects)
    var known: [ManagedObjectID] = []
    for (id, slot) in zip(newObjects.ids, newObjects.slots) where !add(id, slot) {
      known.append(id)
    }
    return known
  }

  private mutating func add(_ id: ManagedObjectID, _ slot: Int32) -> Bool {
    id.isTemporary
      ? temporary.updateValue(slot, forKey: id) == nil
      : stored.updateValue(slot, forKey: id) == nil
  }

  mutating func remove(_ id: ManagedObjectID) -> Bool {
    id.isTemporary
      ? temporary.removeValue(forKey: id) != nil : stored.removeValue(forKey: id) != nil
  }

  mutating func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    temporary.removeValue(forKey: object.objectID)
    addID(id, to: object)
  }

  /// For a save. The temporary ID stays until `removeTemporaryIDs(_:)`.
  mutating func addID(_ id: ManagedObjectID, to object: ManagedObject) {
    object.objectID = id
    stored[id] = object.slot
  }

  /// - Precondition: each was the temporary ID of another registered object.
  mutating func removeTemporaryIDs(_ ids: [ManagedObjectID]) {
    assert(Set(ids).isSubset(of: temporary.keys) && Set(ids).count == ids.count)
    if ids.count == temporary.count { return temporary.removeAll() }
    for id in ids { temporary.removeValue(forKey: id) }
  }

  /// - Returns: the removed IDs. An ID with a newer object stays.
  mutating func sweep(_ dead: [ContextLink.Dead]) -> [ManagedObjectID] {
    dead.compactMap { object in
      guard self[slotOf: object.id] == object.slot else { return nil }
      self[slotOf: object.id] = nil
      return object.id
    }
  }

  /// - Returns: permanent IDs by slot, which is roughly the order in which their rows were
  ///   allocated. Freeing rows in this order leaves contiguous free memory.
  mutating func removeAll() -> [ManagedObjectID] {
    var ids = [ManagedObjectID?](repeating: nil, count: link.slotCount)
    for (id, slot) in stored { ids[Int(slot)] = id }
    assert(ids.count { $0 != nil } == stored.count, "an object has two permanent IDs")
    stored.removeAll()
    temporary.removeAll()
    return ids.compactMap(\.self)
  }
}
