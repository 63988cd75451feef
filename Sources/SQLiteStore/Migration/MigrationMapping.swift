import ObjectGraph

// Finds the source of each part of a newer model in an older one:
//
//   old   Person: name, boss→Person      (matched by renaming identifier, or by name)
//           │       │      │
//   new   Human: fullName, boss⇉Human    a relationship may become wider, never narrower
//
// The two models alone must determine every change, whatever the rows contain. Every other change
// is a problem. All problems are reported together.
struct MigrationMapping {
  /// An old property and the entity that declares it.
  struct Source {
    let entity: StoredModel.Entity
    let property: StoredModel.Property

    var name: String { "\(entity.name).\(property.name)" }
  }

  let old: StoredModel
  let new: Schema
  /// The old index by new entity; nil for an added one.
  let oldIndexes: [Int?]
  private(set) var problems: [String] = []

  init(from old: StoredModel, to new: Schema) {
    self.old = old
    self.new = new
    oldIndexes = new.model.entities.map { entity in
      old.entities.firstIndex { $0.identifier == entity.renamingIdentifier ?? entity.name }
    }
    checkEntities()
    for index in new.model.entities.indices { checkProperties(of: index) }
    checkPairs()
  }

  var entities: [Entity] { new.model.entities }

  // MARK: - Finding

  /// Including inherited ones.
  func source(of identifier: String, in newIndex: Int) -> Source? {
    guard let oldIndex = oldIndexes[newIndex] else { return nil }
    return oldProperties(of: oldIndex).first { $0.property.identifier == identifier }
  }

  /// Including inherited ones.
  func oldProperties(of index: Int) -> [Source] {
    let entity = old.entities[index]
    let inherited = oldIndex(named: entity.parent).map(oldProperties) ?? []
    return inherited + entity.properties.map { Source(entity: entity, property: $0) }
  }

  /// Nil for a one-way relationship.
  func inverse(of source: Source) -> Source? {
    oldIndex(named: source.property.destination).flatMap { destination in
      oldProperties(of: destination).first { $0.property.name == source.property.inverse }
    }
  }

  func oldIndex(named name: String?) -> Int? { old.entities.firstIndex { $0.name == name } }

  /// Nil if the old entity is removed.
  func newIndex(of oldIndex: Int) -> Int? { oldIndexes.firstIndex(of: oldIndex) }

  func oldKinds(of index: Int) -> [Int] {
    old.entities.indices.filter { isOldKind($0, of: index) }
  }

  private func isOldKind(_ kind: Int, of index: Int) -> Bool {
    kind == index
      || oldIndex(named: old.entities[kind].parent).map { isOldKind($0, of: index) } == true
  }

  // MARK: - Checking

  mutating func addProblem(_ problem: String) {
    if !problems.contains(problem) { problems.append(problem) }
  }

  private mutating func checkEntities() {
    for (oldIndex, entity) in old.entities.enumerated() {
      let successors = oldIndexes.indices.filter { oldIndexes[$0] == oldIndex }
      if successors.count > 1 {
        addProblem(
          "'\(entity.name)' would become "
            + successors.map { "'\(entities[$0].name)'" }.joined(separator: " and ")
            + "; give one of them another renaming identifier")
      }
    }
    for root in new.roots {
      let kinds = new.model.resolved[root.entityIndex].kinds.compactMap { oldIndexes[$0] }
      if Set(kinds.map { old.entities[$0].table }).count > 1 {
        addProblem(
          "'\(root.entity.name)' would join entities that had no common parent, whose keys overlap; "
            + "keep their hierarchies apart")
      }
    }
    for (index, entity) in entities.enumerated() where entity.isAbstract {
      guard let oldIndex = oldIndexes[index], !old.entities[oldIndex].isAbstract else { continue }
      addProblem("'\(entity.name)' becomes abstract but may have rows; give it another name")
    }
  }

  private mutating func checkProperties(of index: Int) {
    guard oldIndexes[index] != nil else { return }
    let resolved = new.model.resolved[index]
    for (columnIndex, column) in entities[index].columns.enumerated() where !column.isTransient {
      let name = "'\(entities[index].name).\(column.name)'"
      switch column {
      case .attribute(let attribute):
        let source = source(of: column.identifier, in: index)
        check(attribute, name, from: source?.property)
      case .toOne:
        if let relationship = resolved.toOne[columnIndex] { check(relationship, name, of: index) }
      }
    }
    for relationship in resolved.toMany {
      check(relationship, "'\(entities[index].name).\(relationship.description.name)'", of: index)
    }
  }

