package import DataModel

extension AttributeDescription {
  /// Whether a row can be saved without a value for the attribute.
  var canBeLeftOut: Bool { isOptional || defaultValue != .null }
}

extension RelationshipDescription {
  var canBeEmpty: Bool { isOptional && minimumCount == 0 }
}

extension EntityDescription {
  var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }
}

/// The entities of a scenario's store: those with rows, and those that `model:` adds.
///
/// The harness makes the store's model of them. It reports errors found there as errors of the
/// scenario file, through ``error(at:_:)``.
package struct ScenarioModel: Sendable {
  /// The entities, parents before their subentities.
  package internal(set) var entities: [EntityDescription]
  /// The place in the file of each path.
  var origins: [String: ScenarioError.Origin]

  init(_ entities: [EntityDescription], origins: [String: ScenarioError.Origin]) {
    self.entities = entities
    self.origins = origins
  }

  mutating func note(_ node: ScenarioModelNode) { origins[node.path] = node.located.origin }

  /// An error of the scenario file, at the line of the path or of its nearest written parent.
  ///
  /// - Parameter path: a path as in messages, such as `model.City.relationships.country`.
  package func error(at path: String, _ message: String) -> ScenarioError {
    var place = path[...]
    while origins[String(place)] == nil, let dot = place.lastIndex(of: ".") {
      place = place[..<dot]
    }
    return ScenarioError(origins[String(place)] ?? .none, field: path, message)
  }

  func entity(named name: String) -> EntityDescription? { entities.first { $0.name == name } }

  /// The entities that this one inherits from, the nearest first. Ends at an unknown parent or a
  /// cycle.
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
