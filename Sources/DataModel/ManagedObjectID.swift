import Synchronization

/// Identifies one object in every context. Unlike the object, it may cross queues.
///
/// A new object has a *temporary* ID, unique in this process. A save to the coordinator, or
/// `obtainPermanentIDs`, gives it a permanent one with its row's primary key.
public struct ManagedObjectID: Hashable, Sendable {
  /// Equal for every coordinator of one store file in this process.
  @usableFromInline let store: Int32
  /// The index of the entity in the model.
  public let entityIndex: Int32
  /// The primary key if positive; a temporary number if negative.
  @usableFromInline package let number: Int64

  private static let lastTemporaryNumber = Atomic<Int64>(0)
}

extension ManagedObjectID {
  @inlinable package init(store: Int32, entityIndex: Int32, primaryKey: Int64) {
    require(primaryKey > 0, "a primary key is positive, not \(primaryKey)")
    self.store = store
    self.entityIndex = entityIndex
    self.number = primaryKey
  }

  package static func temporary(store: Int32, entityIndex: Int32) -> ManagedObjectID {
    let number = lastTemporaryNumber.subtract(1, ordering: .relaxed).newValue
    return ManagedObjectID(store: store, entityIndex: entityIndex, number: number)
  }

  @inlinable public var isTemporary: Bool { number < 0 }

  @inlinable package func isOf(store: Int32) -> Bool { self.store == store }

  /// Orders objects that a sort leaves equal: rows by their keys, then new objects in order of
  /// creation.
  @inlinable package var rank: UInt64 {
    isTemporary ? Self.firstTemporaryRank | number.magnitude : number.magnitude
  }

  @inlinable package static var firstTemporaryRank: UInt64 { 1 << 63 }

  @inlinable package var primaryKey: Int64 {
    require(number > 0, "a temporary ID has no row; save first")
    return number
  }

  /// Orders by key, then by entity and store.
  @inlinable func order(relativeTo other: ManagedObjectID) -> Int {
    if number != other.number { return number < other.number ? -1 : 1 }
    if entityIndex != other.entityIndex { return Int(entityIndex) - Int(other.entityIndex) }
    return Int(store) - Int(other.store)
  }

  @inlinable public static func == (a: ManagedObjectID, b: ManagedObjectID) -> Bool {
    a.store == b.store && a.entityIndex == b.entityIndex && a.number == b.number
  }

  @inlinable public func hash(into hasher: inout Hasher) {
    // Numbers differ between almost all objects.
    hasher.combine(number)
  }

  /// `Dictionary` and `Set` call this first, many times for every object.
  ///
  /// Most fetches return keys in sequence. Eight successive keys get adjacent buckets, because
  /// scattered buckets of a large table would miss the processor's caches. One multiplication (by
  /// 2^64 ÷ φ) spreads the groups of eight as well as the keyed hash, at a fifth of the cost. No
  /// user can choose keys that collide, because the store assigns keys in sequence.
  @inlinable public func _rawHashValue(seed: Int) -> Int {
    let block = (number >> 3) ^ (Int64(entityIndex) << 32) ^ Int64(seed)
    let mixed = UInt64(bitPattern: block) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 32)) << 3) | Int(number & 7)
  }
}
