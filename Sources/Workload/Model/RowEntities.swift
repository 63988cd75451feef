import DataModel
import Support

// entity:   Patient  key id · name · references [bed]     columns  id · name · bed ─╮
// others:   Bed      key number · references [ward]       columns  number · ward ◀──╯ ─╮
//           Ward     key code                             columns  code · title ◀──────╯
// model:    what attributes Bed and Ward have, and that bed and ward are relationships to one

struct RowEntities {
  var all: [RowDescription]
  let values: FieldValues
  var model: ScenarioModel { values.model }

  init(_ values: FieldValues) throws(InputError) {
    self.values = values
    all = [try Self.listEntity(values)]
    all += try values.others.map(entity)
    // References need the keys of all entities.
    let names = values.texts("entity.references")
    try addReferences(names, to: 0) { values.error("entity.references", $0) }
    for (index, description) in values.others.enumerated() {
      try addReferences(description.references, to: index + 1) {
        description.error("references", $0)
      }
    }
    try checkOrder()
    try addSizes()
  }

  private static func listEntity(_ values: FieldValues) throws(InputError) -> RowDescription {
    guard case .mapping(let pairs) = values["entity.attributes"] else {
      preconditionFailure("'entity.attributes' is no mapping")
    }
    let attributes = pairs.compactMap { pair -> AttributeDescription? in
      guard case .text(let type) = pair.value else { return nil }
      return AttributeDescription(name: pair.name, typeName: type)
    }
    let name = values.text("entity.name")
    guard AttributeDescription.isName(name) else {
      throw values.error(
        "entity.name", "\(name.quoted) is not a name; use letters, digits and '_' only")
    }
    let keyIndex = try values.index(
      of: values.text("entity.key"), in: attributes, for: "entity.key")
    if let problem = attributes[keyIndex].problemAsKey {
      throw values.error("entity.key", problem)
    }
    return RowDescription(name: name, attributes: attributes, keyIndex: keyIndex)
  }

  private func entity(_ description: OtherRowsDescription) throws(InputError) -> RowDescription {
    guard let entity = model.entity(named: description.name), description.name != all[0].name else {
      throw description.node.error(
        "\(description.name.quoted) must be an entity of `model`, and not that of the list")
    }
    let attributes = model.lineage(of: entity).reversed().flatMap(\.attributes)
      .filter { !$0.isTransient }
    guard let keyIndex = attributes.firstIndex(where: { $0.name == description.key }) else {
      let known = attributes.map(\.name).joined(separator: ", ")
      throw description.error(
        "key", "unknown attribute \(description.key.quoted). Known: \(known.short)")
    }
    if let problem = attributes[keyIndex].problemAsKey { throw description.error("key", problem) }
    return RowDescription(name: description.name, attributes: attributes, keyIndex: keyIndex)
  }

  private mutating func addReferences(
    _ names: [String], to index: Int, wrong: (_ message: String) -> InputError
  ) throws(InputError) {
    let entity = all[index]
    for name in names {
      guard let relationship = model.relationship(named: name, of: entity.name) else {
        throw wrong(
          "\(name.quoted) is not a to-one relationship of '\(entity.name)'; say in `model` where it leads"
        )
      }
      let inverse = relationship.inverse.flatMap {
        model.relationship(named: $0, of: relationship.destination)
      }
      guard !relationship.isToMany else {
        throw wrong(problem(ofMany: relationship, of: entity.name, inverse))
      }
      guard !all[index].references.contains(where: { $0.column.name == name }) else {
        throw wrong("\(name.quoted) occurs twice")
      }
      guard let destination = all.first(where: { $0.name == relationship.destination }) else {
        throw wrong(
          "\(name.quoted) leads to '\(relationship.destination)', which has no rows; add it to `others`"
        )
      }
      guard inverse?.isToMany ?? true else {
        throw wrong("the inverse of \(name.quoted) must lead to many: rows would decide both sides")
      }
      let column = AttributeDescription(
        name, destination.key.type, isOptional: relationship.isOptional)
      all[index].references.append(Reference(column: column, destination: destination.name))
    }
  }

  private func problem(
    ofMany relationship: RelationshipDescription, of entity: String,
    _ inverse: RelationshipDescription?
  ) -> String {
    let problem = "\(relationship.name.quoted) leads to many, but a column holds one key;"
    guard let inverse, !inverse.isToMany else {
      let place = "model.\(entity).relationships.\(relationship.name)"
      return "\(problem) leave it out, and write under '\(place)': pairs: FILE"
    }
    let destination = relationship.destination
    let path = destination == all[0].name ? "entity" : "others.\(destination)"
    return "\(problem) leave it out, and write under '\(path)': references: [\(inverse.name)]"
  }

  /// A required relationship must lead to an entity whose rows can be inserted earlier.
  private func checkOrder() throws(InputError) {
    var earlier: Set<String> = []
    for entity in all.destinationsFirst.map({ all[$0] }) {
      for reference in entity.references
      where !reference.column.isOptional && !earlier.contains(reference.destination) {
        throw model.error(
          at: "model.\(entity.name).relationships.\(reference.column.name)",
          "must be optional: its entity is referred to from where it leads, so no row could be first"
        )
      }
      earlier.insert(entity.name)
    }
  }
}

extension AttributeDescription {
  fileprivate var problemAsKey: String? {
    let isKey = !isOptional && [.int64, .string, .uuid].contains(type)
    return isKey ? nil : "'\(name)' is \(typeName); a key must be int64, string or uuid"
  }
}
