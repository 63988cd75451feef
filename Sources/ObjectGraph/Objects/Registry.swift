import Queues

// Registration is weak: a clean object that nobody holds leaves by itself, which is what bounds the
// cost of a merge. Objects die on any thread, so an entry cannot be removed where its object dies:
//
//   any thread      deinit ──▶ ContextLink.buried   (a locked list of IDs)
//   context's queue            Registry.sweep ◀──┘  before the next operation that asks how many
//
// A lookup between the two finds a weak reference that reads nil, which is the same as no entry.

/// What objects keep of their context: the way back to it, and where to report their end. Separate
/// from the context, because an object may outlive it.
// @unchecked: `context` is written once, in the context's initialiser, before any other thread can
// see this; weak references may be read on any thread. The rest is behind the lock.
final class ContextLink: @unchecked Sendable {
  private(set) weak var context: ManagedObjectContext?
  /// Whether a use off the context's queue stops the program.
  let isChecked: Bool
  private let dead = Lock<[ManagedObjectID]>([])

  init(isChecked: Bool) {
    self.isChecked = isChecked
  }

  func attach(_ context: ManagedObjectContext) {
    self.context = context
  }

  func buried(_ id: ManagedObjectID) {
    dead.withLock { $0.append(id) }
  }

  func exhume() -> [ManagedObjectID] {
    dead.withLock { dead in
      let found = dead
      dead.removeAll(keepingCapacity: true)
      return found
    }
  }
}

/// One instance per ID, held weakly. Used on the context's queue.
struct Registry {
  private struct Entry {
    weak var object: ManagedObject?
  }

  private var entries: [ManagedObjectID: Entry] = [:]

  /// The registered objects that are alive.
  var objects: [ManagedObject] { entries.values.compactMap(\.object) }

  subscript(id: ManagedObjectID) -> ManagedObject? { entries[id]?.object }

  mutating func reserve(_ additional: Int) {
    entries.reserveCapacity(entries.count + additional)
  }

  /// - Returns: whether the ID had no entry before, so that the row cache must count it.
  mutating func add(_ object: ManagedObject) -> Bool {
    entries.updateValue(Entry(object: object), forKey: object.objectID) == nil
  }

  mutating func remove(_ id: ManagedObjectID) -> Bool {
    entries.removeValue(forKey: id) != nil
  }

  mutating func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    entries.removeValue(forKey: object.objectID)
    object.objectID = id
    entries[id] = Entry(object: object)
  }

  /// Removes the entries of objects that died.
  ///
  /// - Returns: the IDs that are registered no longer. An ID whose object died but was registered
  ///   again by a new instance stays.
  mutating func sweep(_ dead: [ManagedObjectID]) -> [ManagedObjectID] {
    dead.filter { id in
      guard let entry = entries[id], entry.object == nil else { return false }
      entries.removeValue(forKey: id)
      return true
    }
  }

  mutating func removeAll() -> [ManagedObjectID] {
    defer { entries.removeAll() }
    return Array(entries.keys)
  }
}
