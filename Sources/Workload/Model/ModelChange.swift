import DataModel
import Support

/// A change from a model's older version to the current one, as `store.changes_since` states it.
struct ModelChange: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case added
    case renamed(from: String)
    /// Was optional.
    case required
  }

  let kind: Kind
  let entity: String
  /// Nil for an added entity.
  let attribute: String?

  /// As in the scenario file.
  var name: String { attribute.map { "\(entity).\($0)" } ?? entity }

  var formerName: String? {
    if case .renamed(let name) = kind { name } else { nil }
  }

  static let path = "store.changes_since"

  static let allowed =
    "a list of changes: `added: ENTITY`, `added: ENTITY.ATTRIBUTE`, `required: ENTITY.ATTRIBUTE`,"
    + " or `renamed: ENTITY.ATTRIBUTE` with `from: NAME`"

  private static let kinds = ["added", "renamed", "required"]

  /// Checks the form of each change.
  static func decode(_ node: LocatedNode) throws(InputError) -> ParameterValue {
    .list(
      try node.items(allowed).map { (item) throws(InputError) in
        let members = try item.members(named: kinds + ["from"])
        let names = members.map(\.0)
        guard names.count(where: kinds.contains) == 1,
          names.contains("renamed") == names.contains("from")
        else { throw item.error("must be one of \(allowed)") }
        let pairs = try members.map { (name, node) throws(InputError) in
          ParameterValue.Pair(name: name, value: .text(try node.text("a name")))
        }
        return .mapping(pairs.sorted { $0.name > $1.name })
      })
  }

  static func all(_ values: FieldValues) -> [ModelChange] {
    guard case .list(let items) = values[path] else { return [] }
    return items.compactMap { item in
      guard case .mapping(let pairs) = item else { return nil }
      return ModelChange(pairs.texts)
    }
  }

  private init?(_ texts: [String: String]) {
    guard let word = Self.kinds.first(where: { texts[$0] != nil }), let name = texts[word] else {
      return nil
    }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    entity = String(parts[0])
    attribute = parts.count > 1 ? String(parts[1]) : nil
    kind =
      switch word {
      case "added": .added
      case "renamed": .renamed(from: texts["from"] ?? "")
      default: .required
      }
  }
}
