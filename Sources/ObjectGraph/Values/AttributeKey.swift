public import Foundation

/// A Swift type for reading and writing an attribute.
public protocol AttributeValue: Sendable {
  static var attributeType: AttributeType { get }
  static var isOptional: Bool { get }
  /// - Precondition: `value` is of `attributeType`, or null where this type is optional.
  init(_ value: Value)
  var value: Value { get }
}

/// An attribute by type and index: `city[City.name]`.
///
/// The index is fixed when the key is made, so reading is an array access.
public struct AttributeKey<V: AttributeValue>: Sendable {
  public let name: String
  public let index: Int

  /// - Throws: `AttributeKeyError` if the entity has no such attribute, or one of another type.
  public init(_ name: String, of entity: Entity, as type: V.Type = V.self) throws {
    guard let index = entity.index(of: name) else {
      throw AttributeKeyError.unknown(
        attribute: name, entity: entity.name, known: entity.attributes.map(\.name))
    }
    guard let attribute = entity.columns[index].attribute else {
      throw AttributeKeyError.relationship(name: name, entity: entity.name)
    }
    guard attribute.type == V.attributeType, attribute.isOptional == V.isOptional else {
      throw AttributeKeyError.type(attribute: attribute, entity: entity.name)
    }
    self.name = name
    self.index = index
  }
}

public enum AttributeKeyError: Error, Equatable, CustomStringConvertible {
  case unknown(attribute: String, entity: String, known: [String])
  case type(attribute: AttributeDescription, entity: String)
  case relationship(name: String, entity: String)
  case unknownRelationship(relationship: String, entity: String, known: [String])

  public var description: String {
    switch self {
    case .unknown(let attribute, let entity, let known):
      "entity '\(entity)' has no attribute '\(attribute)'. Known: \(known.joined(separator: ", "))"
    case .type(let attribute, let entity):
      "'\(entity).\(attribute.name)' is \(attribute.isOptional ? "an optional" : "a required")"
        + " \(attribute.type.rawValue); make the key of that type"
    case .relationship(let name, let entity):
      "'\(entity).\(name)' is a relationship; make a ToOneKey or a ToManyKey of it"
    case .unknownRelationship(let relationship, let entity, let known):
      "entity '\(entity)' has no such relationship '\(relationship)' of this kind. Known: "
        + known.joined(separator: ", ")
    }
  }
}

extension Int64: AttributeValue {
  public static var attributeType: AttributeType { .int64 }
  public static var isOptional: Bool { false }
  @inlinable public init(_ value: Value) {
    guard case .int64(let value) = value else { mismatch(value, Self.self) }
    self = value
  }
  public var value: Value { .int64(self) }
}

extension Double: AttributeValue {
  public static var attributeType: AttributeType { .double }
  public static var isOptional: Bool { false }
  @inlinable public init(_ value: Value) {
    guard case .double(let value) = value else { mismatch(value, Self.self) }
    self = value
  }
  public var value: Value { .double(self) }
}

extension Bool: AttributeValue {
  public static var attributeType: AttributeType { .bool }
  public static var isOptional: Bool { false }
  @inlinable public init(_ value: Value) {
    guard case .bool(let value) = value else { mismatch(value, Self.self) }
    self = value
  }
  public var value: Value { .bool(self) }
}

extension String: AttributeValue {
  public static var attributeType: AttributeType { .string }
  public static var isOptional: Bool { false }
  @inlinable public init(_ value: Value) {
    guard case .string(let value) = value else { mismatch(value, Self.self) }
    self = value
  }
  public var value: Value { .string(self) }
}

extension Date: AttributeValue {
  public static var attributeType: AttributeType { .date }
  public static var isOptional: Bool { false }
  @inlinable public init(_ value: Value) {
    guard case .date(let value) = value else { mismatch(value, Self.self) }
    self = value
  }
  public var value: Value { .date(self) }
}

extension Data: AttributeValue {
  public static var attributeType: AttributeType { .data }
  public static var isOptional: Bool { false }
  @inlinable public init(_ value: Value) {
    guard case .data(let value) = value else { mismatch(value, Self.self) }
    self = value
  }
  public var value: Value { .data(self) }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  public static var attributeType: AttributeType { Wrapped.attributeType }
  public static var isOptional: Bool { true }
  @inlinable public init(_ value: Value) {
    self = value.isNull ? nil : Wrapped(value)
  }
  public var value: Value { self?.value ?? .null }
}

@usableFromInline
func mismatch(_ value: Value, _ type: any AttributeValue.Type) -> Never {
  preconditionFailure(
    "read \(value) as \(type): set required attributes before reading them, with their own type")
}
