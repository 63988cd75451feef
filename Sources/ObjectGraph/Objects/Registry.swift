import CLinux
import Queues

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
//
// Slots hold unretained pointers. An object's memory stays until its `deinit` has taken the lock
// and cleared the slot. So under the lock a pointer leads to a live object, or to one whose
// `deinit` waits: `swift_tryRetain` tells which. A `weak` reference would cost each object 48 bytes
// and slow down each retain and release.

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

  /// Also true for deallocated objects that were not swept yet.
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

/// The part of a context that its objects retain, because an object may outlive its context.
// @unchecked: `context` is written once, in the context's initialiser, before another thread can
// see this; any thread may read a weak reference. The lock guards the rest.
final class ContextLink: @unchecked Sendable {
  private(set) weak var context: ManagedObjectContext?
  let isChecked: Bool
  private let slots = Lock(Slots())

  struct Dead {
    let id: ManagedObjectID
    let slot: Int32
  }

  private struct Slots {
    /// 0 for an empty slot.
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

    func prefetch(_ slot: Int32) {
      let object = UnsafeRawPointer(bitPattern: pointers[Int(slot)])
      // An object takes two lines.
      clinux_prefetch(object)
      clinux_prefetch(object.map { $0 + 64 })
    }
  }

  init(isChecked: Bool) {
    self.isChecked = isChecked
  }

  func attach(_ context: ManagedObjectContext) {
    self.context = context
  }

  func admit(_ object: ManagedObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    object.slot = slots.withLock { $0.take(pointer) }
  }

  var slotCount: Int { slots.withLock { $0.pointers.count } }

  /// Reserves slots. The caller must then call `admit(_:)`.
  func reserve(_ count: Int) -> NewObjects {
    NewObjects(slots: slots.withLock { slots in (0..<count).map { _ in slots.take(0) } })
  }

  /// Fills the reserved slots and frees the rest.
  func admit(_ newObjects: NewObjects) {
    slots.withLock { slots in
      for (slot, address) in zip(newObjects.slots, newObjects.addresses) {
        slots.pointers[Int(slot)] = address
      }
      slots.free.append(contentsOf: newObjects.slots.dropFirst(newObjects.addresses.count))
    }
  }

  /// Nil if the object was deallocated.
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

  /// Takes the lock once; nil for a negative slot. A retain waits for its object's memory. So the
  /// memory of all objects is requested first.
  func objects(in slotNumbers: [Int32]) -> [ManagedObject?] {
    slots.withLock { slots in
      for slot in slotNumbers.prefetchable where slot >= 0 { slots.prefetch(slot) }
      return slotNumbers.map { slot in
        guard slot >= 0,
          let pointer = UnsafeMutableRawPointer(bitPattern: slots.pointers[Int(slot)]),
          let retained = swift_tryRetain(pointer)
        else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
      }
    }
  }

  /// Called by an object's `deinit`, on any thread.
  func release(_ id: ManagedObjectID, slot: Int32) {
    slots.withLock { slots in
      slots.pointers[Int(slot)] = 0
      slots.dead.append(Dead(id: id, slot: slot))
    }
  }

  /// Returns the deallocated objects and frees their slots.
  func takeDead() -> [Dead] {
    slots.withLock { slots in
      guard !slots.dead.isEmpty else { return [] }
      let dead = slots.dead
      slots.dead.removeAll(keepingCapacity: true)
      slots.free.append(contentsOf: dead.lazy.map(\.slot))
      return dead
    }
  }
}

/// Objects registered together, noted while they are in the processor's caches. They are not
/// retained: releasing them would touch each object again.
struct NewObjects {
  let slots: [Int32]
  fileprivate private(set) var addresses: [UInt] = []
  private(set) var ids: [ManagedObjectID] = []

  fileprivate init(slots: [Int32]) {
    self.slots = slots
    addresses.reserveCapacity(slots.count)
    ids.reserveCapacity(slots.count)
  }

  /// - Precondition: the caller retains each object until it is registered.
  mutating func add(_ object: ManagedObject) {
    object.slot = slots[addresses.count]
    addresses.append(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    ids.append(object.objectID)
  }
}

extension Collection {
  /// The objects whose memory is requested before it is read. With more, the last ones would
  /// displace the first from the processor's cache.
  var prefetchable: SubSequence { prefix(1000) }
}
