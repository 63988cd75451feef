package import Support

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
  init(yaml: String, path: String, set overrides: [String], size: ScenarioSize) throws(InputError) {
    self.path = path
    guard let root = try LocatedNode(yaml: yaml, from: .file(path, line: nil)) else {
      throw InputError(.file(path, line: 1), "the file is empty")
    }
    for (name, node) in try root.members("a mapping of fields, `name: …` first") {
      try add(name, node)
    }
    if nodes["name"].map({ $0.anyText == "auto" }) ?? true {
      let name = FileContent.scenarioName(path)
      nodes["name"] = LocatedNode(text: name, from: .file(path, line: 1), path: "name")
    }
    for override in overrides { try set(override) }
    if case .smoke = size { try shrink() }
    try addDevice()
  }

  /// In the file, or where the field belongs.
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

// YAML ─▶ ScenarioFile (a node per field) ◀─ --set, smoke
//           │ decode each node by its field's type and bounds; a list of values sweeps
//           ▼
// values per field ─▶ cartesian product ─▶ FieldValues ─▶ Scenario (fields checked together)

/// How several swept fields are combined.
package enum Sweep: String, CaseIterable, Sendable {
  case every
  /// The other fields stay at their first value.
  case oneAtATime = "one-at-a-time"
}

extension Scenario {
  /// - Parameters:
  ///   - set: overrides, each `KEY=VALUE`.
  ///   - size: `smoke` applies the file's smoke values over its fields, but under the overrides.
  /// - Returns: one scenario for each combination of swept values. The field that the reference
  ///   of fields lists first varies slowest.
  /// - Throws: the first error, with its place and the allowed values. ``Workload/make(_:seed:)``
  ///   checks the data files' rows.
  package static func load(
    file: String, set overrides: [String] = [], size: ScenarioSize = .full
  ) throws(InputError) -> [Scenario] {
    try decode(yaml: try FileContent.text(of: file), file: file, set: overrides, size: size)
  }

  /// Data files are found relative to `file`.
  package static func decode(
    yaml: String, file: String, set overrides: [String], size: ScenarioSize = .full
  ) throws(InputError) -> [Scenario] {
    func scenarios(_ overrides: [String]) throws(InputError) -> [Scenario] {
      let tree = try ScenarioFile(yaml: yaml, path: file, set: overrides, size: size)
      return try tree.combinations().map(Scenario.init)
    }
    do throws(InputError) {
      return try scenarios(overrides)
    } catch {
      guard case .file = error.origin, !overrides.isEmpty, (try? scenarios([])) != nil else {
        throw error
      }
      let flags = overrides.first { (try? scenarios([$0])) == nil }.map { [$0] } ?? overrides
      throw InputError(
        .flag(flags.map { "--set \($0)" }.joined(separator: " ")), field: error.field,
        "does not go with \(error)")
    }
  }
}

extension ScenarioFile {
  private static let mostCombinations = 10_000

  fileprivate func combinations() throws(InputError) -> [FieldValues] {
    var combinations = [
      FieldValues(
        file: path, model: try model(),
        others: try nodes["others"].map(OtherRowsDescription.all) ?? [],
        origins: Dictionary(
          uniqueKeysWithValues: ScenarioField.all.map { ($0.path, origin(of: $0)) }),
        given: Set(nodes.keys))
    ]
    // The combinations so far begin with the one that has every field's first value.
    let isOneAtATime = nodes["sweep"]?.anyText == Sweep.oneAtATime.rawValue
    for field in ScenarioField.all {
      let choices = try choices(of: field)
      let isParameter = replaced.contains(field.path) || choices.count > 1
      let count =
        isOneAtATime
        ? combinations.count + choices.count - 1 : combinations.count * choices.count
      guard count <= Self.mostCombinations else {
        throw InputError(
          origin(of: field), field: field.path,
          "the sweeps make more than \(Self.mostCombinations) combinations; measure fewer at a time"
        )
      }
      // Values are copied only where a field is swept, so many combinations stay cheap.
      let chosen =
        isOneAtATime
        ? combinations.map { _ in choices[0] } + choices.dropFirst()
        : combinations.flatMap { _ in choices }
      if choices.count > 1 {
        combinations =
          isOneAtATime
          ? combinations + choices.dropFirst().map { _ in combinations[0] }
          : combinations.flatMap { values in choices.map { _ in values } }
      }
      for (index, value) in chosen.enumerated() {
        combinations[index].add(field.path, value, isParameter: isParameter)
      }
    }
    return combinations
  }

  private func model() throws(InputError) -> ScenarioModel {
    var model = try nodes["model"].map(ScenarioModel.init) ?? ScenarioModel()
    model.origins["entity.attributes"] = nodes["entity.attributes"]?.origin
    return model
  }

  private func choices(of field: ScenarioField) throws(InputError) -> [ParameterValue] {
    if let node = nodes[field.path] { return try field.decodeSweep(node) }
    if let substitute = field.substitute, nodes[substitute] != nil { return [.text("")] }
    guard let value = field.defaultValue else {
      throw InputError(
        origin(of: field), field: field.path, "is missing; must be \(field.kind.allowed)")
    }
    return [value]
  }
}
