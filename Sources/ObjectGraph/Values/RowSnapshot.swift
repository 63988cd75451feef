/// A row as it was read or saved: its values, in the order of the entity's attributes, and its
/// version.
///
/// Copy-on-write: the row cache, a parent's object, a child's object and its committed snapshot
/// share one buffer until one of them writes. What that saves is copying, which Core Data saves by
/// the same means (immutable snapshots); the work per object stays.
public struct RowSnapshot: Sendable, Equatable {
  public var values: ContiguousArray<Value>
  /// Grows by one with each save of the row; 0 if it has never been saved. What optimistic locking
  /// compares.
  public var version: Int64

  public init(values: ContiguousArray<Value>, version: Int64) {
    self.values = values
    self.version = version
  }

  /// Hands the row over and keeps an empty one: nothing is counted, and its buffer not touched.
  package mutating func take() -> RowSnapshot {
    var taken = RowSnapshot(values: [], version: version)
    swap(&taken, &self)
    return taken
  }
}

/// A set of attributes of one entity, by their index.
public struct AttributeMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public init(index: Int) {
    self.rawValue = 1 << UInt64(index)
  }

  /// Calls `body` with each index, ascending.
  @inlinable
  public func forEachIndex(_ body: (Int) -> Void) {
    var rest = rawValue
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}
