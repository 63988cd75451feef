/// The entities of a store. Immutable, so any queue can read it.
public final class Model: Sendable {
  public let entities: [Entity]
  /// In the order of `entities`.
  package let resolved: [ResolvedEntity]
  let hasRelationships: Bool
  let hasWillSaveHooks: Bool
  let hasAwakeFromFetchHooks: Bool
  private let indexes: [ObjectIdentifier: Int]

  /// - Throws: `ModelError` for repeated names, a missing parent, and a destination or inverse that
  ///   does not exist or does not lead back.
  public init(_ entities: [Entity]) throws {
    try ModelError.checkUnique(entities.map(\.name), in: "the model")
    let indexes = Dictionary(
      uniqueKeysWithValues: entities.enumerated().map { (ObjectIdentifier($1), $0) })
    for entity in entities {
      if let parent = entity.parent, indexes[ObjectIdentifier(parent)] == nil {
        throw ModelError.missingParent(entity: entity.name, parent: parent.name)
      }
    }
    self.entities = entities
    self.indexes = indexes
    self.resolved = try ModelResolution(entities).resolve()
    self.hasRelationships = resolved.contains(where: \.hasRelationships)
    self.hasWillSaveHooks = entities.contains { $0.hooks.willSave != nil }
    self.hasAwakeFromFetchHooks = entities.contains { $0.hooks.awakeFromFetch != nil }
  }

  /// The index in `entities`, as in object IDs.
  ///
  /// - Precondition: the entity belongs to this model.
  public func index(of entity: Entity) -> Int {
    guard let index = indexes[ObjectIdentifier(entity)] else {
      fatalError("entity '\(entity.name)' does not belong to this model")
    }
    return index
  }

  public func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

  package func resolved(_ entity: Entity) -> ResolvedEntity { resolved[index(of: entity)] }
}
