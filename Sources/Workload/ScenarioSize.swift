import Yams

// `smoke:` of a scenario file makes it small but keeps every kind of its work:
//
//   smoke:
//     generate.rows: 100          as `--set` would; the row lists it as a parameter
//     changes.per_save: [1, 25]

/// The size of a scenario.
package enum ScenarioSize: Sendable {
  case full
  /// With the values of the file's `smoke` over its fields.
  case smoke
}

extension ScenarioTree {
  /// Replaces fields by the values of `smoke`, except fields that were set.
  ///
  /// - Returns: the paths of the replaced fields.
  mutating func shrink(except set: Set<String>) throws(ScenarioError) -> Set<String> {
    guard let smoke = nodes["smoke"] else {
      throw ScenarioError(
        .file(file, line: nil), field: "smoke",
        "is missing, so there is no smoke size; set the fields that make it small")
    }
    var shrunk: Set<String> = []
    for (field, located) in try ScenarioField.settings(smoke) where !set.contains(field.path) {
      replace(field.path, with: located)
      shrunk.insert(field.path)
    }
    return shrunk
  }
}

extension ScenarioField {
  /// The fields in a mapping of dotted paths, in its order.
  static func settings(
    _ located: LocatedNode
  ) throws(ScenarioError) -> [(field: ScenarioField, located: LocatedNode)] {
    guard case .mapping(let mapping) = located.node else {
      throw ScenarioError(
        located.origin, field: "smoke",
        "must be a mapping of dotted fields to values, such as `changes.per_save: 5`")
    }
    var settings: [(field: ScenarioField, located: LocatedNode)] = []
    for (key, value) in mapping {
      let path = key.scalar?.string ?? "?"
      let origin = located.origin(of: key)
      guard let field = named(path) else {
        throw ScenarioError(origin, field: "smoke", unknown(path: path))
      }
      guard field.canBeSet else {
        throw ScenarioError(
          origin, field: "smoke", "'\(path)' says what the data are, which no size changes")
      }
      settings.append((field, LocatedNode(origin: origin, node: value)))
    }
    return settings
  }

  /// The fields in a mapping, with their values decoded.
  func settings(_ located: LocatedNode) throws(ScenarioError) -> [ParameterValue.Pair] {
    var pairs: [ParameterValue.Pair] = []
    for (field, value) in try Self.settings(located) {
      let values = try field.decodeSweep(value)
      pairs.append(
        .init(name: field.path, value: values.count == 1 ? values[0] : .list(values)))
    }
    return pairs
  }
}

/// How several swept fields are combined.
package enum Sweep: String, CaseIterable, Sendable {
  /// Every combination of values.
  case every
  /// Each field's values in turn, while the other fields stay at their first value.
  case oneAtATime = "one-at-a-time"

  static let allNames = allCases.map(\.rawValue)
}
