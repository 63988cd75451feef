import CLinux
import Queues

// Registration is weak: a clean object that nobody holds leaves by itself, which is what bounds the
// cost of a merge. Objects die on any thread, while their context looks them up on its queue:
//
//   entries  [ID ▸ slot]              the context's queue only
//                    │
//   slots    [ address │  0  │ … ]    under the lock
//                ▲         └ the end of an object, on any thread: lock, slot = 0, note it, unlock
//                └ a lookup: lock, retain unless at its end, unlock
//
// Why a pointer that does not retain is safe: an object's memory is its own until its `deinit` has
// returned, and that takes the lock to clear the slot. So a pointer found under the lock is of an
// object that lives or whose `deinit` waits for this very lock; `swift_tryRetain` tells which. A
// `weak` reference says the same, but gives every object a side table: 48 bytes, and every retain
// and release of it a detour.
//
// An entry whose object died is the same as none. It is removed, and the slot used again, when the
// context's queue hears of it: at the next operation that asks how many.

/// What objects keep of their context: the way back to it, and where to report their end. Separate
/// from the context, because an object may outlive it.
// @unchecked: `context` is written once, in the context's initialiser, before any other thread can
// see this; weak references may be read on any thread. The rest is behind the lock.
final class ContextLink: @unchecked Sendable {
  private(set) weak var context: ManagedObjectContext?
  /// Whether a use off the context's queue stops the program.
  let isChecked: Bool
  private let slots = Lock(Slots())

  /// An object that died: what its entry was found by, and where it pointed.
  struct Dead {
    let id: ManagedObjectID
    let slot: Int32
  }

  private struct Slots {
    /// Addresses of objects; 0 where there is none.
    var pointers: ContiguousArray<UInt> = []
    var free: ContiguousArray<Int32> = []
    var dead: [Dead] = []

    mutating func take(_ pointer: UInt) -> Int32 {
      if let slot = free.popLast() {
        pointers[Int(slot)] = pointer
        return slot
      }
      pointers.append(pointer)
      return Int32(pointers.count - 1)
    }
  }

  init(isChecked: Bool) {
    self.isChecked = isChecked
  }

  func attach(_ context: ManagedObjectContext) {
    self.context = context
  }

  /// Gives an object a slot, which is its until it is dead and `release(_:)` was told.
  func admit(_ object: ManagedObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    object.slot = slots.withLock { $0.take(pointer) }
  }

  /// So many slots for objects that are about to be made; to be followed by `admit(_:)`.
  func reserve(_ count: Int) -> Recruits {
    Recruits(slots: slots.withLock { slots in (0..<count).map { _ in slots.take(0) } })
  }

  /// The objects get the slots that they were made with; slots that are left over are free again.
  func admit(_ recruits: Recruits) {
    slots.withLock { slots in
      for (slot, address) in zip(recruits.slots, recruits.addresses) {
        slots.pointers[Int(slot)] = address
      }
      slots.free.append(contentsOf: recruits.slots.dropFirst(recruits.addresses.count))
    }
  }

  /// The object in a slot, unless it died.
  func object(in slot: Int32) -> ManagedObject? {
    let retained = slots.withLock { slots in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: slots.pointers[Int(slot)]) else {
        return UInt(0)
      }
      return UInt(bitPattern: swift_tryRetain(pointer))
    }
    guard let pointer = UnsafeRawPointer(bitPattern: retained) else { return nil }
    return Unmanaged<ManagedObject>.fromOpaque(pointer).takeRetainedValue()
  }

  /// As `object(in:)` for many slots, with the lock taken once; nil for a negative slot.
  func objects(in places: [Int32]) -> [ManagedObject?] {
    slots.withLock { slots in
      places.map { place in
        guard place >= 0,
          let pointer = UnsafeMutableRawPointer(bitPattern: slots.pointers[Int(place)]),
          let retained = swift_tryRetain(pointer)
        else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
      }
    }
  }

  /// Called by the `deinit` of an object that has a slot, on any thread.
  func buried(_ id: ManagedObjectID, slot: Int32) {
    slots.withLock { slots in
      slots.pointers[Int(slot)] = 0
      slots.dead.append(Dead(id: id, slot: slot))
    }
  }

  /// Those that died since the last time. Their slots may be used again.
  func exhume() -> [Dead] {
    slots.withLock { slots in
      guard !slots.dead.isEmpty else { return [] }
      let dead = slots.dead
      slots.dead.removeAll(keepingCapacity: true)
      slots.free.append(contentsOf: dead.lazy.map(\.slot))
      return dead
    }
  }
}

/// Objects that are made one after another and registered together. What that needs is noted while
/// an object is in the processor's caches, so that its memory is not asked for again.
struct Recruits {
  fileprivate let slots: [Int32]
  fileprivate private(set) var addresses: [UInt] = []
  fileprivate private(set) var ids: [ManagedObjectID] = []
  private(set) var objects: [ManagedObject] = []

  fileprivate init(slots: [Int32]) {
    self.slots = slots
    addresses.reserveCapacity(slots.count)
    ids.reserveCapacity(slots.count)
    objects.reserveCapacity(slots.count)
  }

  /// - Precondition: there are no more objects than slots.
  mutating func add(_ object: ManagedObject) {
    object.slot = slots[objects.count]
    addresses.append(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    ids.append(object.objectID)
    objects.append(object)
  }
}

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

  mutating func removeAll() -> [ManagedObjectID] {
    defer {
      stored.removeAll()
      temporary.removeAll()
    }
    return Array(stored.keys) + temporary.keys
  }
}
