// The members are those of the level below, plus the changes made here:
//
//   stored   {a, b, c}      nil while the relationship is a fault
//   added          {d}      both need no read: setting the inverse to-one relationship
//   removed  {b}            changes them without reading the members
//   ─────────────────────
//   now      {a, c, d}

struct ToManySet: Equatable {
  private(set) var stored: Set<ManagedObjectID>?
  private(set) var added: Set<ManagedObjectID> = []
  private(set) var removed: Set<ManagedObjectID> = []

  static let fault = ToManySet(stored: nil)
  /// For an object that no level below has.
  static let empty = ToManySet(stored: [])

  var isFault: Bool { stored == nil }
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

  /// The known members: for a fault, only those added here.
  var members: Set<ManagedObjectID> {
    guard hasChanges else { return stored ?? [] }
    return (stored ?? []).subtracting(removed).union(added)
  }

  /// Whether this takes an earlier change back while the members are unknown.
  func mayTakeBack(_ id: ManagedObjectID, isMember: Bool) -> Bool {
    isFault && (isMember ? removed : added).contains(id)
  }

  mutating func set(_ id: ManagedObjectID, isMember: Bool) {
    if isMember {
      removed.remove(id)
      if stored?.contains(id) != true { added.insert(id) }
    } else {
      added.remove(id)
      if stored?.contains(id) != false { removed.insert(id) }
    }
  }

  /// Removes an ID whose row is gone.
  mutating func forget(_ id: ManagedObjectID) {
    added.remove(id)
    removed.remove(id)
    stored?.remove(id)
  }

  /// - Returns: whether it knew any of the IDs.
  mutating func forget(_ ids: Set<ManagedObjectID>) -> Bool {
    let known = [stored ?? [], added, removed].flatMap { $0.intersection(ids) }
    for id in known { forget(id) }
    return !known.isEmpty
  }

  /// Takes the level below's answer for one ID, in place of a change made here.
  mutating func settle(_ id: ManagedObjectID, isMember: Bool) {
    forget(id)
    if isMember { stored?.insert(id) }
  }

  /// Keeps changes made here.
  mutating func fill(_ ids: some Sequence<ManagedObjectID>) {
    let ids = Set(ids)
    added.subtract(ids)
    removed.formIntersection(ids)
    stored = ids
  }

  mutating func refault() { stored = nil }

  /// After a save.
  mutating func commit() {
    if stored != nil { stored = members }
    revert()
  }

  mutating func revert() {
    added = []
    removed = []
  }

  mutating func replaceIDs(_ ids: [ManagedObjectID: ManagedObjectID]) {
    func replaced(_ set: Set<ManagedObjectID>) -> Set<ManagedObjectID> {
      set.contains { ids[$0] != nil } ? Set(set.map { ids[$0] ?? $0 }) : set
    }
    stored = stored.map(replaced)
    added = replaced(added)
    removed = replaced(removed)
  }
}
