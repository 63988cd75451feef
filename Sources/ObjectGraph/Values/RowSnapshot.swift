/// A row as read or saved: its values, in the order of the entity's columns, and its version.
///
/// Copy-on-write: the row cache, a parent's object, a child's object and its committed snapshot
/// share one buffer until one of them writes. Core Data avoids the same copies with immutable
/// snapshots. Both still do some work for each object.
public struct RowSnapshot: Sendable, Equatable {
  public var values: ContiguousArray<Value>
  /// Grows by one with each save of the row; 0 if it was never saved. Optimistic locking compares
  /// it.
  public var version: Int64

  public init(values: ContiguousArray<Value>, version: Int64) {
    self.values = values
    self.version = version
  }

  /// Returns the row and leaves an empty one, without reference counting.
  package mutating func take() -> RowSnapshot {
    var taken = RowSnapshot(values: [], version: version)
    swap(&taken, &self)
    return taken
  }
}

/// A set of attributes of one entity, by their index.
public struct AttributeMask: OptionSet, Hashable, Sendable {
  /// The most columns that an entity may have: one for each bit.
  public static let maximumColumns = 64

  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  public init(index: Int) {
    self.rawValue = 1 << UInt64(index)
  }

  init(_ indexes: some Sequence<Int>) {
    self = indexes.reduce(into: []) { $0.insert(AttributeMask(index: $1)) }
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
