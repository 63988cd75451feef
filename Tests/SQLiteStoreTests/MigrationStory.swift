import Support
import ObjectGraph
import SQLiteStore

/// A store that is migrated repeatedly, and its expected contents.
struct MigrationStory {
  struct Object: Equatable {
    let entity: String
    let key: Int64
    /// By the ID of the attribute.
    var values: [String: Value]
  }

  struct Link: Hashable {
    let left: Int
    let right: Int
  }

  let store: MigratingStore
  var generator: SplitMix64
  var sketch = ModelSketch()
  /// Nil for deleted objects.
  var objects: [Object?] = []
  /// By the ID of the relationship.
  var links: [String: Set<Link>] = [:]
  /// Since the store was opened.
  var changedAttributes: Set<String> = []
  private var lastID = 0

  init(seed: UInt64) throws {
    store = try MigratingStore()
    generator = SplitMix64(seed: seed)
    for _ in 0..<3 { addEntity() }
    for _ in 0..<3 { addRelationship() }
  }

  mutating func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &generator) }
  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  mutating func newID() -> String {
    lastID += 1
    return "id\(lastID)"
  }

  mutating func freshName(in entity: String) -> String {
    let taken = sketch.takenNames(by: entity)
    return pick((1...60).map { "p\($0)" }.filter { !taken.contains($0) }) ?? newID()
  }

  /// Including subentities.
  func numbers(of entity: String) -> [Int] {
    objects.indices.filter { number in
      objects[number].map { sketch.isKind($0.entity, of: entity) } == true
    }
  }

  mutating func value(_ attribute: ModelSketch.Attribute) -> Value {
    if attribute.isOptional, chance(3) { return .null }
    let number = Int64.random(in: 0..<1000, using: &generator)
    return attribute.type == .int64 ? .int64(number) : .string("\(number)")
  }

  // MARK: - Writing

  mutating func write() throws {
    changedAttributes = []
    let coordinator = try SQLiteCoordinator(store.configuration, model: Model(sketch.made()))
    var new: [(entity: String, values: [String: Value])] = []
    for _ in 0..<8 {
      guard let entity = pick(sketch.entities) else { break }
      var values: [String: Value] = [:]
      for attribute in sketch.ancestry(of: entity.id).flatMap(\.attributes) {
        values[attribute.id] = value(attribute)
      }
      new.append((entity.id, values))
    }
    let newLinks = chosenLinks(among: new.map(\.entity))
    let request = SketchRequest(sketch, coordinator, new, newLinks).request
    let ids = try coordinator.save(request)
    let first = objects.count
    for (object, id) in zip(new, ids) {
      objects.append(Object(entity: object.entity, key: id.primaryKey, values: object.values))
    }
    for (id, links) in newLinks {
      self.links[id, default: []].formUnion(
        links.map { Link(left: first + $0.left, right: first + $0.right) })
    }
    try coordinator.close()
  }

  private mutating func chosenLinks(among entities: [String]) -> [String: Set<Link>] {
    var chosen: [String: Set<Link>] = [:]
    for relationship in sketch.relationships {
      let lefts = entities.indices.filter {
        sketch.isKind(entities[$0], of: relationship.left.entity)
      }
      let rights = entities.indices.filter { sketch.isKind(entities[$0], of: relationship.target) }
      for _ in 0..<4 {
        guard let left = pick(lefts), let right = pick(rights) else { break }
        let links = chosen[relationship.id, default: []]
        let isFree =
          (relationship.left.isToMany || !links.contains { $0.left == left })
          && (relationship.right?.isToMany != false || !links.contains { $0.right == right })
        if isFree { chosen[relationship.id, default: []].insert(Link(left: left, right: right)) }
      }
    }
    return chosen
  }

  // MARK: - Reading

  func differences() throws -> [String] {
    let coordinator = try SQLiteCoordinator(store.configuration, model: Model(sketch.made()))
    var differences: [String] = []
    for entity in sketch.entities {
      let expected = objects.compactMap(\.self).filter { $0.entity == entity.id }
      let found = try self.found(entity, coordinator)
      differences += zip(found, expected.sorted { $0.key < $1.key }).filter { $0 != $1 }
        .map { "\(entity.name): \($0) instead of \($1)" }
      if found.count != expected.count {
        differences.append("\(entity.name): \(found.count) rows instead of \(expected.count)")
      }
    }
    for relationship in sketch.relationships {
      differences += try self.differences(relationship, coordinator)
    }
    try coordinator.close()
    return differences
  }

  private func found(
    _ sketch: ModelSketch.Entity, _ coordinator: SQLiteCoordinator
  ) throws -> [Object] {
    guard let entity = coordinator.model.entity(named: sketch.name) else { return [] }
    var request = FetchRequest(entity)
    request.includesSubentities = false
    return try coordinator.fetch(request).map { row in
      var values: [String: Value] = [:]
      for (column, value) in zip(entity.columns, row.snapshot.values) {
        if let id = column.attribute?.renamingIdentifier { values[id] = value }
      }
      return Object(entity: sketch.id, key: row.id.primaryKey, values: values)
    }.sorted { $0.key < $1.key }
  }

  private func differences(
    _ relationship: ModelSketch.Relationship, _ coordinator: SQLiteCoordinator
  ) throws -> [String] {
    let links = links[relationship.id] ?? []
    var differences: [String] = []
    let sides = [relationship.left, relationship.right].compactMap(\.self)
    for (index, side) in sides.enumerated() {
      for number in numbers(of: side.entity) {
        let others = links.filter { (index == 0 ? $0.left : $0.right) == number }
          .compactMap { objects[index == 0 ? $0.right : $0.left]?.key }.sorted()
        let found = try keys(side, of: number, coordinator)
        if found != others {
          differences.append("\(side.name) of object \(number): \(found) instead of \(others)")
        }
      }
    }
    return differences
  }

  private func keys(
    _ side: ModelSketch.Side, of number: Int, _ coordinator: SQLiteCoordinator
  ) throws -> [Int64] {
    guard let object = objects[number], let name = sketch.entity(object.entity)?.name,
      let entity = coordinator.model.entity(named: name)
    else { return [] }
    let id = ManagedObjectID(
      store: coordinator.storeNumber, entityIndex: Int32(coordinator.model.index(of: entity)),
      primaryKey: object.key)
    if let column = entity.index(of: side.name) {
      let value = try coordinator.snapshot(of: id)?.values[column]
      return (value?.objectID).map { [$0.primaryKey] } ?? []
    }
    return try coordinator.related(to: id, at: entity.toManyIndex(of: side.name) ?? -1)
      .map(\.primaryKey)
  }
}

