import DataModel
import Support

// How `model:` and the entities with rows make one model:
//
//   entity:  City  geoname_id · name · population?      every column of the data files
//   model:   Place (abstract)  name · founded?          City inherits name: not declared again
//            City: parent Place, name's index, mayor →  City's own: geoname_id, population, mayor
//
// The store's model checks that relationships and their inverses match.

extension ScenarioModel {
  /// The model with the rows' entities, parents first.
  ///
  /// - Parameter all: the list's entity comes first.
  func completed(with all: [RowDescription]) throws(InputError) -> ScenarioModel {
    var model = self
    let rows = all[0]
    if model.entity(named: rows.name) == nil {
      model.entities.append(EntityDescription(name: rows.name))
    }
    model.index()
    try model.checkNames()
    try model.checkParents()
    try model.addColumns(of: rows)
    for other in all.dropFirst() { model.addIndex(overKeyOf: other) }
    try model.checkProperties()
    try model.checkBounds()
    let heirs = model.entities.filter { $0.parent != nil }
    for entity in all { try model.checkRows(of: entity, heirs) }
    model.entities = model.entities.map { (model.ancestors(of: $0).count, $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    return model
  }

  package func path(ofEntity name: String) -> String {
    origins["model.\(name)"] == nil ? "entity.attributes" : "model.\(name)"
  }

  package var path: String { origins["model"] == nil ? "entity.attributes" : "model" }

  private func checkNames() throws(InputError) {
    var seen: Set<String> = []
    for entity in entities where !seen.insert(entity.name.lowercased()).inserted {
      throw error(
        at: path(ofEntity: entity.name),
        "there is another entity of this name; case makes no difference to SQLite")
    }
  }

  private func checkParents() throws(InputError) {
    for entity in entities {
      guard let parent = entity.parent else { continue }
      let path = "model.\(entity.name).parent"
      guard self.entity(named: parent) != nil else {
        let known = entities.map(\.name)
        let hint = NearestName.hint(for: parent, in: known)
        throw error(
          at: path,
          "unknown entity \(parent.quoted).\(hint) Known: \(known.joined(separator: ", ").short)")
      }
      let last = ancestors(of: entity).last
      guard last.map({ $0.parent == nil }) ?? false else {
        throw error(at: path, "'\(entity.name)' inherits from itself; remove one parent")
      }
    }
  }

  /// Columns that the entity neither declares nor inherits come first, as in `entity.attributes`.
  private mutating func addColumns(of rows: RowDescription) throws(InputError) {
    guard let index = index(ofEntity: rows.name) else { return }
    let inherited = ancestors(of: entities[index])
    var own: [AttributeDescription] = []
    for column in rows.attributes {
      let declarers = [entities[index]] + inherited
      let declared = declarers.lazy.compactMap { entity in
        entity.attribute(named: column.name).map { (entity, $0) }
      }.first
      if let (entity, attribute) = declared { try check(column, against: attribute, of: entity) }
      if let (entity, _) = declared, entity.name != rows.name {
        if column.name == rows.key.name { addIndex(over: column, of: entity) }
        continue
      }
      var attribute = declared?.1 ?? column
      if column.name == rows.key.name { attribute.isIndexed = true }
      own.append(attribute)
    }
    let columns = Set(rows.attributes.map(\.name))
    own += entities[index].attributes.filter { !columns.contains($0.name) }
    entities[index].attributes = own
  }

  private mutating func addIndex(over column: AttributeDescription, of entity: EntityDescription) {
    guard let place = index(ofEntity: entity.name),
      let attribute = entities[place].attributes.firstIndex(where: { $0.isSameColumn(as: column) })
    else { return }
    entities[place].attributes[attribute].isIndexed = true
  }

  private mutating func addIndex(overKeyOf rows: RowDescription) {
    guard let entity = entity(named: rows.name) else { return }
    for declarer in lineage(of: entity) { addIndex(over: rows.key, of: declarer) }
  }

  private func check(
    _ column: AttributeDescription, against declared: AttributeDescription,
    of entity: EntityDescription
  ) throws(InputError) {
    let path = "model.\(entity.name).attributes.\(column.name)"
    guard declared.isSameColumn(as: column) else {
      throw error(
        at: path,
        "is \(declared.typeName), but \(column.typeName) in entity.attributes; make them equal"
      )
    }
    guard !declared.isTransient else {
      throw error(at: path, "is a column of the data files; a transient attribute is not stored")
    }
  }

  private func checkProperties() throws(InputError) {
    for entity in entities {
      var seen = Set(ancestors(of: entity).flatMap(\.properties).map { $0.name.lowercased() })
      for (name, kind) in entity.properties where !seen.insert(name.lowercased()).inserted {
        throw error(
          at: "\(path(ofEntity: entity.name)).\(kind).\(name)",
          "'\(name)' occurs twice in '\(entity.name)' or what it inherits from; case makes no"
            + " difference to SQLite")
      }
    }
  }

  private func checkBounds() throws(InputError) {
    for entity in entities {
      let place = path(ofEntity: entity.name)
      for attribute in entity.attributes where !attribute.hasOrderedBounds {
        throw error(at: "\(place).attributes.\(attribute.name)", "its minimum is above its maximum")
      }
      for relationship in entity.relationships
      where relationship.minimumCount > relationship.maximumCount ?? .max {
        throw error(
          at: "\(place).relationships.\(relationship.name)", "its minimum is above its maximum")
      }
    }
  }

  /// Properties without a column in the data files must be optional.
  ///
  /// - Parameter heirs: the entities with a parent.
  private func checkRows(
    of rows: RowDescription, _ heirs: [EntityDescription]
  ) throws(InputError) {
    guard let entity = entity(named: rows.name) else { return }
    guard !entity.isAbstract else {
      throw error(
        at: "model.\(entity.name).abstract",
        "the rows of the data files are of '\(entity.name)'; an abstract entity has none")
    }
    try checkSiblings(of: entity, rows, heirs)
    let columns = Set(rows.columns.map(\.name))
    for declarer in lineage(of: entity) {
      for attribute in declarer.attributes
      where !columns.contains(attribute.name) && !attribute.canBeLeftOut {
        throw error(
          at: "model.\(declarer.name).attributes.\(attribute.name)",
          "the data files have no such column; make it optional or give a default")
      }
      for relationship in declarer.relationships
      where !columns.contains(relationship.name) && !relationship.canBeEmpty {
        throw error(
          at: "model.\(declarer.name).relationships.\(relationship.name)",
          "the rows of the data files are related to nothing; make it optional")
      }
    }
  }

  /// The entities of one hierarchy share a table, and results are read by column name.
  private func checkSiblings(
    of entity: EntityDescription, _ rows: RowDescription, _ heirs: [EntityDescription]
  ) throws(InputError) {
    let above = lineage(of: entity)
    let columns = Set(rows.columns.map { $0.name.lowercased() })
    // An entity without a parent is the root of another hierarchy, or above this one.
    for other in heirs where !above.contains(other) {
      guard ancestors(of: other).last?.name == above.last?.name else { continue }
      for (name, kind) in other.properties where columns.contains(name.lowercased()) {
        throw error(
          at: "\(path(ofEntity: other.name)).\(kind).\(name)",
          "the rows of the data files share a table with '\(other.name)' and have a column of this"
            + " name; rename it")
      }
    }
  }
}

extension EntityDescription {
  fileprivate func attribute(named name: String) -> AttributeDescription? {
    attributes.first { $0.name == name }
  }

  fileprivate var properties: [(name: String, kind: String)] {
    attributes.map { ($0.name, "attributes") }
      + relationships.map { ($0.name, "relationships") }
  }
}

extension AttributeDescription {
  fileprivate var hasOrderedBounds: Bool {
    let (minimum, maximum) = (validation.minimum, validation.maximum)
    let isOrdered = minimum.flatMap { minimum in maximum.map { minimum <= $0 } } ?? true
    return isOrdered && (validation.minimumLength ?? 0) <= (validation.maximumLength ?? .max)
  }
}
