import Yams

// `smoke:` of a scenario file says how small it may be and still do every kind of work it is about:
//
//   smoke:
//     generate.rows: 100          each as `--set` would have it, and as such a parameter of the row
//     changes.per_save: [1, 25]

/// Which size of a scenario is asked for.
package enum ScenarioSize: Sendable {
  case full
  /// With what the file's `smoke` sets over its fields.
  case smoke
}

extension ScenarioTree {
  /// Puts what `smoke` sets in the place of the file's fields, except what is set already.
  ///
  /// - Returns: the paths that it set.
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
  /// The fields that a mapping of dotted paths sets, in its order.
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

  /// The same with every value judged by its field.
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

/// How lists of values in several fields go together.
package enum Sweep: String, CaseIterable, Sendable {
  /// Every combination.
  case every
  /// Each field's values in turn, while the others stay at their first.
  case oneAtATime = "one-at-a-time"

  static let allNames = allCases.map(\.rawValue)
}
