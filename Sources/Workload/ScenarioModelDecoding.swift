import DataModel
import Yams

/// Decodes `model:` of a scenario file into descriptions, each checked by itself.
/// `ScenarioModelRules` checks them together.
extension ScenarioModel {
  /// The model of `model:`; empty if the scenario has none.
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
  ) throws(ScenarioError) -> EntityDescription {
    var entity = EntityDescription(name: name)
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

  /// Decodes `name: string?`, or a mapping.
  private mutating func attribute(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> AttributeDescription {
    guard case .mapping = node.located.node else {
      return try typed(name, node)
    }
    func allowed(_ key: String) -> String { ScenarioModelKey.allowed(.attribute, key) }
    let keys = try node.keys(of: .attribute)
    for key in keys.values { note(key) }
    guard let type = keys["type"] else {
      throw node.error("'type' is missing. \(AttributeDescription.allowedTypes)")
    }
    var attribute = try typed(name, type)
    attribute.isIndexed = try keys["indexed"]?.flag(allowed("indexed")) ?? false
    attribute.isTransient = try keys["transient"]?.flag(allowed("transient")) ?? false
    attribute.defaultValue = try keys["default"]?.value(of: attribute) ?? .null
    attribute.validation = try validation(keys, of: attribute)
    return attribute
  }

  private func validation(
    _ keys: [String: ScenarioModelNode], of attribute: AttributeDescription
  ) throws(ScenarioError) -> AttributeValidation {
    func allowed(_ key: String) -> String { ScenarioModelKey.allowed(.attribute, key) }
    var validation = AttributeValidation()
    validation.minimum = try bound(keys["minimum"], of: attribute)
    validation.maximum = try bound(keys["maximum"], of: attribute)
    let isText = attribute.type == .string
    for key in ["minimum_length", "maximum_length", "pattern"] where !isText {
      if let node = keys[key] { throw node.error("is for a string, not \(attribute.typeName)") }
    }
    validation.minimumLength = try keys["minimum_length"]?.count(allowed("minimum_length"))
    validation.maximumLength = try keys["maximum_length"]?.count(allowed("maximum_length"))
    validation.pattern = try keys["pattern"]?.text(allowed("pattern"))
    return validation
  }

  private func typed(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> AttributeDescription {
    let type = try node.text("a type. \(AttributeDescription.allowedTypes)")
    guard let attribute = AttributeDescription(name: name, typeName: type) else {
      throw node.error("unknown type '\(type)'. \(AttributeDescription.allowedTypes)")
    }
    return attribute
  }

  private func bound(
    _ node: ScenarioModelNode?, of attribute: AttributeDescription
  ) throws(ScenarioError) -> Value? {
    guard let node else { return nil }
    guard [.int64, .double, .date].contains(attribute.type) else {
      throw node.error("is for a number or a date, not \(attribute.typeName)")
    }
    return try node.value(of: attribute)
  }

  private mutating func relationship(
    _ name: String, _ node: ScenarioModelNode
  ) throws(ScenarioError) -> RelationshipDescription {
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
    let target = try destination.text(allowed("to_one"))
    let inverse = try keys["inverse"]?.text(allowed("inverse"))
    if isToMany, inverse == nil {
      throw node.error(
        "a relationship to many needs an 'inverse': the relationship that leads back")
    }
    let isOptional = try keys["optional"]?.flag(allowed("optional")) ?? true
    let deleteRule: DeleteRule = try keys["delete_rule"]?.word(allowed("delete_rule")) ?? .nullify
    let minimumCount = try keys["minimum_count"]?.count(allowed("minimum_count")) ?? 0
    let maximumCount = try keys["maximum_count"]?.count(allowed("maximum_count"))
    guard isToMany, let inverse else {
      return .toOne(
        name, target, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule)
    }
    return .toMany(
      name, target, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule,
      minimumCount: minimumCount, maximumCount: maximumCount)
  }

  /// Decodes `[code, [name, country]]`.
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
