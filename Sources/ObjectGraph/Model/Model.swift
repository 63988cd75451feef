// Exported, so that a topology needs one import for values and descriptions too.
@_exported public import DataModel

/// The entities of a store. Immutable, so any queue can read it.
///
/// Example: `Snippets/open-and-save.swift`.
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
    let resolution = try ModelResolution(entities)
    let indexes = Dictionary(
      uniqueKeysWithValues: entities.enumerated().map { (ObjectIdentifier($1), $0) })
    for entity in entities {
      if let parent = entity.parent, indexes[ObjectIdentifier(parent)] == nil {
        throw ModelError.missingParent(entity: entity.name, parent: parent.name)
      }
    }
    self.entities = entities
    self.indexes = indexes
    self.resolved = try resolution.resolve()
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

  /// How a deletion of the relationship's target affects the source; nil without an inverse.
  func inverseRule(of relationship: ResolvedRelationship) -> DeleteRule? {
    relationship.inverse.map {
      resolved[relationship.destination].relationship(at: $0).description.deleteRule
    }
  }
}

package struct ResolvedRelationship: Sendable {
  package let description: RelationshipDescription
  package let end: RelationshipEnd
  /// The index of the declaring entity.
  package let source: Int
  package let destination: Int
  /// Nil for a one-way to-one relationship.
  package let inverse: RelationshipEnd?

  /// Whether the store keeps the relationship as pairs of keys.
  package var isManyToMany: Bool {
    if case (.toMany, .toMany?) = (end, inverse) { true } else { false }
  }
}

package final class ResolvedEntity: Sendable {
  package let entity: Entity
  package let index: Int
  /// The index of the topmost entity of the hierarchy, whose table holds the rows.
  package let root: Int
  package let kinds: [Int]
  /// By column; nil for attributes.
  package let toOne: [ResolvedRelationship?]
  package let toMany: [ResolvedRelationship]
  package let hasRelationships: Bool
  package let toOneColumns: AttributeMask
  /// By column; nil for relationships.
  private let types: ContiguousArray<AttributeType?>
  let hasDenyingRelationship: Bool
  let hasAwakeFromFetchHook: Bool
  package let transients: AttributeMask
  let required: AttributeMask
  let rules: [(column: Int, rule: ValidationRule)]
  let countedToMany: [Int]

  init(
    _ entity: Entity, index: Int, root: Int, kinds: [Int], toOne: [ResolvedRelationship?],
    toMany: [ResolvedRelationship]
  ) {
    self.entity = entity
    self.index = index
    self.root = root
    self.kinds = kinds
    self.toOne = toOne
    self.toMany = toMany
    self.toOneColumns = AttributeMask(toOne.indices.filter { toOne[$0] != nil })
    self.types = ContiguousArray(entity.columns.map(\.attribute?.type))
    self.transients = AttributeMask(
      entity.columns.indices.filter { entity.columns[$0].isTransient })
    self.required = AttributeMask(entity.columns.indices.filter { !entity.columns[$0].isOptional })
    self.rules = entity.columns.enumerated().compactMap { index, column in
      column.attribute.flatMap {
        $0.validation == .none ? nil : (index, ValidationRule($0.validation))
      }
    }
    self.countedToMany = entity.toManyRelationships.indices.filter { index in
      let relationship = entity.toManyRelationships[index]
      return !relationship.isOptional || relationship.minimumCount > 0
        || relationship.maximumCount != nil
    }
    let all = toOne.compactMap(\.self) + toMany
    self.hasAwakeFromFetchHook = entity.hooks.awakeFromFetch != nil
    self.hasDenyingRelationship = all.contains { $0.description.deleteRule == .deny }
    self.hasRelationships = !all.isEmpty
  }

  func accepts(_ value: Value, at column: Int) -> Bool {
    switch value {
    case .null: true
    case .object: types[column] == nil
    default: types[column] == value.type
    }
  }

  package func relationship(at end: RelationshipEnd) -> ResolvedRelationship {
    switch end {
    case .toMany(let index): return toMany[index]
    case .toOne(let column):
      guard let relationship = toOne[column] else {
        fatalError("'\(entity.name).\(entity.columns[column].name)' is an attribute")
      }
      return relationship
    }
  }

  /// To-one relationships come first.
  package var relationships: [ResolvedRelationship] { toOne.compactMap(\.self) + toMany }
}

struct ModelResolution {
  private let entities: [Entity]
  private let indexes: [String: Int]

  init(_ entities: [Entity]) throws {
    self.entities = entities
    indexes = try ModelError.indexes(of: entities.map(\.name), in: "the model")
  }

  func resolve() throws -> [ResolvedEntity] {
    let kinds = kinds
    return try entities.enumerated().map { index, entity in
      let toOne = try entity.columns.enumerated().map { column, description in
        try description.relationship.map { try resolve($0, at: .toOne(column: column), of: entity) }
      }
      let toMany = try entity.toManyRelationships.enumerated().map { place, description in
        try resolve(description, at: .toMany(place), of: entity)
      }
      return ResolvedEntity(
        entity, index: index, root: place(of: root(of: entity)),
        kinds: kinds[index], toOne: toOne, toMany: toMany)
    }
  }

  /// By entity: its own index, and those of its subentities.
  private var kinds: [[Int]] {
    var kinds = [[Int]](repeating: [], count: entities.count)
    for (index, entity) in entities.enumerated() {
      var kind: Entity? = entity
      while let known = kind {
        kinds[place(of: known)].append(index)
        kind = known.parent
      }
    }
    return kinds
  }

  private func resolve(
    _ relationship: RelationshipDescription, at end: RelationshipEnd, of entity: Entity
  ) throws -> ResolvedRelationship {
    guard let destination = indexes[relationship.destination] else {
      throw ModelError.unknownDestination(
        entity: entity.name, relationship: relationship.name,
        destination: relationship.destination)
    }
    let source = declarer(of: end, in: entity)
    return ResolvedRelationship(
      description: relationship, end: end, source: place(of: source), destination: destination,
      inverse: try inverse(of: relationship, declaredBy: source, in: entities[destination]))
  }

  private func inverse(
    of relationship: RelationshipDescription, declaredBy source: Entity, in destination: Entity
  ) throws -> RelationshipEnd? {
    guard let name = relationship.inverse else {
      guard !relationship.isToMany else {
        throw ModelError.noInverse(entity: source.name, relationship: relationship.name)
      }
      return nil
    }
    let column = destination.index(of: name)
    let index = destination.toManyIndex(of: name)
    let back =
      column.flatMap { destination.columns[$0].relationship }
      ?? index.map { destination.toManyRelationships[$0] }
    guard let back, back.inverse == relationship.name, back.destination == source.name else {
      throw ModelError.wrongInverse(
        entity: source.name, relationship: relationship.name, inverse: name)
    }
    return index.map(RelationshipEnd.toMany) ?? column.map(RelationshipEnd.toOne)
  }

  private func declarer(of end: RelationshipEnd, in entity: Entity) -> Entity {
    guard let parent = entity.parent else { return entity }
    let isInherited =
      switch end {
      case .toOne(let column): column < parent.columns.count
      case .toMany(let index): index < parent.toManyRelationships.count
      }
    return isInherited ? declarer(of: end, in: parent) : entity
  }

  private func root(of entity: Entity) -> Entity { entity.parent.map(root(of:)) ?? entity }

  private func place(of entity: Entity) -> Int { indexes[entity.name] ?? 0 }
}
