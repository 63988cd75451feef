import CLinux
import Queues

// The slots of the picture in Registry.swift. An unretained pointer is safe here: an object's
// memory stays until its `deinit` returns, and `deinit` takes the lock to clear the slot. So a
// pointer found under the lock belongs to an object that is alive, or whose `deinit` waits for the
// lock. `swift_tryRetain` distinguishes the two. A `weak` reference would give every object a side
// table of 48 bytes and slow down each retain and release.

/// The part of a context that its objects retain: the context, and the registry's slots. It is
/// separate because an object may outlive its context.
// @unchecked: `context` is written once, in the context's initialiser, before another thread can
// see this. Any thread may read a weak reference. The lock guards the rest.
final class ContextLink: @unchecked Sendable {
  private(set) weak var context: ManagedObjectContext?
  /// Whether a use off the context's queue stops the program.
  let isChecked: Bool
  private let slots = Lock(Slots())

  /// A deallocated object's ID and slot.
  struct Dead {
    let id: ManagedObjectID
    let slot: Int32
  }

  private struct Slots {
    /// Addresses of objects; 0 for an empty slot.
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

  /// Gives an object a slot, which it keeps until `takeDead()` frees it.
  func admit(_ object: ManagedObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    object.slot = slots.withLock { $0.take(pointer) }
  }

  /// All slot numbers are below this.
  var slotCount: Int { slots.withLock { $0.pointers.count } }

  /// Reserves slots for `count` new objects. `admit(_:)` must follow.
  func reserve(_ count: Int) -> NewObjects {
    NewObjects(slots: slots.withLock { slots in (0..<count).map { _ in slots.take(0) } })
  }

  /// Frees the remaining slots.
  func admit(_ newObjects: NewObjects) {
    slots.withLock { slots in
      for (slot, address) in zip(newObjects.slots, newObjects.addresses) {
        slots.pointers[Int(slot)] = address
      }
      slots.free.append(contentsOf: newObjects.slots.dropFirst(newObjects.addresses.count))
    }
  }

  /// The object in a slot; nil if it was deallocated.
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

  /// Like `object(in:)` for several slots, with one lock; nil for a negative slot.
  func objects(in slotNumbers: [Int32]) -> [ManagedObject?] {
    slots.withLock { slots in
      slotNumbers.map { slot in
        guard slot >= 0,
          let pointer = UnsafeMutableRawPointer(bitPattern: slots.pointers[Int(slot)]),
          let retained = swift_tryRetain(pointer)
        else { return nil }
        return Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
      }
    }
  }

  /// Called by the `deinit` of an object with a slot, on any thread.
  func release(_ id: ManagedObjectID, slot: Int32) {
    slots.withLock { slots in
      slots.pointers[Int(slot)] = 0
      slots.dead.append(Dead(id: id, slot: slot))
    }
  }

  /// The objects deallocated since the last call. Their slots become free.
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

/// Objects created and registered together. Their addresses and IDs are noted while the objects are
/// in the processor's caches. They are not retained here, because releasing them would touch each
/// object again.
struct NewObjects {
  let slots: [Int32]
  fileprivate private(set) var addresses: [UInt] = []
  private(set) var ids: [ManagedObjectID] = []

  fileprivate init(slots: [Int32]) {
    self.slots = slots
    addresses.reserveCapacity(slots.count)
    ids.reserveCapacity(slots.count)
  }

  /// - Precondition: there are no more objects than slots, and the caller retains each object until
  ///   it is registered.
  mutating func add(_ object: ManagedObject) {
    object.slot = slots[addresses.count]
    addresses.append(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    ids.append(object.objectID)
  }
}
