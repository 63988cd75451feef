import Yams

/// From the `model:` of a scenario file to descriptions, each right by itself; whether they fit
/// together is `ScenarioModelRules`' to say.
extension ScenarioModel {
  /// What `model:` says; empty where a scenario has none.
  init(_ tree: ScenarioTree) throws(ScenarioError) {
    self.init([], origins: [:])
    if let located = tree.nodes["model"] { self = try ScenarioModel(located) }
    origins["entity.attributes"] = tree.nodes["entity.attributes"]?.origin
  }

  init(_ located: LocatedNode) throws(ScenarioError) {
    self.init([], origins: [:])
    let root = ScenarioModelNode(path: "model", located: located)
    note(root)
    for (name, node) in try root.declarations("a mapping of entities, such as `City: { … }`") {
      note(node)
      entities.append(try entity(name, node))
    }
  }

  private mutating func entity(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> ModelEntity {
    var entity = ModelEntity(name: name)
    let keys = try node.keys(of: .entity)
    for key in keys.values { note(key) }
    func allowed(_ key: String) -> String { ScenarioModelKey.allowed(.entity, key) }
    entity.parent = try keys["parent"]?.text(allowed("parent"))
    entity.isAbstract = try keys["abstract"]?.flag(allowed("abstract")) ?? false
    for (name, node) in try keys["attributes"]?.declarations(allowed("attributes")) ?? [] {
      note(node)
      entity.attributes.append(try attribute(name, node))
    }
    for (name, node) in try keys["relationships"]?.declarations(allowed("relationships")) ?? [] {
      note(node)
      entity.relationships.append(try relationship(name, node))
    }
    if let unique = keys["unique"] {
      entity.uniquenessConstraints = try constraints(unique, allowed("unique"))
    }
    return entity
  }

  /// `name: string?`, or a mapping.
  private mutating func attribute(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> ModelAttribute {
    guard case .mapping = node.located.node else {
      return ModelAttribute(try typed(name, node))
    }
    func allowed(_ key: String) -> String { ScenarioModelKey.allowed(.attribute, key) }
    let keys = try node.keys(of: .attribute)
    for key in keys.values { note(key) }
    guard let type = keys["type"] else {
      throw node.error("'type' is missing. \(Attribute.allowedTypes)")
    }
    let plain = try typed(name, type)
    var attribute = ModelAttribute(plain)
    attribute.isIndexed = try keys["indexed"]?.flag(allowed("indexed")) ?? false
    attribute.isTransient = try keys["transient"]?.flag(allowed("transient")) ?? false
    attribute.defaultValue = try keys["default"]?.value(of: plain) ?? .null
    attribute.minimum = try bound(keys["minimum"], of: plain)
    attribute.maximum = try bound(keys["maximum"], of: plain)
    let isText = plain.kind == .string
    for key in ["minimum_length", "maximum_length", "pattern"] where !isText {
      if let node = keys[key] { throw node.error("is for a string, not \(plain.typeName)") }
    }
    attribute.minimumLength = try keys["minimum_length"]?.count(allowed("minimum_length"))
    attribute.maximumLength = try keys["maximum_length"]?.count(allowed("maximum_length"))
    attribute.pattern = try keys["pattern"]?.text(allowed("pattern"))
    return attribute
  }

  private func typed(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> Attribute {
    let type = try node.text("a type. \(Attribute.allowedTypes)")
    guard let attribute = Attribute(name: name, typeName: type) else {
      throw node.error("unknown type '\(type)'. \(Attribute.allowedTypes)")
    }
    return attribute
  }

  private func bound(
    _ node: ScenarioModelNode?, of attribute: Attribute
  ) throws(ScenarioError) -> FieldValue? {
    guard let node else { return nil }
    guard [.int64, .double, .date].contains(attribute.kind) else {
      throw node.error("is for a number or a date, not \(attribute.typeName)")
    }
    return try node.value(of: attribute)
  }

  private mutating func relationship(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> ModelRelationship {
    func allowed(_ key: String) -> String { ScenarioModelKey.allowed(.relationship, key) }
    let keys = try node.keys(of: .relationship)
    for key in keys.values { note(key) }
    guard let destination = keys["to_one"] ?? keys["to_many"],
      (keys["to_one"] == nil) != (keys["to_many"] == nil)
    else { throw node.error("needs 'to_one' or 'to_many', and not both") }
    let isToMany = keys["to_many"] != nil
    for key in ["minimum_count", "maximum_count"] where !isToMany {
      if let node = keys[key] { throw node.error("is for a relationship to many") }
    }
    var relationship = ModelRelationship(
      name: name, destination: try destination.text(allowed("to_one")), isToMany: isToMany)
    relationship.inverse = try keys["inverse"]?.text(allowed("inverse"))
    guard !isToMany || relationship.inverse != nil else {
      throw node.error(
        "a relationship to many needs an 'inverse': the relationship that leads back")
    }
    relationship.isOptional = try keys["optional"]?.flag(allowed("optional")) ?? true
    relationship.deleteRule = try keys["delete_rule"]?.word(allowed("delete_rule")) ?? .nullify
    relationship.minimumCount = try keys["minimum_count"]?.count(allowed("minimum_count")) ?? 0
    relationship.maximumCount = try keys["maximum_count"]?.count(allowed("maximum_count"))
    return relationship
  }

  /// `[code, [name, country]]`.
  private func constraints(
    _ node: ScenarioModelNode, _ allowed: String
  ) throws(ScenarioError) -> [[String]] {
    var constraints: [[String]] = []
    for item in try node.items(allowed) {
      guard case .sequence = item.located.node else {
        constraints.append([try item.text(allowed)])
        continue
      }
      var names: [String] = []
      for name in try item.items(allowed) { names.append(try name.text(allowed)) }
      guard !names.isEmpty else { throw item.error("must be \(allowed)") }
      constraints.append(names)
    }
    return constraints
  }
}
