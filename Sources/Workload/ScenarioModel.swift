package import DataModel

extension AttributeDescription {
  /// Whether a row without a value for it can be saved.
  var canBeLeftOut: Bool { isOptional || defaultValue != .null }
}

extension RelationshipDescription {
  var canBeEmpty: Bool { isOptional && minimumCount == 0 }
}

extension EntityDescription {
  var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }
}

/// The entities of a scenario's store: those of its rows, and those that `model:` adds.
///
/// The harness makes the store's model of them. It reports mistakes that only show there as errors
/// of the scenario file, by ``error(at:_:)``.
package struct ScenarioModel: Sendable {
  /// Parents come before their subentities.
  package internal(set) var entities: [EntityDescription]
  /// Where each path was written.
  var origins: [String: ScenarioError.Origin]

  init(_ entities: [EntityDescription], origins: [String: ScenarioError.Origin]) {
    self.entities = entities
    self.origins = origins
  }

  mutating func note(_ node: ScenarioModelNode) { origins[node.path] = node.located.origin }

  /// An error of the scenario file, at the line of the path or of the nearest one around it.
  ///
  /// - Parameter path: as in messages, `model.City.relationships.country`.
  package func error(at path: String, _ message: String) -> ScenarioError {
    var place = path[...]
    while origins[String(place)] == nil, let dot = place.lastIndex(of: ".") {
      place = place[..<dot]
    }
    return ScenarioError(origins[String(place)] ?? .none, field: path, message)
  }

  func entity(named name: String) -> EntityDescription? { entities.first { $0.name == name } }

  /// The entities that this one inherits from, the nearest first; ends before one that is missing,
  /// or that was there already.
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
}
