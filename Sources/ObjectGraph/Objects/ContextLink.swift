import CLinux
import Queues

// The slots of Registry.swift's picture. Why a pointer that does not retain is safe: an object's memory
// is its own until its `deinit` has returned, and that takes the lock to clear the slot. So a pointer
// found under the lock is of an object that lives or whose `deinit` waits for this very lock;
// `swift_tryRetain` tells which. A `weak` reference says the same, but gives every object a side
// table: 48 bytes, and every retain and release of it a detour.

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

  /// Slots are numbered from 0 to below this.
  var slotCount: Int { slots.withLock { $0.pointers.count } }

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
/// an object is in the processor's caches, so that its memory is not asked for again; so they are not
/// held here either: letting go of them would touch each once more.
struct Recruits {
  let slots: [Int32]
  fileprivate private(set) var addresses: [UInt] = []
  private(set) var ids: [ManagedObjectID] = []

  fileprivate init(slots: [Int32]) {
    self.slots = slots
    addresses.reserveCapacity(slots.count)
    ids.reserveCapacity(slots.count)
  }

  /// - Precondition: there are no more objects than slots, and somebody holds each until it is registered.
  mutating func add(_ object: ManagedObject) {
    object.slot = slots[addresses.count]
    addresses.append(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    ids.append(object.objectID)
  }
}
