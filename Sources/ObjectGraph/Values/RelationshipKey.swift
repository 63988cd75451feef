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
