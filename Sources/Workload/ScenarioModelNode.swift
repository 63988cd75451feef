import DataModel
import Support
import Yams

/// A node in `model:` or `others:` of a scenario file, with its dotted path.
struct ScenarioModelNode {
  let path: String
  let located: LocatedNode

  func error(_ message: String) -> ScenarioError {
    ScenarioError(located.origin, field: path, message)
  }

  /// The members of a mapping, in the order of the file.
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

  /// The members of a mapping whose names declare entities or properties.
  func declarations(_ allowed: String) throws(ScenarioError) -> [(name: String, node: Self)] {
    let children = try children(allowed)
    for (name, node) in children where !AttributeDescription.isName(name) {
      throw node.error("'\(name)' is not a name; use letters, digits and '_'")
    }
    return children
  }

  /// The members of a mapping whose names are keys of `subject`.
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

  /// An attribute's value, written as in a data file. Numbers and booleans are unquoted.
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

  /// The text of an unquoted scalar; nil for any other node.
  private var plainText: String? {
    located.node.scalar.flatMap { $0.style == .plain || $0.style == .any ? $0.string : nil }
  }
}
