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
  let hasRelationships: Bool

  init(_ environment: TopologyEnvironment) {
    entity = environment.entity
    rows = environment.rowEntities
    hasRelationships = environment.model.resolved.contains(where: \.hasRelationships)
  }

  /// The objects that a changed object's relationships gained or lost.
  func changedRelations(of object: ManagedObject) -> [ManagedObjectID] {
    let before = object.committedValues
    let now = object.isDeleted ? nil : object.allValues
    var ids: [ManagedObjectID] = []
    object.resolved.toOneColumns.forEachIndex { column in
      let (old, new) = (before?[column], now?[column])
      if old != new { ids += [old, new].compactMap { $0?.objectID } }
    }
    guard !object.isDeleted else { return ids }
    for index in object.resolved.toMany.indices { ids += object.changedObjectIDs(at: index) }
    return ids
  }

  /// Nil if the entity has no key.
  func name(of object: ManagedObject) -> RowName? {
    rows.first { object.entity.isKind(of: $0.entity) }.map { RowName($0, object[$0.keyIndex]) }
  }
}

/// The objects of a save that is about to run, and their ties. For the saving context's queue.
// `@unchecked Sendable`: only the saving context's queue reads the objects.
struct SaveDraft: @unchecked Sendable {
  /// Inserted, then updated, then deleted objects.
  let objects: [ManagedObject]
  /// The deleted objects' indexes in `objects`.
  private(set) var deletedKeys: [RowName: Int] = [:]
  private(set) var insertedKeys: [RowName] = []
  private var sets: DisjointSets

  /// Call it in will-save, when delete rules have been applied.
  init(of context: ManagedObjectContext, by rules: TyingRules) {
    let (inserted, deleted) = (context.insertedObjects, context.deletedObjects)
    objects = inserted + context.updatedObjects + deleted
    sets = DisjointSets(count: objects.count)
    if rules.hasRelationships { tieRelated(by: rules) }
    let firstDeleted = objects.count - deleted.count
    for (index, object) in deleted.enumerated() {
      if let key = rules.name(of: object) { deletedKeys[key] = firstDeleted + index }
    }
    for (index, object) in inserted.enumerated() {
      guard let key = rules.name(of: object) else { continue }
      insertedKeys.append(key)
      if let replaced = deletedKeys[key] { sets.join(index, replaced) }
    }
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
