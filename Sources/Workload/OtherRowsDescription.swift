import Yams

/// What `others:` says of one entity, right by itself.
struct OtherRowsDescription {
  let name: String
  let key: String
  let references: [String]
  /// As the file names them.
  let before: String
  let after: String
  let node: ScenarioModelNode
  private let places: [String: ScenarioModelNode]

  static func all(_ located: LocatedNode) throws(ScenarioError) -> [Self] {
    let root = ScenarioModelNode(path: "others", located: located)
    var all: [Self] = []
    for (name, node) in try root.declarations("a mapping of entities, such as `Ward: { … }`") {
      guard !all.contains(where: { $0.name == name }) else { throw node.error("stands twice") }
      all.append(try Self(name, node))
    }
    return all
  }

  private init(_ name: String, _ node: ScenarioModelNode) throws(ScenarioError) {
    let keys = try node.keys(of: .other)
    func text(_ key: String) throws(ScenarioError) -> String {
      let allowed = ScenarioModelKey.allowed(.other, key)
      guard let value = keys[key] else {
        throw node.error("'\(key)' is missing; must be \(allowed)")
      }
      return try value.text(allowed)
    }
    self.name = name
    self.node = node
    places = keys
    key = try text("key")
    before = try text("before")
    after = try text("after")
    var references: [String] = []
    let allowed = ScenarioModelKey.allowed(.other, "references")
    for item in try keys["references"]?.items(allowed) ?? [] {
      references.append(try item.text(allowed))
    }
    self.references = references
  }

  /// An error of one of its keys.
  func error(_ key: String, _ message: String) -> ScenarioError {
    (places[key] ?? node).error(message)
  }

  /// The paths of its data are no part of it: their content is counted by itself.
  var parameter: ParameterValue.Pair {
    let references = ParameterValue.Pair(
      name: "references", value: .list(references.map(ParameterValue.text)))
    return .init(
      name: name,
      value: .mapping(
        [.init(name: "key", value: .text(key))] + (self.references.isEmpty ? [] : [references])))
  }
}
