import CLinux
import Queues

// Slots hold unretained pointers (picture in Registry.swift). An object's memory stays until its
// `deinit` has taken the lock and cleared the slot. So under the lock a pointer leads to a live
// object, or to one whose `deinit` waits: `swift_tryRetain` tells which. A `weak` reference would
// cost each object 48 bytes and slow down each retain and release.

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

  /// `admit(_:)` must follow.
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

  /// With one lock for all; nil for a negative slot.
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

  /// Called by an object's `deinit`, on any thread.
  func release(_ id: ManagedObjectID, slot: Int32) {
    slots.withLock { slots in
      slots.pointers[Int(slot)] = 0
      slots.dead.append(Dead(id: id, slot: slot))
    }
  }

  /// Frees the slots of the dead objects.
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
