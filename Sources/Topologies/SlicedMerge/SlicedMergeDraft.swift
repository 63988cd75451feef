import ObjectGraph

// What must not be torn apart. Of the objects that a save sends, these reach main together:
//
//   related by the change   employee ─department→ old, new      who changed it, who lost it, who got it
//   deleted together        department ═cascade═▶ employees ═▶ badges
//   replaced                the row of a key that is deleted, and the one inserted under the same key
//
// What merely was related before and stays so is not tied: only a change of the relationship ties.

/// What names a row outside this process.
struct RowName: Hashable, Sendable {
  private let entity: ObjectIdentifier
  private let key: Value

  init(_ rows: RowEntity, _ key: Value) {
    entity = ObjectIdentifier(rows.entity)
    self.key = key
  }
}

/// What ties objects of one save together, worked out once for a model.
struct TyingRules: Sendable {
  /// That of the list.
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

  /// The objects that a changed object's relationships led to before and not now, or the other way
  /// round. On the queue of its context.
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

  /// The business key of an object, with whose it is; nil if its entity has none.
  func name(of object: ManagedObject) -> RowName? {
    rows.first { object.entity.isKind(of: $0.entity) }.map { RowName($0, object[$0.keyIndex]) }
  }
}

extension Value {
  fileprivate var target: ManagedObjectID? {
    if case .object(let id) = self { id } else { nil }
  }
}

/// The objects that a save is about to send, and which of them are tied. Used on the queue of the
/// context that saves.
struct SaveDraft {
  /// Inserted, updated, deleted.
  let objects: [ManagedObject]
  /// The keys of rows that are deleted, with the places of their objects.
  private(set) var deletedKeys: [RowName: Int] = [:]
  private(set) var insertedKeys: [RowName] = []
  private var sets: DisjointSets

  /// In a will-save, when delete rules have been applied.
  init(of context: ManagedObjectContext, by rules: TyingRules) {
    let (inserted, deleted) = (context.insertedObjects, context.deletedObjects)
    objects = inserted + context.updatedObjects + deleted
    sets = DisjointSets(count: objects.count)
    if rules.hasRelationships { tieRelated(by: rules) }
    insertedKeys = inserted.compactMap(rules.name)
    let firstDeleted = objects.count - deleted.count
    for (place, object) in deleted.enumerated() {
      if let key = rules.name(of: object) { deletedKeys[key] = firstDeleted + place }
    }
    tieReplaced(inserted, by: rules)
  }

  /// Whether any two are tied.
  var hasTies: Bool { sets.hasJoined }

  /// For each object the number of its set, by the ID that it has now.
  func setsByID() -> [ManagedObjectID: Int] {
    var sets = sets
    return Dictionary(
      objects.enumerated().map { ($1.objectID, sets.root(of: $0)) }
    ) { first, _ in first }
  }

  private mutating func tieRelated(by rules: TyingRules) {
    let places = Dictionary(
      objects.enumerated().map { ($1.objectID, $0) }
    ) { first, _ in first }
    for (place, object) in objects.enumerated() {
      for id in rules.changedRelations(of: object) {
        if let other = places[id] { sets.join(place, other) }
      }
    }
  }

  private mutating func tieReplaced(_ inserted: [ManagedObject], by rules: TyingRules) {
    guard !deletedKeys.isEmpty else { return }
    for (place, object) in inserted.enumerated() {
      guard let key = rules.name(of: object), let old = deletedKeys[key] else { continue }
      sets.join(place, old)
    }
  }
}

/// Numbers from 0 in sets that are joined, two at a time.
struct DisjointSets: Sendable {
  private var parents: [Int]
  private(set) var hasJoined = false

  init(count: Int) {
    parents = Array(0..<count)
  }

  /// What all numbers of a set have in common.
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
