import Support

//   changes:            ─▶  "changes.per_save" ─▶ node `500`, FILE:2
//     per_save: 500
//
// `--set` and `smoke` replace nodes here, so that their values are checked in the same way.

package enum ScenarioSize: Sendable {
  case full
  /// With the file's `smoke` values over its fields: small, with every kind of its work.
  case smoke
}

struct ScenarioFile {
  let path: String
  var nodes: [String: LocatedNode] = [:]
  private(set) var replaced: Set<String> = []
  /// For errors about missing fields.
  private var sections: [String: InputError.Origin] = [:]

  /// - Parameter overrides: each `KEY=VALUE`. They win over the values of `smoke`.
  init(
    yaml: String, path: String, set overrides: [String], size: ScenarioSize
  ) throws(InputError) {
    self.path = path
    guard let root = try LocatedNode(yaml: yaml, from: .file(path, line: nil)) else {
      throw InputError(.file(path, line: 1), "the file is empty")
    }
    for (name, node) in try root.members("a mapping of fields, `name: …` first") {
      try add(name, node)
    }
    for override in overrides { try set(override) }
    if case .smoke = size { try shrink() }
    try addDevice()
  }

  /// In the file, or where it belongs.
  func origin(of field: ScenarioField) -> InputError.Origin {
    nodes[field.path]?.origin ?? field.section.flatMap { sections[$0] } ?? .file(path, line: 1)
  }

  private mutating func add(_ name: String, _ node: LocatedNode) throws(InputError) {
    if let field = ScenarioField.named(name) {
      if let section = field.section {
        throw node.error("a dotted name is for --set; write '\(field.name)' inside '\(section):'")
      }
      nodes[name] = node
      return
    }
    guard ScenarioField.sections.contains(name) else {
      throw node.error(ScenarioField.unknown(name, in: nil))
    }
    sections[name] = node.origin
    let known = ScenarioField.names(in: name).joined(separator: ", ")
    for (member, node) in try node.members("a mapping of fields: \(known)") {
      guard ScenarioField.named(node.path) != nil else {
        throw node.error(ScenarioField.unknown(member, in: name))
      }
      nodes[node.path] = node
    }
  }

  private mutating func set(_ override: String) throws(InputError) {
    let flag = InputError.Origin.flag("--set \(override)")
    guard let equals = override.firstIndex(of: "="), equals != override.startIndex else {
      throw InputError(flag, "must be KEY=VALUE, such as changes.per_save=50")
    }
    let path = String(override[..<equals])
    let field = try ScenarioField.settable(path, at: flag)
    guard replaced.insert(path).inserted else {
      throw InputError(flag, field: path, "set twice; to sweep, give a list: \(path)=[…]")
    }
    let value = String(override[override.index(after: equals)...])
    if case .path = field.kind {
      nodes[path] = LocatedNode(text: value, from: flag, path: path)
    } else {
      guard let node = try? LocatedNode(yaml: value, from: flag, path: path) else {
        throw InputError(flag, field: path, "no value, or malformed; must be \(field.kind.allowed)")
      }
      nodes[path] = node
    }
  }

  private mutating func shrink() throws(InputError) {
    guard let smoke = nodes["smoke"] else {
      throw InputError(
        .file(path, line: nil), field: "smoke",
        "is missing, so there is no smoke size; set the fields that make it small")
    }
    let set = replaced
    for (path, node) in try smoke.members(ScenarioField.Kind.settings.allowed)
    where !set.contains(path) {
      nodes[path] = node
      replaced.insert(path)
    }
  }
}
