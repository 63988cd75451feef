import DataModel
import Support

extension ScenarioField {
  package static let mostSwept = 1_000

  /// Several values if a list sweeps the field.
  func decodeSweep(_ node: LocatedNode) throws(InputError) -> [ParameterValue] {
    guard canBeSwept, node.isList else { return [try decode(node)] }
    let items = try node.items(kind.allowed)
    // A list is one value of such a field. A list of lists sweeps it.
    if kind.isList, !items.contains(where: \.isList) { return [try decode(node)] }
    guard (1...Self.mostSwept).contains(items.count) else {
      throw node.error("a sweep over \(items.count) values; 1 to \(Self.mostSwept) are allowed")
    }
    var values: [ParameterValue] = []
    for item in items {
      let value = try decode(item)
      guard !values.contains(value) else {
        throw item.error("the sweep has \(value.json.short) twice")
      }
      values.append(value)
    }
    return values
  }

  package var canBeSwept: Bool {
    guard role == .work || role == .sampling else { return false }
    return switch kind {
    case .choice, .integer, .number, .predicate, .attribute, .keyPaths, .valuePaths, .section: true
    case .text, .path, .order, .names, .headers, .columns, .attributes, .model, .others,
      .settings, .modelChanges:
      false
    }
  }

  private func decode(_ node: LocatedNode) throws(InputError) -> ParameterValue {
    switch kind {
    case .text, .predicate, .path, .attribute: return .text(try node.text(kind.allowed))
    case .choice(let words): return .text(try node.word(of: words))
    case .integer(let range, let word):
      if let word, node.plainText == word { return .text(word) }
      return .integer(try node.integer(in: range, kind.allowed))
    case .number(let range): return .number(try node.number(in: range, kind.allowed))
    case .order, .names, .keyPaths, .valuePaths, .headers:
      return .list(try texts(node).map(ParameterValue.text))
    case .section: return try section(node)
    case .columns: return .mapping(try node.textsByName(kind.allowed))
    case .attributes: return .mapping(try attributes(node))
    case .model: return try ScenarioModel(node).parameter
    case .settings: return .mapping(try settings(node))
    case .modelChanges: return try ModelChange.decode(node)
    case .others: return .mapping(try OtherRowsDescription.all(node).map(\.parameter))
    }
  }

  private func section(_ node: LocatedNode) throws(InputError) -> ParameterValue {
    guard node.isMapping else { return .text(try node.text(kind.allowed)) }
    let members = try node.members(kind.allowed)
    guard members.count == 1, let (name, date) = members.first, name == "month_of" else {
      throw node.error("must be \(kind.allowed)")
    }
    return .mapping([.init(name: name, value: .text(try date.text("the name of a date")))])
  }

  private func texts(_ node: LocatedNode) throws(InputError) -> [String] {
    guard node.isList else { return [try node.text(kind.allowed)] }
    return try node.texts(kind.allowed)
  }

  private func attributes(_ node: LocatedNode) throws(InputError) -> [ParameterValue.Pair] {
    let declarations = try node.declarations(kind.allowed)
    guard (1...AttributeDescription.mostInAnEntity).contains(declarations.count) else {
      throw node.error(
        "\(declarations.count) attributes; 1 to \(AttributeDescription.mostInAnEntity) are allowed")
    }
    var pairs: [ParameterValue.Pair] = []
    for (name, node) in declarations {
      guard !pairs.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw node.error("\(name.quoted) occurs twice; case makes no difference to SQLite")
      }
      let attribute = try AttributeDescription(name, type: node)
      pairs.append(.init(name: name, value: .text(attribute.typeName)))
    }
    return pairs
  }

  private func settings(_ node: LocatedNode) throws(InputError) -> [ParameterValue.Pair] {
    try node.members(kind.allowed).map { (path, node) throws(InputError) in
      let values = try Self.settable(path, at: node.origin).decodeSweep(node)
      return .init(name: path, value: values.count == 1 ? values[0] : .list(values))
    }
  }
}

extension ScenarioField.Kind {
  package var isList: Bool {
    switch self {
    case .order, .names, .keyPaths, .valuePaths, .headers: true
    default: false
    }
  }
}

extension LocatedNode {
  func declarations(_ allowed: String) throws(InputError) -> [(name: String, node: LocatedNode)] {
    let members = try members(allowed)
    for (name, node) in members where !AttributeDescription.isName(name) {
      throw node.error("\(name.quoted) is not a name; use letters, digits and '_'")
    }
    return members
  }

  /// In the order of the names.
  func textsByName(_ allowed: String) throws(InputError) -> [ParameterValue.Pair] {
    try members(allowed).map { (name, node) throws(InputError) in
      ParameterValue.Pair(name: name, value: .text(try node.text("the name of an attribute")))
    }.sorted { $0.name < $1.name }
  }

  func texts(_ allowed: String) throws(InputError) -> [String] {
    try items(allowed).map { (item) throws(InputError) in try item.text(allowed) }
  }
}

extension AttributeDescription {
  /// SQLite allows 2,000 columns in a table by default.
  static let mostInAnEntity = 1_000

  init(_ name: String, type node: LocatedNode) throws(InputError) {
    let typeName = try node.text("a type. \(Self.allowedTypes)")
    guard let attribute = AttributeDescription(name: name, typeName: typeName) else {
      throw node.error("unknown type \(typeName.quoted). \(Self.allowedTypes)")
    }
    self = attribute
  }

  init?(name: String, typeName: String) {
    let isOptional = typeName.hasSuffix("?")
    guard let kind = AttributeType(rawValue: isOptional ? String(typeName.dropLast()) : typeName)
    else { return nil }
    self.init(name, kind, isOptional: isOptional)
  }

  static let allowedTypes =
    "Types: \(AttributeType.allCases.map(\.rawValue).joined(separator: ", ")); "
    + "with '?' for an optional one"

  /// Whether the text can name a column in SQLite and a key of the model.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first), text.utf8.count <= 200
    else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
    }
  }
}
