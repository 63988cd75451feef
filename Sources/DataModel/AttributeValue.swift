public import Foundation

/// A Swift type for reading and writing an attribute.
public protocol AttributeValue: Sendable {
  static var attributeType: AttributeType { get }
  static var isOptional: Bool { get }
  /// If this type is not optional, null reads as its zero or empty value.
  ///
  /// - Precondition: `value` is of `attributeType`, or null.
  init(_ value: Value)
  var value: Value { get }
}

extension AttributeValue {
  @inlinable public static var isOptional: Bool { false }
}

extension Int64: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .int64 }
  @inlinable public init(_ value: Value) {
    self = if case .int64(let value) = value { value } else { readNull(value, as: 0) }
  }
  @inlinable public var value: Value { .int64(self) }
}

extension Double: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .double }
  @inlinable public init(_ value: Value) {
    self = if case .double(let value) = value { value } else { readNull(value, as: 0) }
  }
  @inlinable public var value: Value { .double(self) }
}

extension Bool: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .bool }
  @inlinable public init(_ value: Value) {
    self = if case .bool(let value) = value { value } else { readNull(value, as: false) }
  }
  @inlinable public var value: Value { .bool(self) }
}

extension String: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .string }
  @inlinable public init(_ value: Value) {
    self = if case .string(let value) = value { value } else { readNull(value, as: "") }
  }
  @inlinable public var value: Value { .string(self) }
}

extension Date: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .date }
  @inlinable public init(_ value: Value) {
    self =
      if case .date(let value) = value { value } else {
        readNull(value, as: Date(timeIntervalSinceReferenceDate: 0))
      }
  }
  @inlinable public var value: Value { .date(self) }
}

extension Data: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .data }
  @inlinable public init(_ value: Value) {
    self = if case .data(let value) = value { value } else { readNull(value, as: Data()) }
  }
  @inlinable public var value: Value { .data(self) }
}

extension Decimal: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .decimal }
  public init(_ value: Value) {
    self = if case .decimal(let value) = value { value.decimal } else { readNull(value, as: 0) }
  }
  public var value: Value { .decimal(self) }
}

extension UUID: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .uuid }
  @inlinable public init(_ value: Value) {
    self =
      if case .uuid(let value) = value { value } else {
        readNull(value, as: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
      }
  }
  @inlinable public var value: Value { .uuid(self) }
}

extension URL: AttributeValue {
  @inlinable public static var attributeType: AttributeType { .uri }
  /// Null, and text that is no URI (in a damaged file), read as `about:invalid`.
  public init(_ value: Value) {
    self =
      if case .uri(let text) = value {
        URL(string: text) ?? Self.invalid
      } else {
        readNull(value, as: Self.invalid)
      }
  }
  public var value: Value { .uri(absoluteString) }

  private static let invalid = URL(string: "about:invalid")!
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
  @inlinable public static var isOptional: Bool { true }
  @inlinable public init(_ value: Value) {
    self = value.isNull ? nil : Wrapped(value)
  }
  @inlinable public var value: Value { self?.value ?? .null }
}

/// Reads null as `zero`, as Core Data's scalar accessors do. An attribute is null if it was not set
/// or if its row is gone.
@inlinable
func readNull<V: AttributeValue>(_ value: Value, as zero: V) -> V {
  if !value.isNull { stopReading(value, as: V.self) }
  return zero
}

// Out of line, so that reading a value of a known type is inlined.
@usableFromInline @inline(never)
func stopReading(_ value: Value, as type: any AttributeValue.Type) -> Never {
  fatalError("read \(value) as \(type): use the attribute's own type")
}
