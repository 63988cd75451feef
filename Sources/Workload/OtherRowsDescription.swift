import Yams

/// The description of one entity in `others:`, checked by itself.
struct OtherRowsDescription {
  let name: String
  let key: String
  let references: [String]
  /// The files `before` and `after`, as the scenario file names them.
  let paths: [String: String]
  /// The numbers of generated rows, by key.
  let counts: [String: Int]
  let node: ScenarioModelNode
  private let places: [String: ScenarioModelNode]

  static func all(_ located: LocatedNode) throws(ScenarioError) -> [Self] {
    let root = ScenarioModelNode(path: "others", located: located)
    var all: [Self] = []
    for (name, node) in try root.declarations("a mapping of entities, such as `Ward: { … }`") {
      guard !all.contains(where: { $0.name == name }) else { throw node.error("occurs twice") }
      all.append(try Self(name, node))
    }
    return all
  }

  private init(_ name: String, _ node: ScenarioModelNode) throws(ScenarioError) {
    let keys = try node.keys(of: .other)
    func text(_ key: String) throws(ScenarioError) -> String? {
      try keys[key]?.text(ScenarioModelKey.allowed(.other, key))
    }
    guard let key = try text("key") else {
      throw node.error("'key' is missing; must be \(ScenarioModelKey.allowed(.other, "key"))")
    }
    self.name = name
    self.node = node
    places = keys
    self.key = key
    var paths: [String: String] = [:]
    for key in ["before", "after"] { paths[key] = try text(key) }
    self.paths = paths
    var counts: [String: Int] = [:]
    for key in Self.counted {
      counts[key] = try keys[key]?.count(ScenarioModelKey.allowed(.other, key))
    }
    self.counts = counts
    var references: [String] = []
    let allowed = ScenarioModelKey.allowed(.other, "references")
    for item in try keys["references"]?.items(allowed) ?? [] {
      references.append(try item.text(allowed))
    }
    self.references = references
  }

  /// An error at one of the entity's keys.
  func error(_ key: String, _ message: String) -> ScenarioError {
    (places[key] ?? node).error(message)
  }

  /// The value for the digest. Paths are left out, since the files' content is hashed by itself.
  var parameter: ParameterValue.Pair {
    var pairs = [ParameterValue.Pair(name: "key", value: .text(key))]
    if !references.isEmpty {
      pairs.append(.init(name: "references", value: .list(references.map(ParameterValue.text))))
    }
    for key in Self.counted {
      if let count = counts[key] { pairs.append(.init(name: key, value: .integer(count))) }
    }
    return .init(name: name, value: .mapping(pairs))
  }

  private static let counted = ["rows", "inserts", "updates", "deletes"]
}
