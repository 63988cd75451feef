import DataModel
import Support

/// Checks changes against the current model. The store decides later whether a migration can follow
/// them.
struct ModelChangeCheck {
  let values: FieldValues
  let model: ScenarioModel
  let entities: [RowDescription]

  func check(_ changes: [ModelChange]) throws(InputError) {
    for change in changes {
      guard let entity = model.entity(named: change.entity) else {
        let hint = NearestName.hint(for: change.entity, in: model.entities.map(\.name))
        throw wrong(change, "is of no entity of the model.\(hint)")
      }
      if let name = change.attribute {
        try check(change, ofAttribute: name, entity)
      } else {
        try check(change, of: entity, changes)
      }
      try checkIsOnce(change, changes)
    }
  }

  /// An attribute may be renamed and become required, once each.
  private func checkIsOnce(
    _ change: ModelChange, _ changes: [ModelChange]
  ) throws(InputError) {
    let same = changes.filter { $0.name == change.name }
    let renamed = same.count { $0.formerName != nil }
    let goTogether = same.count == 2 && renamed == 1 && same.contains { $0.kind == .required }
    guard same.count == 1 || goTogether else {
      throw wrong(change, "occurs twice; keep one change")
    }
    guard let former = change.formerName else { return }
    let others = changes.filter {
      $0.entity == change.entity && $0.name != change.name && $0.formerName == former
    }
    guard others.isEmpty else {
      throw wrong(change, "has the former name of \(others[0].name.quoted), too; name another")
    }
  }

  private func check(
    _ change: ModelChange, of entity: EntityDescription, _ changes: [ModelChange]
  ) throws(InputError) {
    guard change.kind == .added else { throw wrong(change, "is an entity; name an attribute") }
    guard entity.name != entities[0].name else {
      throw wrong(change, "is the list's entity, whose rows the older version has")
    }
    let added = changes.map(\.name)
    if let heir = model.entities.first(where: { $0.parent == entity.name }),
      !added.contains(heir.name)
    {
      throw wrong(change, "is the parent of \(heir.name); add that, too")
    }
  }

  private func check(
    _ change: ModelChange, ofAttribute name: String, _ entity: EntityDescription
  ) throws(InputError) {
    guard let attribute = entity.attributes.first(where: { $0.name == name }) else {
      let known = entity.attributes.map(\.name)
      let hint = NearestName.hint(for: name, in: known)
      throw wrong(
        change, "is no attribute.\(hint) Known: \(known.joined(separator: ", ").short)")
    }
    guard !attribute.isTransient else { throw wrong(change, "is transient, so it is not stored") }
    if let former = change.formerName { return try check(change, former, entity) }
    let rows = entities.filter { rows in
      model.entity(named: rows.name).map(model.lineage)?.contains(entity) ?? false
    }
    guard !rows.contains(where: { $0.key.name == name }) else {
      throw wrong(change, "is a key, which each row has had")
    }
    guard change.kind == .added || !attribute.isOptional else {
      throw wrong(
        change, "is still optional; declare it \(attribute.type.rawValue), without '?'")
    }
    guard change.kind != .added || !entity.uniquenessConstraints.joined().contains(name) else {
      throw wrong(change, "is in `unique`, and older rows would all hold the same value")
    }
  }

  private func check(
    _ change: ModelChange, _ former: String, _ entity: EntityDescription
  ) throws(InputError) {
    guard AttributeDescription.isName(former) else {
      throw wrong(
        change, "cannot come from \(former.quoted): it is no name; use letters, digits and '_'")
    }
    let names = model.lineage(of: entity).flatMap {
      $0.attributes.map(\.name) + $0.relationships.map(\.name)
    }
    guard !names.contains(where: { $0.lowercased() == former.lowercased() }) else {
      throw wrong(
        change,
        "cannot come from \(former.quoted): another property of \(entity.name) has that name")
    }
  }

  private func wrong(_ change: ModelChange, _ message: String) -> InputError {
    values.error(ModelChange.path, "\(change.name.quoted) \(message)")
  }
}
