import Support

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

  func flag(_ key: String) throws(InputError) -> Bool? {
    try values[key]?.flag()
  }

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
