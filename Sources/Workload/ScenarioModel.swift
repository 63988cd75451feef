/// One attribute of an entity of a scenario's model.
package struct ModelAttribute: Equatable, Sendable {
  package let attribute: Attribute
  package var isIndexed = false
  package var isTransient = false
  package var defaultValue = FieldValue.null
  package var minimum: FieldValue?
  package var maximum: FieldValue?
  package var minimumLength: Int?
  package var maximumLength: Int?
  /// A regular expression; whether it is one is found when the store's model is made.
  package var pattern: String?

  init(_ attribute: Attribute) { self.attribute = attribute }

  /// Whether a row that says nothing of it can be saved.
  var canBeLeftOut: Bool { attribute.isOptional || defaultValue != .null }
}

/// What becomes of related objects when one is deleted.
package enum ModelDeleteRule: String, CaseIterable, Sendable {
  case nullify, cascade, deny
  case noAction = "no-action"

  static let allNames = allCases.map(\.rawValue)
}

/// One relationship of an entity, seen from one side.
package struct ModelRelationship: Equatable, Sendable {
  package let name: String
  package let destination: String
  package let isToMany: Bool
  package var inverse: String?
  package var isOptional = true
  package var deleteRule = ModelDeleteRule.nullify
  /// How many objects a to-many relationship may hold.
  package var minimumCount = 0
  package var maximumCount: Int?

  var canBeEmpty: Bool { isOptional && minimumCount == 0 }
}

/// One entity of a scenario's model. What it inherits is not listed again.
package struct ModelEntity: Equatable, Sendable {
  package let name: String
  package var parent: String?
  package var isAbstract = false
  package var attributes: [ModelAttribute] = []
  package var relationships: [ModelRelationship] = []
  /// Lists of attributes and to-one relationships of which no two rows may hold the same values.
  package var uniquenessConstraints: [[String]] = []

  var propertyNames: [String] { attributes.map(\.attribute.name) + relationships.map(\.name) }
}

/// The entities of a scenario's store: that of its rows, and those that `model:` adds.
///
/// Plain descriptions with their places in the file; the store's model is made of them elsewhere,
/// and what is found wrong only there is told as an error of the file by ``error(at:_:)``.
package struct ScenarioModel: Sendable {
  /// Parents before those that inherit from them.
  package internal(set) var entities: [ModelEntity]
  /// Where each path was written.
  var origins: [String: ScenarioError.Origin]

  init(_ entities: [ModelEntity], origins: [String: ScenarioError.Origin]) {
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

  func entity(named name: String) -> ModelEntity? { entities.first { $0.name == name } }

  /// The entities that this one inherits from, the nearest first; ends before one that is missing,
  /// or that was there already.
  func ancestors(of entity: ModelEntity) -> [ModelEntity] {
    var found: [ModelEntity] = []
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
