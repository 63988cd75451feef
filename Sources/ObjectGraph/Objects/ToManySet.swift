// A to-many relationship of one object is what the level below says, and what changed here since:
//
//   stored   {a, b, c}      nil while the relationship is a fault
//   added          {d}      need no read: the inverse of a to-one that is set changes
//   removed  {b}            a relationship that nobody looks at, without bringing it in
//   ─────────────────────
//   now      {a, c, d}

/// The members of one to-many relationship of one object, by their IDs.
struct ToManySet: Equatable {
  private(set) var stored: Set<ManagedObjectID>?
  private(set) var added: Set<ManagedObjectID> = []
  private(set) var removed: Set<ManagedObjectID> = []

  /// A relationship that was never read.
  static let fault = ToManySet(stored: nil)
  /// That of an object which no level below knows.
  static let empty = ToManySet(stored: [])

  init(stored: Set<ManagedObjectID>?) {
    self.stored = stored
  }

  var isFault: Bool { stored == nil }
  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

  /// The members, as far as they are known.
  var members: Set<ManagedObjectID> {
    guard hasChanges else { return stored ?? [] }
    return (stored ?? []).subtracting(removed).union(added)
  }

  mutating func add(_ id: ManagedObjectID) {
    removed.remove(id)
    if stored?.contains(id) != true { added.insert(id) }
  }

  mutating func remove(_ id: ManagedObjectID) {
    added.remove(id)
    if stored?.contains(id) != false { removed.insert(id) }
  }

  /// Takes what the level below has; changes made here stay on top.
  mutating func fill(_ ids: some Sequence<ManagedObjectID>) {
    let ids = Set(ids)
    added.subtract(ids)
    removed.formIntersection(ids)
    stored = ids
  }

  /// Forgets what the level below had.
  mutating func refault() { stored = nil }

  /// What is now is what the level below has: after a save.
  mutating func settle() {
    if stored != nil { stored = members }
    added = []
    removed = []
  }

  /// Back to what the level below has.
  mutating func revert() {
    added = []
    removed = []
  }

  /// The same members, as changes of what another set has below.
  mutating func rebase(on base: ToManySet) {
    guard stored != nil, let below = base.stored else { return }
    let wanted = members
    self = ToManySet(stored: below)
    for id in wanted.subtracting(below) { add(id) }
    for id in below.subtracting(wanted) { remove(id) }
  }

  /// The same, with other IDs for some objects.
  mutating func replaceIDs(_ ids: [ManagedObjectID: ManagedObjectID]) {
    func replaced(_ set: Set<ManagedObjectID>) -> Set<ManagedObjectID> {
      set.contains { ids[$0] != nil } ? Set(set.map { ids[$0] ?? $0 }) : set
    }
    stored = stored.map(replaced)
    added = replaced(added)
    removed = replaced(removed)
  }
}