  private mutating func check(
    _ attribute: AttributeDescription, _ name: String, from source: StoredModel.Property?
  ) {
    let isStored = source.map { !$0.isTransient } ?? false
    if let source, isStored, source.kind != .attribute {
      addProblem("\(name) was a relationship; give the attribute another name")
    } else if let source, isStored, source.type != attribute.type.rawValue {
      addProblem(
        "\(name) changes from \(source.type ?? "") to \(attribute.type.rawValue); keep the type, or "
          + "give the attribute another name")
    } else if !attribute.isOptional, attribute.defaultValue.isNull,
      !isStored || source?.isOptional == true
    {
      addProblem("\(name) must have a value now, and older rows may have none; give it a default")
    }
  }
}

// A relationship can become wider. The reverse would have to choose a member to keep:
//
//   from              to: one ⇄ one    one ⇄ many    many ⇄ many
//   one ⇄ one               yes            yes            yes
//   one ⇄ many              no             yes            yes
//   many ⇄ many             no             no             yes

extension MigrationMapping {
  mutating func check(_ relationship: ResolvedRelationship, _ name: String, of index: Int) {
    let description = relationship.description
    guard let source = source(of: description.identifier, in: index) else {
      return checkAdded(relationship, name)
    }
    switch source.property.kind {
    case .attribute where source.property.isTransient: checkAdded(relationship, name)
    case .attribute: addProblem("\(name) was an attribute; give the relationship another name")
    case .toMany where !description.isToMany:
      addProblem("\(name) was to-many, and only one could be kept; leave it to-many, or rename it")
    case .toOne, .toMany:
      if !description.isToMany, source.property.isOptional, !description.isOptional {
        addProblem(
          "\(name) must have a destination now, and older rows may have none; leave it optional")
      }
      checkDestination(relationship, name, from: source.property)
    }
  }

  /// A new relationship must not be the inverse of one that has members.
  private mutating func checkAdded(_ relationship: ResolvedRelationship, _ name: String) {
    guard !relationship.description.isToMany else { return }
    if !relationship.description.isOptional {
      addProblem("\(name) must have a destination, and older rows have none; make it optional")
    }
    guard let inverse = relationship.inverse else { return }
    let other = new.model.resolved[relationship.destination].relationship(at: inverse).description
    if source(of: other.identifier, in: relationship.destination) != nil {
      addProblem(
        "\(name) is new, but its inverse '\(relationship.description.destination).\(other.name)' is not"
          + " and may have several members; make it to-many, or give both a new name")
    }
  }

  private mutating func checkDestination(
    _ relationship: ResolvedRelationship, _ name: String, from property: StoredModel.Property
  ) {
    guard let destination = oldIndex(named: property.destination) else { return }
    let allowed = new.model.resolved[relationship.destination].kinds
    let successors = oldKinds(of: destination).compactMap(newIndex)
    if newIndex(of: destination) == nil || !successors.allSatisfy(allowed.contains) {
      addProblem(
        "\(name) led to '\(property.destination ?? "")' and leads to "
          + "'\(relationship.description.destination)' now; keep the destination, or rename it")
    }
  }

  /// Both sides of a many-to-many relationship must have been sides of one relationship.
  mutating func checkPairs() {
    for table in new.pairTables {
      let sides = table.ends.flatMap { end in
        pairSources(of: end).map { side in
          Set([side.source, inverse(of: side.source)].compactMap(\.?.name))
        }
      }
      guard let first = sides.first else { continue }
      if !sides.allSatisfy({ !$0.isDisjoint(with: first) }) {
        addProblem("'\(table.owner)' and its inverse were two relationships; rename one of them")
      }
    }
  }

  /// The old relationships that supply one side of a new many-to-many relationship, by old entity.
  func pairSources(of end: PairTable.End) -> [(newIndex: Int, source: Source)] {
    let entity = new.model.resolved[end.entity]
    let relationship = entity.toMany.first { $0.description.name == end.relationship }
    guard let identifier = relationship?.description.identifier else { return [] }
    return entity.kinds.compactMap { kind in
      let source = source(of: identifier, in: kind)
      guard let source, source.property.kind != .attribute else { return nil }
      return (kind, source)
    }
  }
}
