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

  /// As `admit`, with the lock taken once.
  func admit(_ objects: [ManagedObject]) {
    let pointers = objects.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
    let places = slots.withLock { slots in pointers.map { slots.take($0) } }
    for index in objects.indices { objects[index].slot = places[index] }
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

/// One instance per ID, held weakly. Used on the context's queue.
struct Registry {
  private let link: ContextLink
  private var entries: [ManagedObjectID: Int32] = [:]

  init(_ link: ContextLink) {
    self.link = link
  }

  /// The registered objects that are alive.
  var objects: [ManagedObject] { entries.values.compactMap { link.object(in: $0) } }

  subscript(id: ManagedObjectID) -> ManagedObject? {
    guard let slot = entries[id] else { return nil }
    return link.object(in: slot)
  }

  /// As the subscript, for many IDs.
  func objects(for ids: [ManagedObjectID]) -> [ManagedObject?] {
    link.objects(in: ids.map { entries[$0] ?? -1 })
  }

  mutating func reserve(_ additional: Int) {
    entries.reserveCapacity(entries.count + additional)
  }

  /// - Returns: whether the ID had no entry before, so that the row cache must count it.
  mutating func add(_ object: ManagedObject) -> Bool {
    if object.slot < 0 { link.admit(object) }
    return entries.updateValue(object.slot, forKey: object.objectID) == nil
  }

  /// Adds new objects of different IDs.
  ///
  /// - Returns: the IDs that had entries before.
  mutating func add(_ objects: [ManagedObject]) -> [ManagedObjectID] {
    link.admit(objects)
    var known: [ManagedObjectID] = []
    for object in objects
    where entries.updateValue(object.slot, forKey: object.objectID) != nil {
      known.append(object.objectID)
    }
    return known
  }

  mutating func remove(_ id: ManagedObjectID) -> Bool {
    entries.removeValue(forKey: id) != nil
  }

  mutating func rekey(_ object: ManagedObject, to id: ManagedObjectID) {
    entries.removeValue(forKey: object.objectID)
    object.objectID = id
    entries[id] = object.slot
  }

  /// Removes the entries of objects that died.
  ///
  /// - Returns: the IDs that are registered no longer. An ID whose object died but was registered
  ///   again by a new instance stays.
  mutating func sweep(_ dead: [ContextLink.Dead]) -> [ManagedObjectID] {
    dead.compactMap { object in
      guard entries[object.id] == object.slot else { return nil }
      entries.removeValue(forKey: object.id)
      return object.id
    }
  }

  mutating func removeAll() -> [ManagedObjectID] {
    defer { entries.removeAll() }
    return Array(entries.keys)
  }
}
