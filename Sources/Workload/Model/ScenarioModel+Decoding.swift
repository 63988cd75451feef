import DataModel
import Support

/// Checks each description by itself.
extension ScenarioModel {
  init(_ node: LocatedNode) throws(InputError) {
    let declared = try node.declarations("a mapping of entities, such as `City: { … }`")
    entities = try declared.map(EntityDescription.init)
    for (name, node) in declared {
      pairs += try PairsDescription.all(of: name, node)
      sizes += try ValueSize.all(of: name, node)
    }
    index()
    try note(node)
  }

  private mutating func note(_ node: LocatedNode) throws(InputError) {
    origins[node.path] = node.origin
    guard node.isMapping else { return }
    for (_, member) in try node.members() { try note(member) }
  }
}

extension PairsDescription {
  private static let mostEach = 1000

  fileprivate static func all(of entity: String, _ node: LocatedNode) throws(InputError) -> [Self] {
    var all: [Self] = []
    for (name, node) in try ModelKeys(node, of: .entity).declarations("relationships") {
      let keys = try ModelKeys(node, of: .relationship)
      guard let pairs = keys["pairs"] else { continue }
      let source: Source =
        if pairs.plainText.map({ Int($0) }) ?? nil != nil {
          .made(try pairs.integer(in: 0...mostEach, keys.allowed("pairs")))
        } else {
          .file(try pairs.text(keys.allowed("pairs")))
        }
      all.append(Self(entity: entity, relationship: name, source: source))
    }
    return all
  }
}

extension EntityDescription {
  fileprivate init(_ name: String, _ node: LocatedNode) throws(InputError) {
    self.init(name: name)
    let keys = try ModelKeys(node, of: .entity)
    parent = try keys.text("parent")
    isAbstract = try keys.flag("abstract") ?? false
    attributes = try keys.declarations("attributes").map { (name, node) throws(InputError) in
      try AttributeDescription(name, node)
    }
    relationships = try keys.declarations("relationships").map(RelationshipDescription.init)
    let allowed = keys.allowed("unique")
    for item in try keys["unique"]?.items(allowed) ?? [] {
      let names = item.isList ? try item.texts(allowed) : [try item.text(allowed)]
      guard !names.isEmpty else { throw item.error("must be \(allowed)") }
      uniquenessConstraints.append(names)
    }
  }
}

extension AttributeDescription {
  fileprivate init(_ name: String, _ node: LocatedNode) throws(InputError) {
    guard node.isMapping else {
      try self.init(name, type: node)
      return
    }
    let keys = try ModelKeys(node, of: .attribute)
    guard let type = keys["type"] else {
      throw node.error("'type' is missing. \(Self.allowedTypes)")
    }
    try self.init(name, type: type)
    isIndexed = try keys.flag("indexed") ?? false
    isTransient = try keys.flag("transient") ?? false
    defaultValue = try keys["default"].map(value) ?? .null
    validation = try validation(keys)
  }

  private func validation(_ keys: ModelKeys) throws(InputError) -> AttributeValidation {
    let isText = type == .string
    for key in ["minimum_length", "maximum_length", "pattern"] where !isText {
      if let node = keys[key] { throw node.error("is for a string, not \(typeName)") }
    }
    let isOrdered = [.int64, .double, .date, .decimal].contains(type)
    for key in ["minimum", "maximum"] where !isOrdered {
      if let node = keys[key] { throw node.error("is for a number or a date, not \(typeName)") }
    }
    return AttributeValidation(
      minimum: try keys["minimum"].map(value), maximum: try keys["maximum"].map(value),
      minimumLength: try keys.count("minimum_length"),
      maximumLength: try keys.count("maximum_length"), pattern: try keys.text("pattern"))
  }

  /// Written as in a data file. Numbers and booleans are unquoted.
  private func value(_ node: LocatedNode) throws(InputError) -> Value {
    let isQuotable = ![.int64, .double, .bool, .decimal].contains(type)
    let text = isQuotable ? node.anyText : node.plainText
    guard let text, !node.isNull, let value = value(of: text), value != .null else {
      throw node.error("must be \(allowedText)")
    }
    return value
  }
}

extension RelationshipDescription {
  fileprivate init(_ name: String, _ node: LocatedNode) throws(InputError) {
    let keys = try ModelKeys(node, of: .relationship)
    let (toOne, toMany) = (try keys.text("to_one"), try keys.text("to_many"))
    let inverse = try keys.text("inverse")
    let isOptional = try keys.flag("optional") ?? true
    let word = try keys["delete_rule"]?.word(of: DeleteRule.allCases.map(\.rawValue))
    let deleteRule = word.flatMap(DeleteRule.init) ?? .nullify
    switch (toOne, toMany) {
    case (let destination?, nil):
      for key in ["minimum_count", "maximum_count"] {
        if let node = keys[key] { throw node.error("is for a relationship to many") }
      }
      self = .toOne(
        name, destination, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule)
    case (nil, let destination?):
      guard let inverse else {
        throw node.error(
          "a relationship to many needs an 'inverse': the relationship that leads back")
      }
      self = .toMany(
        name, destination, inverse: inverse, isOptional: isOptional, deleteRule: deleteRule,
        minimumCount: try keys.count("minimum_count") ?? 0,
        maximumCount: try keys.count("maximum_count"))
    default: throw node.error("needs 'to_one' or 'to_many', and not both")
    }
  }
}
