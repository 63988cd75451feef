public import Foundation

/// What an attribute can hold.
public enum AttributeType: String, CaseIterable, Sendable {
  case int64, double, bool, string, date, data
}

/// One attribute's value in a row.
///
/// Strings are equal, ordered and hashed by their UTF-8 bytes, as SQLite's `BINARY` collation does
/// it, and not by canonical equivalence as `String` does: the store and memory must agree, and an
/// update that only changes the composition of a letter is an update.
public enum Value: Sendable {
  case null
  case int64(Int64)
  case double(Double)
  case bool(Bool)
  case string(String)
  /// Stored as seconds since 2001-01-01 00:00 UTC, as Core Data stores it.
  case date(Date)
  case data(Data)
  /// What a to-one relationship leads to. In a column of its own kind, never in an attribute.
  case object(ManagedObjectID)

  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The ID that this is; nil for null.
  public var objectID: ManagedObjectID? {
    if case .object(let id) = self { id } else { nil }
  }

  /// The attribute type this value has; nil for null, which every optional attribute may hold, and
  /// for the ID of an object.
  public var type: AttributeType? {
    switch self {
    case .null: nil
    case .int64: .int64
    case .double: .double
    case .bool: .bool
    case .string: .string
    case .date: .date
    case .data: .data
    case .object: nil
    }
  }
}

extension Value: Hashable {
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .int64(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .string(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .date(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .object(let id): hasher.combine(id)
    }
  }
}

extension Value {
  /// The order in which SQLite sorts values of one column: null first, then by value, strings and
  /// data by their bytes. Negative if `self` comes first, 0 if equal.
  ///
  /// - Precondition: both are null or of one type; a column holds values of one type only.
  public func order(relativeTo other: Value) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.int64(let a), .int64(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.double(let a), .double(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.bool(let a), .bool(let b)): (a ? 1 : 0) - (b ? 1 : 0)
    case (.string(let a), .string(let b)): a.byteOrder(relativeTo: b)
    case (.date(let a), .date(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.data(let a), .data(let b)): a.byteOrder(relativeTo: b)
    case (.object(let a), .object(let b)): a.order(relativeTo: b)
    default: preconditionFailure("values of two types in one column: \(self) and \(other)")
    }
  }
}

extension ManagedObjectID {
  /// By key, then by entity.
  fileprivate func order(relativeTo other: ManagedObjectID) -> Int {
    if number != other.number { return number < other.number ? -1 : 1 }
    return Int(entityIndex) - Int(other.entityIndex)
  }
}

extension String {
  fileprivate func hasSameBytes(as other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    return a.count == b.count && byteOrder(relativeTo: other) == 0
  }

  fileprivate func byteOrder(relativeTo other: String) -> Int {
    let fast = utf8.withContiguousStorageIfAvailable { a in
      other.utf8.withContiguousStorageIfAvailable { b in
        UnsafeRawBufferPointer(a).byteOrder(relativeTo: UnsafeRawBufferPointer(b))
      }
    }
    if let fast = fast ?? nil { return fast }
    if utf8.elementsEqual(other.utf8) { return 0 }
    return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }
}

extension Data {
  fileprivate func byteOrder(relativeTo other: Data) -> Int {
    withUnsafeBytes { a in other.withUnsafeBytes { b in a.byteOrder(relativeTo: b) } }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func byteOrder(relativeTo other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    if common > 0, let a = baseAddress, let b = other.baseAddress {
      let order = memcmp(a, b, common)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }
}