private struct SketchRequest {
  private(set) var request = SaveRequest()

  init(
    _ sketch: ModelSketch, _ coordinator: SQLiteCoordinator,
    _ objects: [(entity: String, values: [String: Value])],
    _ links: [String: Set<MigrationStory.Link>]
  ) {
    let model = coordinator.model
    let entities = objects.compactMap { object in
      sketch.entity(object.entity).flatMap { model.entity(named: $0.name) }
    }
    let ids = entities.map { entity in
      ManagedObjectID.temporary(
        store: coordinator.storeNumber, entityIndex: Int32(model.index(of: entity)))
    }
    var rows = zip(entities, objects).map { entity, object in
      ContiguousArray(
        entity.columns.map { column in
          column.attribute?.renamingIdentifier.flatMap { object.values[$0] } ?? .null
        })
    }
    for relationship in sketch.relationships {
      for link in links[relationship.id] ?? [] {
        if let column = entities[link.left].index(of: relationship.left.name) {
          rows[link.left][column] = .object(ids[link.right])
        }
        guard let right = relationship.right else { continue }
        if let column = entities[link.right].index(of: right.name) {
          rows[link.right][column] = .object(ids[link.left])
        } else if let index = entities[link.left].toManyIndex(of: relationship.left.name) {
          request.linked.append(
            .init(source: ids[link.left], relationship: index, destination: ids[link.right]))
        }
      }
    }
    request.inserts = zip(ids, rows).map { .init(id: $0, values: $1) }
  }
}
