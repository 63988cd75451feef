// Registration is weak: a clean object that nobody holds leaves by itself, which is what bounds the
// cost of a merge. Objects die on any thread, while their context looks them up on its queue:
//
//   entries  [ID ▸ slot]              the context's queue only
//                    │
//   slots    [ address │  0  │ … ]    under the lock
//                ▲         └ the end of an object, on any thread: lock, slot = 0, note it, unlock
//                └ a lookup: lock, retain unless at its end, unlock
//
// An entry whose object died is the same as none. It is removed, and the slot used again, when the
// context's queue hears of it: at the next operation that asks how many.

/// One instance per ID, held weakly. Used on the context's queue.
struct Registry {
  private let link: ContextLink
  private var stored: [ManagedObjectID: Int32] = [:]
  /// Apart, because a save makes all of them permanent, and then they go at once.
  private var temporary: [ManagedObjectID: Int32] = [:]

  init(_ link: ContextLink) {
    self.link = link
  }

  /// The registered objects that are alive.
  var objects: [ManagedObject] {
    (Array(stored.values) + temporary.values).compactMap { link.object(in: $0) }
  }

  /// Also of an object that died and was not yet heard of.
  var hasTemporaryIDs: Bool { !temporary.isEmpty }

  private subscript(slotOf id: ManagedObjectID) -> Int32? {
    get { id.isTemporary ? temporary[id] : stored[id] }
    set { if id.isTemporary { temporary[id] = newValue } else { stored[id] = newValue } }
  }

  subscript(id: ManagedObjectID) -> ManagedObject? {
    guard let slot = self[slotOf: id] else { return nil }
    return link.object(in: slot)
  }

  /// As the subscript, for many IDs.
  func objects(for ids: [ManagedObjectID]) -> [ManagedObject?] {
    link.objects(in: ids.map { self[slotOf: $0] ?? -1 })
  }

  /// - Parameter additional: how many rows will be registered.
  mutating func reserve(_ additional: Int) {
    stored.reserveCapacity(stored.count + additional)
  }

  /// - Returns: whether the ID had no entry before, so that the row cache must count it.
  mutating func add(_ object: ManagedObject) -> Bool {
    if object.slot < 0 { link.admit(object) }
    return add(object.objectID, object.slot)
  }

  /// Adds new objects of different IDs.
  ///
  /// - Returns: the IDs that had entries before.
  mutating func add(_ recruits: Recruits) -> [ManagedObjectID] {
    link.admit(recruits)
    var known: [ManagedObjectID] = []
    for (id, slot) in zip(recruits.ids, recruits.slots) where !add(id, slot) { known.append(id) }
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

  /// Gives an object with a temporary ID a permanent one.
  mutating func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    temporary.removeValue(forKey: object.objectID)
    addID(id, to: object)
  }

  /// As `rekey`, where many objects are saved together: what finds them by their temporary IDs stays,
  /// until `removeTemporaryIDs(_:)` takes all of it away.
  mutating func addID(_ id: ManagedObjectID, to object: ManagedObject) {
    object.objectID = id
    stored[id] = object.slot
  }

  /// - Precondition: objects that are registered here had these IDs, each another one.
  mutating func removeTemporaryIDs(_ ids: [ManagedObjectID]) {
    assert(Set(ids).isSubset(of: temporary.keys) && Set(ids).count == ids.count)
    if ids.count == temporary.count { return temporary.removeAll() }
    for id in ids { temporary.removeValue(forKey: id) }
  }

  /// Removes the entries of objects that died.
  ///
  /// - Returns: the IDs that are registered no longer. An ID whose object died but was registered
  ///   again by a new instance stays.
  mutating func sweep(_ dead: [ContextLink.Dead]) -> [ManagedObjectID] {
    dead.compactMap { object in
      guard self[slotOf: object.id] == object.slot else { return nil }
      self[slotOf: object.id] = nil
      return object.id
    }
  }

  /// Forgets all entries.
  ///
  /// - Returns: the permanent IDs among them in the order of their slots, which is about that in which
  ///   their rows were made. Rows that go in this order leave one free piece of memory; in that of a
  ///   dictionary they leave holes all over, and the next rows lie scattered.
  mutating func removeAll() -> [ManagedObjectID] {
    var ids = [ManagedObjectID?](repeating: nil, count: link.slotCount)
    for (id, slot) in stored { ids[Int(slot)] = id }
    assert(ids.count { $0 != nil } == stored.count, "an object has two permanent IDs")
    stored.removeAll()
    temporary.removeAll()
    return ids.compactMap(\.self)
  }
}
