import DataModel
import Support
import Yams

/// A place inside the `model:` of a scenario file: what is written there, and its dotted path.
struct ScenarioModelNode {
  let path: String
  let located: LocatedNode

  func error(_ message: String) -> ScenarioError {
    ScenarioError(located.origin, field: path, message)
  }

  /// What a mapping holds, by name, in the order of the file.
  func children(_ allowed: String) throws(ScenarioError) -> [(name: String, node: Self)] {
    guard case .mapping(let mapping) = located.node else {
      throw error("must be \(allowed)")
    }
    var children: [(name: String, node: Self)] = []
    for (key, value) in mapping {
      let name = key.scalar?.string ?? "?"
      let place = LocatedNode(origin: located.origin(of: key), node: value)
      children.append((name, Self(path: "\(path).\(name)", located: place)))
    }
    return children
  }

  /// The same where names are the reader's own: of entities or properties.
  func declarations(_ allowed: String) throws(ScenarioError) -> [(name: String, node: Self)] {
    let children = try children(allowed)
    for (name, node) in children where !AttributeDescription.isName(name) {
      throw node.error("'\(name)' is no name; letters, digits and '_', a letter first")
    }
    return children
  }

  /// The same where names are keys of what is described.
  func keys(of subject: ScenarioModelKey.Subject) throws(ScenarioError) -> [String: Self] {
    let known = ScenarioModelKey.names(of: subject)
    let allowed = known.joined(separator: ", ")
    var keys: [String: Self] = [:]
    for (name, node) in try children("a mapping of: \(allowed)") {
      guard known.contains(name) else {
        let hint = NearestName.hint(for: name, in: known)
        throw node.error("unknown key.\(hint) Allowed in '\(path)': \(allowed)")
      }
      keys[name] = node
    }
    return keys
  }

  func text(_ allowed: String) throws(ScenarioError) -> String {
    guard let scalar = located.node.scalar, !isNull else {
      throw error("must be \(allowed)")
    }
    return scalar.string
  }

  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ allowed: String
  ) throws(ScenarioError) -> Word {
    let text = try text(allowed)
    guard let word = Word(rawValue: text) else {
      let hint = NearestName.hint(for: text, in: Word.allCases.map(\.rawValue))
      throw error("unknown value '\(text)'.\(hint) Allowed: \(allowed)")
    }
    return word
  }

  func flag(_ allowed: String) throws(ScenarioError) -> Bool {
    switch plainText {
    case "true": true
    case "false": false
    default: throw error("must be \(allowed)")
    }
  }

  func count(_ allowed: String) throws(ScenarioError) -> Int {
    guard let value = plainText.flatMap(Int.init), (0...1_000_000).contains(value) else {
      throw error("must be \(allowed)")
    }
    return value
  }

  /// A value of an attribute, written as in a data file; a number or a truth value unquoted.
  func value(of attribute: AttributeDescription) throws(ScenarioError) -> Value {
    let isQuotable = ![.int64, .double, .bool].contains(attribute.type)
    let text = isQuotable ? located.node.scalar?.string : plainText
    guard let text, !isNull, let value = attribute.value(of: text), value != .null else {
      throw error("must be \(attribute.allowedText)")
    }
    return value
  }

  /// The entries of a list.
  func items(_ allowed: String) throws(ScenarioError) -> [Self] {
    guard case .sequence(let items) = located.node else { throw error("must be \(allowed)") }
    return items.map {
      Self(path: path, located: LocatedNode(origin: located.origin(of: $0), node: $0))
    }
  }

  private var isNull: Bool {
    located.node.scalar.map { $0.style == .plain && ["", "~", "null"].contains($0.string) } ?? false
  }

  /// Of an unquoted scalar.
  private var plainText: String? {
    located.node.scalar.flatMap { $0.style == .plain || $0.style == .any ? $0.string : nil }
  }
}
