import Support

/// The description of one entity in `others:`, checked by itself.
struct OtherRowsDescription {
  let name: String
  let key: String
  let references: [String]
  /// The files `before` and `after`, as the scenario file names them.
  private var paths: [String: String] = [:]
  let layout: DataLayout
  /// The counts of generated rows.
  private(set) var counts: [String: Int] = [:]
  private let keys: ModelKeys

  static func all(_ node: LocatedNode) throws(InputError) -> [Self] {
    try node.declarations("a mapping of entities, such as `Ward: { … }`").map(Self.init)
  }

  private init(_ name: String, _ node: LocatedNode) throws(InputError) {
    self.name = name
    keys = try ModelKeys(node, of: .other)
    guard let key = try keys.text("key") else {
      throw node.error("'key' is missing; must be \(keys.allowed("key"))")
    }
    self.key = key
    references = try keys.texts("references")
    layout = try Self.layout(name, keys)
    for key in ["before", "after"] { paths[key] = try keys.text(key) }
    for key in Self.counted { counts[key] = try keys.count(key) }
  }

  private static func layout(_ name: String, _ keys: ModelKeys) throws(InputError) -> DataLayout {
    var layout = DataLayout(path: "others.\(name)", ignored: Set(try keys.texts("ignore")))
    if let word = try keys["format"]?.word(of: DataFormat.allCases.map(\.rawValue)) {
      layout.format = DataFormat(rawValue: word) ?? .auto
    }
    layout.columns = (try keys["columns"]?.textsByName(keys.allowed("columns")) ?? []).texts
    return layout
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
    pairs += layout.parameters
    for key in Self.counted {
      if let count = counts[key] { pairs.append(.init(name: key, value: .integer(count))) }
    }
    return .init(name: name, value: .mapping(pairs))
  }

  private static let counted = ["rows", "inserts", "updates", "deletes"]
}

/// The values of one entity, attribute or relationship in `model:`, or of one entity in `others:`.
struct ModelKeys {
  static let mostCounted = 1_000_000

  let node: LocatedNode
  private let subject: ScenarioModelKey.Subject
  private let values: [String: LocatedNode]

  init(_ node: LocatedNode, of subject: ScenarioModelKey.Subject) throws(InputError) {
    self.node = node
    self.subject = subject
    let members = try node.members(named: ScenarioModelKey.names(of: subject))
    values = Dictionary(uniqueKeysWithValues: members)
  }

  subscript(key: String) -> LocatedNode? { values[key] }

  func allowed(_ key: String) -> String { ScenarioModelKey.allowed(subject, key) }

  func text(_ key: String) throws(InputError) -> String? {
    try values[key]?.text(allowed(key))
  }

  func texts(_ key: String) throws(InputError) -> [String] {
    try values[key]?.texts(allowed(key)) ?? []
  }

  func flag(_ key: String) throws(InputError) -> Bool? { try values[key]?.flag() }

  func count(_ key: String) throws(InputError) -> Int? {
    try values[key]?.integer(in: 0...Self.mostCounted, allowed(key))
  }

  func declarations(_ key: String) throws(InputError) -> [(name: String, node: LocatedNode)] {
    try values[key]?.declarations(allowed(key)) ?? []
  }

  func error(_ key: String, _ message: String) -> InputError {
    (values[key] ?? node).error(message)
  }
}
