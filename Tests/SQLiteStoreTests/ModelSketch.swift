import ObjectGraph

/// An editable model. Every constant ID is a renaming identifier.
struct ModelSketch {
  struct Attribute {
    let id: String
    var name: String
    let type: AttributeType
    var isOptional: Bool
    var defaultValue: Value
  }

  struct Entity {
    let id: String
    var name: String
    let parent: String?
    var attributes: [Attribute]
  }

  struct Side {
    let entity: String
    var name: String
    var isToMany: Bool
  }

  struct Relationship {
    let id: String
    var left: Side
    /// Nil for a to-one relationship without an inverse; `target` is then its destination.
    var right: Side?
    let target: String
  }

  /// In the order of the model.
  var entities: [Entity] = []
  var relationships: [Relationship] = []

  func entity(_ id: String) -> Entity? { entities.first { $0.id == id } }

  func isKind(_ id: String, of other: String) -> Bool {
    id == other || entity(id)?.parent.map { isKind($0, of: other) } == true
  }

  /// Topmost first.
  func ancestry(of id: String) -> [Entity] {
    guard let entity = entity(id) else { return [] }
    return (entity.parent.map(ancestry) ?? []) + [entity]
  }

  /// In lower case.
  func takenNames(by id: String) -> Set<String> {
    let relatives = entities.filter { isKind($0.id, of: id) || isKind(id, of: $0.id) }
    let sides = relationships.flatMap { [$0.left, $0.right].compactMap(\.self) }
    return Set(
      relatives.flatMap { $0.attributes.map(\.name) }
        + sides.filter { side in relatives.contains { $0.id == side.entity } }.map(\.name))
  }

  func made() throws -> [ObjectGraph.Entity] {
    var made: [String: ObjectGraph.Entity] = [:]
    func make(_ sketch: Entity) throws -> ObjectGraph.Entity {
      if let entity = made[sketch.id] { return entity }
      let parent = try sketch.parent.flatMap(entity).map(make)
      let entity = try ObjectGraph.Entity(
        name: sketch.name, parent: parent,
        attributes: sketch.attributes.map { attribute in
          AttributeDescription(
            attribute.name, attribute.type, isOptional: attribute.isOptional,
            defaultValue: attribute.defaultValue, renamingIdentifier: attribute.id)
        }, relationships: relationships.flatMap { descriptions($0, of: sketch.id) },
        renamingIdentifier: sketch.id)
      made[sketch.id] = entity
      return entity
    }
    return try entities.map(make)
  }

  private func descriptions(
    _ relationship: Relationship, of id: String
  ) -> [RelationshipDescription] {
    func description(
      _ side: Side, _ other: Side?, to target: String, _ suffix: String
    ) -> RelationshipDescription? {
      guard side.entity == id, let target = entity(target)?.name else { return nil }
      let identifier = relationship.id + suffix
      guard side.isToMany, let other else {
        return .toOne(side.name, target, inverse: other?.name, renamingIdentifier: identifier)
      }
      return .toMany(side.name, target, inverse: other.name, renamingIdentifier: identifier)
    }
    let left = description(
      relationship.left, relationship.right, to: relationship.target, " left")
    let right = relationship.right.flatMap { right in
      description(right, relationship.left, to: relationship.left.entity, " right")
    }
    return [left, right].compactMap(\.self)
  }
}
