public import Foundation

/// The type of an attribute.
///
/// Data files write `int64`, `double` and `decimal` in decimal, `bool` as `true`, `false`, `1` or
/// `0`, `date` as ISO 8601 UTC, and `data` as base64.
public enum AttributeType: String, CaseIterable, Sendable {
  case int64, double, bool, string, date, data, decimal, uuid, uri
}

extension AttributeType {
  package var isNumber: Bool {
    switch self {
    case .int64, .double, .bool, .decimal: true
    case .string, .date, .data, .uuid, .uri: false
    }
  }
}

/// One column's value in a row.
///
/// Strings compare and hash by their UTF-8 bytes, like SQLite's `BINARY` collation. `String`'s own
/// comparison ignores how a letter is composed, so an update of that alone would be lost.
public enum Value: Sendable {
  case null
  case int64(Int64)
  /// Finite in data files, which hold neither NaN (SQLite stores it as null) nor infinities.
  case double(Double)
  case bool(Bool)
  case string(String)
  /// Stored as seconds since 2001-01-01 00:00 UTC, as in Core Data.
  case date(Date)
  case data(Data)
  case decimal(StoredDecimal)
  /// Stored as its 16 bytes.
  case uuid(UUID)
  /// The absolute text of a URL.
  case uri(String)
  /// The target of a to-one relationship. Attributes never hold it.
  case object(ManagedObjectID)

  @inlinable public static func date(secondsSince2001 seconds: Double) -> Value {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// A decimal of up to 15 significant digits; more are rounded.
  public static func decimal(_ decimal: Decimal) -> Value { .decimal(StoredDecimal(decimal)) }

  @inlinable public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Nil if this is no `.object`.
  @inlinable public var objectID: ManagedObjectID? {
    if case .object(let id) = self { id } else { nil }
  }

  /// Nil for null and for the ID of an object.
  @inlinable public var type: AttributeType? {
    switch self {
    case .null, .object: nil
    case .int64: .int64
    case .double: .double
    case .bool: .bool
    case .string: .string
    case .date: .date
    case .data: .data
    case .decimal: .decimal
    case .uuid: .uuid
    case .uri: .uri
    }
  }
}

extension Value: Hashable {
  @inlinable public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a.hasSameBytes(as: b)
    case (.object(let a), .object(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a.number == b.number
    case (.uuid(let a), .uuid(let b)): a.byteOrder(relativeTo: b) == 0
    case (.uri(let a), .uri(let b)): a.hasSameBytes(as: b)
    default: false
    }
  }

  @inlinable public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .int64(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .string(var value), .uri(var value):
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .date(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value.number)
    case .uuid(let value): hasher.combine(value)
    case .object(let id): hasher.combine(id)
    }
  }
}

extension Value: Comparable {
  @inlinable public static func < (a: Value, b: Value) -> Bool { a.order(relativeTo: b) < 0 }

  /// SQLite's order of one column: null first, then by value; strings, data, UUIDs and URIs by
  /// their bytes. Negative if `self` comes first, 0 if equal.
  ///
  /// - Precondition: both are null or of one type.
  @inlinable public func order(relativeTo other: Value) -> Int {
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
    case (.decimal(let a), .decimal(let b)):
      a.number < b.number ? -1 : (a.number == b.number ? 0 : 1)
    case (.uuid(let a), .uuid(let b)): a.byteOrder(relativeTo: b)
    case (.uri(let a), .uri(let b)): a.byteOrder(relativeTo: b)
    default: fatalError("values of two types in one column: \(self) and \(other)")
    }
  }
}

extension Value: CustomStringConvertible {
  public var description: String {
    switch self {
    case .null: "null"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .date(let value): "date(\(value.timeIntervalSinceReferenceDate))"
    case .data(let value): "data(\(value.count) bytes)"
    case .decimal(let value): "\(value.decimal)"
    case .uuid(let value): "\(value)"
    case .uri(let value): "uri(\(value))"
    case .object(let id): "object(\(id.entityIndex)/\(id.number))"
    }
  }
}

extension String {
  @inlinable func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && byteOrder(relativeTo: other) == 0
  }

  @usableFromInline func byteOrder(relativeTo other: String) -> Int {
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
  /// Not inlined, because it would enlarge the loops that compare rows.
  @inline(never) @usableFromInline func hasSameBytes(as other: Data) -> Bool { self == other }

  @usableFromInline func byteOrder(relativeTo other: Data) -> Int {
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
