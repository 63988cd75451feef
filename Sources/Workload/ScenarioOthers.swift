// Several entities with rows, and the columns of their rows:
//
//   entity:   Patient  key id · name · references [bed]     columns  id · name · bed ─╮
//   others:   Bed      key number · references [ward]       columns  number · ward ◀──╯ ─╮
//             Ward     key code                             columns  code · title ◀──────╯
//   model:    what attributes Bed and Ward have, and that bed and ward are relationships to one

import DataModel

/// The entities with rows; the list's comes first.
struct RowEntities {
  private(set) var all: [RowDescription]
  private let fields: ResolvedFields
  private let model: ScenarioModel

  /// - Parameter list: the list's entity, without references.
  init(_ list: RowDescription, _ fields: ResolvedFields) throws(ScenarioError) {
    self.fields = fields
    model = fields.model
    all = [list]
    for description in fields.others { all.append(try entity(description)) }
    let bare = all
    let names = fields.texts("entity.references")
    all[0] = Self.entity(
      list,
      with: try references(names, of: list, bare) { fields.error("entity.references", $0) })
    for (index, description) in fields.others.enumerated() {
      let found = try references(description.references, of: bare[index + 1], bare) {
        description.error("references", $0)
      }
      all[index + 1] = Self.entity(bare[index + 1], with: found)
    }
    try checkOrder()
  }

  /// Checks that a required relationship leads to an entity whose rows can be inserted earlier.
  private func checkOrder() throws(ScenarioError) {
    let order = RelatedStream.order(all)
    for (place, index) in order.enumerated() {
      let earlier = order[..<place].map { all[$0].name }
      for reference in all[index].references
      where !reference.column.isOptional && !earlier.contains(reference.destination) {
        throw model.error(
          at: "model.\(all[index].name).relationships.\(reference.column.name)",
          "must be optional: its entity is referred to from where it leads, so no row could be first"
        )
      }
    }
  }

  private static func entity(_ entity: RowDescription, with references: [Reference])
    -> RowDescription
  {
    RowDescription(
      name: entity.name, attributes: entity.attributes, keyIndex: entity.keyIndex,
      references: references)
  }

  /// The entity with the attributes that the model declares for it, as columns.
  private func entity(_ description: OtherRowsDescription) throws(ScenarioError) -> RowDescription {
    guard let entity = model.entity(named: description.name), description.name != all[0].name else {
      throw description.node.error(
        "'\(description.name)' must be an entity of `model`, and not that of the list")
    }
    let declarers = model.ancestors(of: entity).reversed() + [entity]
    let attributes = declarers.flatMap(\.attributes).filter { !$0.isTransient }
    guard let keyIndex = attributes.firstIndex(where: { $0.name == description.key }) else {
      let known = attributes.map(\.name).joined(separator: ", ")
      throw description.error("key", "unknown attribute '\(description.key)'. Known: \(known)")
    }
    let key = attributes[keyIndex]
    guard key.canBeKey else {
      throw description.error(
        "key", "'\(key.name)' is \(key.typeName); a key must be int64 or string")
    }
    return RowDescription(name: description.name, attributes: attributes, keyIndex: keyIndex)
  }

  private func references(
    _ names: [String], of entity: RowDescription, _ all: [RowDescription],
    wrong: (_ message: String) -> ScenarioError
  ) throws(ScenarioError) -> [Reference] {
    let declared = model.entity(named: entity.name)
    let known = declared.map { [$0] + model.ancestors(of: $0) }?.flatMap(\.relationships) ?? []
    var references: [Reference] = []
    for name in names {
      guard let relationship = known.first(where: { $0.name == name && !$0.isToMany }) else {
        throw wrong(
          "'\(name)' is not a to-one relationship of '\(entity.name)'; say in `model` where it leads"
        )
      }
      guard !references.contains(where: { $0.column.name == name }) else {
        throw wrong("'\(name)' occurs twice")
      }
      guard let destination = all.first(where: { $0.name == relationship.destination }) else {
        throw wrong(
          "'\(name)' leads to '\(relationship.destination)', which has no rows; add it to `others`")
      }
      guard !isToOne(relationship.inverse, of: relationship.destination) else {
        throw wrong("the inverse of '\(name)' must lead to many: rows would decide both sides")
      }
      let column = AttributeDescription(
        name, destination.key.type, isOptional: relationship.isOptional)
      references.append(Reference(column: column, destination: destination.name))
    }
    return references
  }

  private func isToOne(_ name: String?, of entity: String) -> Bool {
    guard let name, let entity = model.entity(named: entity) else { return false }
    return ([entity] + model.ancestors(of: entity)).flatMap(\.relationships)
      .contains { $0.name == name && !$0.isToMany }
  }
}

extension AttributeDescription {
  /// Whether the attribute may be a key.
  var canBeKey: Bool { !isOptional && (type == .int64 || type == .string) }
}

extension Scenario {
  static func others(
    _ fields: ResolvedFields, _ entities: [RowDescription]
  ) throws(ScenarioError) -> [OtherRows] {
    var others: [OtherRows] = []
    for (description, entity) in zip(fields.others, entities.dropFirst()) {
      let isGenerated = fields.integer("generate.rows") != nil
      others.append(
        OtherRows(
          entity: entity,
          before: isGenerated ? "" : try file("before", description, fields),
          after: isGenerated ? "" : try file("after", description, fields),
          generation: isGenerated ? try Generation(description, fields) : nil))
    }
    return others
  }

  private static func file(
    _ key: String, _ description: OtherRowsDescription, _ fields: ResolvedFields
  ) throws(ScenarioError) -> String {
    guard let text = description.paths[key] else {
      let allowed = ScenarioModelKey.allowed(.other, key)
      throw description.node.error("'\(key)' is missing; must be \(allowed)")
    }
    let file = FileContent.path(text, relativeTo: fields.file)
    if let problem = FileContent.problemReading(file) {
      throw description.error(
        key, "\(problem): \(file); the path is relative to the scenario file")
    }
    return file
  }
}
