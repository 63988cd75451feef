import DataModel
import Support
import Yams

/// Decodes a node into a value of the field's kind and within its bounds.
extension ScenarioField {
  /// One value, or several if a list sweeps the field.
  func decodeSweep(_ located: LocatedNode) throws(ScenarioError) -> [ParameterValue] {
    guard canBeSwept, case .sequence(let items) = located.node else {
      return [try decode(located)]
    }
    guard !items.isEmpty else { throw wrong(located, "a sweep over no value; name at least one") }
    guard items.count <= Self.mostSwept else {
      throw wrong(
        located, "a sweep over \(items.count) values; at most \(Self.mostSwept) are allowed")
    }
    var values: [ParameterValue] = []
    for item in items {
      let value = try decode(LocatedNode(origin: located.origin(of: item), node: item))
      guard !values.contains(value) else {
        throw wrong(located, "the sweep has \(value.json) twice")
      }
      values.append(value)
    }
    return values
  }

  private static let mostSwept = 1_000
  /// SQLite allows 2,000 columns in a table by default.
  private static let mostAttributes = 1_000

  private func decode(_ located: LocatedNode) throws(ScenarioError) -> ParameterValue {
    switch kind {
    case .text, .path, .attribute: return .text(try text(located))
    case .choice(let words): return .text(try word(located, of: words))
    case .integer(let range, let word): return try integer(located, in: range, orWord: word)
    case .number(let range): return try number(located, in: range)
    case .order, .names: return .list(try order(located))
    case .attributes: return .mapping(try attributes(located))
    case .model: return try ScenarioModel(located).parameter
    case .settings: return .mapping(try settings(located))
    case .others: return .mapping(try OtherRowsDescription.all(located).map(\.parameter))
    }
  }

  private func text(_ located: LocatedNode) throws(ScenarioError) -> String {
    guard let scalar = located.node.scalar else { throw wrongType(located) }
    let isNull = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
    guard !isNull, !scalar.string.isEmpty else {
      throw wrong(located, "is empty; must be \(allowed)")
    }
    return scalar.string
  }

  private func word(
    _ located: LocatedNode, of words: [String]
  ) throws(ScenarioError) -> String {
    let word = try text(located)
    guard words.contains(word) else {
      let hint = NearestName.hint(for: word, in: words)
      throw wrong(located, "unknown value '\(word)'.\(hint) Allowed: \(allowed)")
    }
    return word
  }

  private func integer(
    _ located: LocatedNode, in range: ClosedRange<Int>, orWord word: String?
  ) throws(ScenarioError) -> ParameterValue {
    let text = try plainText(located)
    if let word, text == word { return .text(word) }
    guard let value = Int(text) else { throw wrongType(located) }
    guard range.contains(value) else { throw outOfBounds(located, text) }
    return .integer(value)
  }

  private func number(
    _ located: LocatedNode, in range: ClosedRange<Double>
  ) throws(ScenarioError) -> ParameterValue {
    let text = try plainText(located)
    guard let value = FieldParsing.double(text) else { throw wrongType(located) }
    guard range.contains(value) else { throw outOfBounds(located, text) }
    return .number(value)
  }

  private func order(_ located: LocatedNode) throws(ScenarioError) -> [ParameterValue] {
    guard case .sequence(let items) = located.node else {
      return [.text(try text(located))]
    }
    var terms: [ParameterValue] = []
    for item in items {
      terms.append(.text(try text(LocatedNode(origin: located.origin(of: item), node: item))))
    }
    return terms
  }

  private func attributes(
    _ located: LocatedNode
  ) throws(ScenarioError) -> [ParameterValue.Pair] {
    guard case .mapping(let mapping) = located.node, !mapping.isEmpty else {
      throw wrongType(located)
    }
    guard mapping.count <= Self.mostAttributes else {
      throw wrong(
        located, "\(mapping.count) attributes; at most \(Self.mostAttributes) are allowed")
    }
    var pairs: [ParameterValue.Pair] = []
    for (key, value) in mapping {
      let place = LocatedNode(origin: located.origin(of: key), node: value)
      let name = key.scalar?.string ?? ""
      guard AttributeDescription.isName(name) else {
        throw wrong(place, "'\(name)' is not a name; use letters, digits and '_'")
      }
      guard !pairs.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw wrong(place, "'\(name)' occurs twice; case makes no difference to SQLite")
      }
      let type = value.scalar?.string ?? ""
      guard AttributeDescription(name: name, typeName: type) != nil else {
        throw wrong(
          place, "'\(name)' has the unknown type '\(type)'. \(AttributeDescription.allowedTypes)")
      }
      pairs.append(.init(name: name, value: .text(type)))
    }
    return pairs
  }

  /// The text of an unquoted scalar. A quoted number is text.
  private func plainText(_ located: LocatedNode) throws(ScenarioError) -> String {
    guard let scalar = located.node.scalar, scalar.style == .plain || scalar.style == .any else {
      throw wrongType(located)
    }
    return scalar.string
  }

  private func wrongType(_ located: LocatedNode) -> ScenarioError {
    let found =
      switch located.node {
      case .scalar(let scalar) where scalar.string.isEmpty: "is empty"
      case .scalar(let scalar) where scalar.style == .plain:
        "'\(scalar.string)' is of the wrong type"
      case .scalar(let scalar): "the text '\(scalar.string)' is of the wrong type"
      case .mapping: "a mapping is of the wrong type"
      case .sequence: "a list is of the wrong type"
      case .alias: "an alias is of the wrong type"
      }
    return wrong(located, "\(found); must be \(allowed)")
  }

  private func outOfBounds(_ located: LocatedNode, _ text: String) -> ScenarioError {
    wrong(located, "\(text) is out of bounds; must be \(allowed)")
  }

  private func wrong(_ located: LocatedNode, _ message: String) -> ScenarioError {
    ScenarioError(located.origin, field: path, message)
  }
}

extension AttributeDescription {
  /// Parses the notation of scenario files: `string`, `string?`.
  init?(name: String, typeName: String) {
    let isOptional = typeName.hasSuffix("?")
    guard let kind = AttributeType(rawValue: isOptional ? String(typeName.dropLast()) : typeName)
    else { return nil }
    self.init(name, kind, isOptional: isOptional)
  }

  static let allowedTypes =
    "Types: \(AttributeType.allCases.map(\.rawValue).joined(separator: ", ")); "
    + "with '?' for an optional one"

  /// Whether the text can name both a column in SQLite and a key of the model.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let isDigitFirst = (0x30...0x39).contains(first)
    return !isDigitFirst
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
      }
  }
}
