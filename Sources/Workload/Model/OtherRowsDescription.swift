import Support

/// The description of one entity in `others:`, checked by itself.
struct OtherRowsDescription {
  let name: String
  let key: String
  let references: [String]
  /// The files `before` and `after`, as the scenario file names them.
  private let paths: [String: String]
  /// Of generated rows.
  let counts: [String: Int]
  private let keys: ModelKeys

  static func all(_ node: LocatedNode) throws(InputError) -> [Self] {
    var all: [Self] = []
    for (name, node) in try node.declarations("a mapping of entities, such as `Ward: { … }`") {
      all.append(try Self(name, node))
    }
    return all
  }

  private init(_ name: String, _ node: LocatedNode) throws(InputError) {
    self.name = name
    keys = try ModelKeys(node, of: .other)
    guard let key = try keys.text("key") else {
      throw node.error("'key' is missing; must be \(keys.allowed("key"))")
    }
    self.key = key
    references = try keys.texts("references")
    var paths: [String: String] = [:]
    for key in ["before", "after"] { paths[key] = try keys.text(key) }
    self.paths = paths
    var counts: [String: Int] = [:]
    for key in Self.counted { counts[key] = try keys.count(key) }
    self.counts = counts
  }

  var node: LocatedNode { keys.node }

  func error(_ key: String, _ message: String) -> InputError { keys.error(key, message) }

  func checkHasNoCounts(_ problem: String) throws(InputError) {
    for key in Self.counted where counts[key] ?? 0 > 0 { throw error(key, problem) }
  }

  /// Relative to the scenario file.
  func path(_ key: String) throws(InputError) -> String {
    guard let path = paths[key] else {
      throw node.error("'\(key)' is missing; must be \(keys.allowed(key))")
    }
    return path
  }

  /// Without paths: the digest hashes the files' content.
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
