import ObjectGraph

// A newer model's parts follow from an older one's:
//
//   old   Person: name, boss→Person      (matched by renaming identifier, or by name)
//           │       │      │
//   new   Human: fullName, boss⇉Human    a relationship may become wider, never narrower
//
// The two models alone must determine every change, whatever the rows contain. Every other change
// is a problem. All problems are reported together.
struct MigrationMapping {
  /// With the entity that declares it.
  struct Source {
    let entity: StoredModel.Entity
    let property: StoredModel.Property
  }

  let old: StoredModel
  let new: Schema
  /// By new entity; nil for an added one.
  let oldIndexes: [Int?]
  private(set) var problems: [String] = []

  init(from old: StoredModel, to new: Schema) {
    self.old = old
    self.new = new
    let oldByIdentifier = Dictionary(
      old.entities.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { first, _ in first }
    )
    oldIndexes = new.model.entities.map { oldByIdentifier[$0.renamingIdentifier ?? $0.name] }
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

  func oldIndex(named name: String?) -> Int? {
    old.entities.firstIndex { $0.name == name }
  }

  /// Nil if the old entity is removed.
  func newIndex(of oldIndex: Int) -> Int? {
    oldIndexes.firstIndex(of: oldIndex)
  }

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
    for (columnIndex, column) in entities[index].columns.enumerated()
    where !column.isTransient {
      let name = "'\(entities[index].name).\(column.name)'"
      switch column {
      case .attribute(let attribute):
        let source = source(of: attribute.renamingIdentifier ?? attribute.name, in: index)
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
