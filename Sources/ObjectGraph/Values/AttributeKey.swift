/// An attribute by type and index: `city[City.name]`.
///
/// The index is fixed when the key is made, so reading is an array access.
///
/// Example: `Snippets/open-and-save.swift`.
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

extension AttributeKey: AttributeOperand {
  public var path: PredicatePath { PredicatePath(column: index) }
}

/// A to-one relationship by index: `city[City.country]`.
public struct ToOneKey: Hashable, Sendable {
  public let name: String
  public let index: Int

  /// - Throws: `AttributeKeyError` if the entity has no such to-one relationship.
  public init(_ name: String, of entity: Entity) throws {
    guard let index = entity.index(of: name), entity.columns[index].relationship != nil else {
      throw AttributeKeyError.unknownRelationship(
        relationship: name, entity: entity.name,
        known: entity.columns.compactMap(\.relationship?.name))
    }
    self.name = name
    self.index = index
  }
}

/// A to-many relationship by index: `country[Country.cities]`.
public struct ToManyKey: Hashable, Sendable {
  public let name: String
  public let index: Int

  /// - Throws: `AttributeKeyError` if the entity has no such to-many relationship.
  public init(_ name: String, of entity: Entity) throws {
    guard let index = entity.toManyIndex(of: name) else {
      throw AttributeKeyError.unknownRelationship(
        relationship: name, entity: entity.name, known: entity.toManyRelationships.map(\.name))
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
      "entity '\(entity)' has no relationship '\(relationship)' of this kind. Known: "
        + known.joined(separator: ", ")
    }
  }
}
