package import DataModel
package import Support

extension AttributeDescription {
  /// Whether a row can be saved without a value.
  var canBeLeftOut: Bool { isOptional || defaultValue != .null }
}

extension RelationshipDescription {
  var canBeEmpty: Bool { isOptional && minimumCount == 0 }
}

extension EntityDescription {
  var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }
}

/// Entities with rows, and those that `model:` adds. The harness makes the store's model of them.
package struct ScenarioModel: Sendable {
  /// Parents before their subentities.
  package internal(set) var entities: [EntityDescription] = []
  var origins: [String: InputError.Origin] = [:]

  /// At the line of the path, such as `model.City.relationships.country`, or of its nearest written
  /// parent.
  package func error(at path: String, _ message: String) -> InputError {
    var place = path[...]
    while origins[String(place)] == nil, let dot = place.lastIndex(of: ".") {
      place = place[..<dot]
    }
    return InputError(origins[String(place)] ?? .none, field: path, message)
  }

  func entity(named name: String) -> EntityDescription? { entities.first { $0.name == name } }

  /// The nearest first. Ends at an unknown parent or a cycle.
  func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    var found: [EntityDescription] = []
    var next = entity.parent
    while let name = next, let parent = self.entity(named: name),
      parent.name != entity.name, !found.contains(where: { $0.name == name })
    {
      found.append(parent)
      next = parent.parent
    }
    return found
  }

  func lineage(of entity: EntityDescription) -> [EntityDescription] {
    [entity] + ancestors(of: entity)
  }

  func relationship(named name: String, of entity: String) -> RelationshipDescription? {
    guard let entity = self.entity(named: entity) else { return nil }
    return lineage(of: entity).flatMap(\.relationships).first { $0.name == name }
  }
}
