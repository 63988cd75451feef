import ObjectGraph

// Ties between the objects of a save, which must reach main together:
//
//   related by the change   employee ─department→ old, new      the changed object and its targets
//   deleted together        department ═cascade═▶ employees ═▶ badges
//   replaced                a deleted row, and the row inserted under the same key
//
// A relationship that stays the same does not tie objects.

struct RowName: Hashable, Sendable {
  private let entity: ObjectIdentifier
  private let key: Value

  init(_ rows: RowEntity, _ key: Value) {
    entity = ObjectIdentifier(rows.entity)
    self.key = key
  }
}

struct TyingRules: Sendable {
  let entity: Entity
  private let rows: [RowEntity]
  private let toOne: [ObjectIdentifier: [Int]]
  private let toMany: [ObjectIdentifier: [ToManyKey]]
  let hasRelationships: Bool

  init(_ environment: TopologyEnvironment) {
    entity = environment.entity
    rows = environment.rowEntities
    let entities = environment.model.entities
    toOne = Self.table(entities) { entity in
      entity.columns.indices.filter { entity.columns[$0].relationship != nil }
    }
    toMany = Self.table(entities) { entity in
      entity.toManyRelationships.compactMap { try? ToManyKey($0.name, of: entity) }
    }
    hasRelationships =
      toOne.values.contains { !$0.isEmpty } || toMany.values.contains { !$0.isEmpty }
  }

  private static func table<R>(
    _ entities: [Entity], _ row: (Entity) -> R
  ) -> [ObjectIdentifier: R] {
    Dictionary(uniqueKeysWithValues: entities.map { (ObjectIdentifier($0), row($0)) })
  }

  /// The objects that a changed object's relationships gained or lost.
  func changedRelations(of object: ManagedObject) -> [ManagedObjectID] {
    let entity = ObjectIdentifier(object.entity)
    let before = object.committedValues
    let now = object.isDeleted ? nil : object.allValues
    var ids: [ManagedObjectID] = []
    for column in toOne[entity] ?? [] where before?[column] != now?[column] {
      ids += [before?[column], now?[column]].compactMap(\.?.target)
    }
    guard !object.isDeleted else { return ids }
    for key in toMany[entity] ?? [] { ids += object.changedObjectIDs(key) }
    return ids
  }

  /// Nil if the entity has no key.
  func name(of object: ManagedObject) -> RowName? {
    rows.first { object.entity.isKind(of: $0.entity) }.map { RowName($0, object[$0.keyIndex]) }
  }
}

extension Value {
  fileprivate var target: ManagedObjectID? {
    if case .object(let id) = self { id } else { nil }
  }
}

/// The objects of a save that is about to run, and their ties. For the saving context's queue.
struct SaveDraft {
  /// Inserted, then updated, then deleted objects.
  let objects: [ManagedObject]
  /// Indexes of `objects`.
  private(set) var deletedKeys: [RowName: Int] = [:]
  private(set) var insertedKeys: [RowName] = []
  private var sets: DisjointSets

  /// Call it in will-save, when delete rules have been applied.
  init(of context: ManagedObjectContext, by rules: TyingRules) {
    let (inserted, deleted) = (context.insertedObjects, context.deletedObjects)
    objects = inserted + context.updatedObjects + deleted
    sets = DisjointSets(count: objects.count)
    if rules.hasRelationships { tieRelated(by: rules) }
    insertedKeys = inserted.compactMap(rules.name)
    let firstDeleted = objects.count - deleted.count
    for (index, object) in deleted.enumerated() {
      if let key = rules.name(of: object) { deletedKeys[key] = firstDeleted + index }
    }
    tieReplaced(inserted, by: rules)
  }

  var hasTies: Bool { sets.hasJoined }

  func setsByID() -> [ManagedObjectID: Int] {
    var sets = sets
    return indexes.mapValues { sets.root(of: $0) }
  }

  private var indexes: [ManagedObjectID: Int] {
    Dictionary(objects.enumerated().map { ($1.objectID, $0) }) { first, _ in first }
  }

  private mutating func tieRelated(by rules: TyingRules) {
    let indexes = indexes
    for (index, object) in objects.enumerated() {
      for id in rules.changedRelations(of: object) {
        if let other = indexes[id] { sets.join(index, other) }
      }
    }
  }

  private mutating func tieReplaced(_ inserted: [ManagedObject], by rules: TyingRules) {
    guard !deletedKeys.isEmpty else { return }
    for (index, object) in inserted.enumerated() {
      guard let key = rules.name(of: object), let old = deletedKeys[key] else { continue }
      sets.join(index, old)
    }
  }
}

/// Union-find over the numbers from 0.
struct DisjointSets: Sendable {
  private var parents: [Int]
  private(set) var hasJoined = false

  init(count: Int) {
    parents = Array(0..<count)
  }

  mutating func root(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(of: a), root(of: b))
    guard first != second else { return }
    parents[second] = first
    hasJoined = true
  }
}
