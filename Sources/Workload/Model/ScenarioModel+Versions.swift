import DataModel
import Support

extension ScenarioModel {
  /// Leaves out what was added, with the relationships that lead to it.
  func older(than changes: [ModelChange]) -> ScenarioModel {
    let added = Set(changes.filter { $0.kind == .added }.map(\.name))
    var model = self
    model.entities = entities.filter { !added.contains($0.name) }.map { entity in
      let names = lineage(of: entity).map(\.name)
      var older = entity
      older.attributes = entity.attributes
        .filter { !added.contains("\(entity.name).\($0.name)") }
        .map { $0.older(than: changes.filter { names.contains($0.entity) }) }
      older.relationships = entity.relationships.filter { !added.contains($0.destination) }
      older.uniquenessConstraints = constraints(of: entity, changes, added)
      return older
    }
    model.pairs = pairs.filter { !added.contains($0.entity) }
    model.index()
    return model
  }

  /// With the former names, and without constraints over relationships to added entities.
  private func constraints(
    of entity: EntityDescription, _ changes: [ModelChange], _ added: Set<String>
  ) -> [[String]] {
    let above = lineage(of: entity)
    let gone = above.flatMap(\.relationships).filter { added.contains($0.destination) }.map(\.name)
    let renamed = changes.filter { change in
      change.formerName != nil && above.contains { $0.name == change.entity }
    }
    return entity.uniquenessConstraints.filter { Set(gone).isDisjoint(with: $0) }.map { names in
      names.map { name in renamed.first { $0.attribute == name }?.formerName ?? name }
    }
  }

  /// By renaming identifiers, which a migration follows.
  mutating func rename(by changes: [ModelChange]) {
    for change in changes {
      guard let former = change.formerName, let index = index(ofEntity: change.entity),
        let position = entities[index].attributes.firstIndex(where: { $0.name == change.attribute })
      else { continue }
      let attribute = entities[index].attributes[position]
      entities[index].attributes[position] = AttributeDescription(
        attribute.name, attribute.type, isOptional: attribute.isOptional,
        isIndexed: attribute.isIndexed, isTransient: attribute.isTransient,
        defaultValue: attribute.defaultValue, validation: attribute.validation,
        renamingIdentifier: former)
    }
  }
}

extension AttributeDescription {
  /// - Parameter changes: of the attribute's entity and those that it inherits from.
  func older(than changes: [ModelChange]) -> AttributeDescription {
    let own = changes.filter { $0.attribute == name }
    guard !own.isEmpty else { return self }
    return AttributeDescription(
      own.lazy.compactMap(\.formerName).first ?? name, type,
      isOptional: isOptional || own.contains { $0.kind == .required }, isIndexed: isIndexed,
      isTransient: isTransient, defaultValue: defaultValue, validation: validation)
  }
}
