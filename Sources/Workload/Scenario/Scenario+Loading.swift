package import Support

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
  /// - Returns: one scenario for each combination of swept values. The first field of the
  ///   documentation varies slowest.
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
    let tree = try ScenarioFile(yaml: yaml, path: file, set: overrides, size: size)
    var scenarios: [Scenario] = []
    for values in try tree.combinations() { scenarios.append(try Scenario(values)) }
    return scenarios
  }
}

extension ScenarioFile {
  private static let mostCombinations = 10_000

  fileprivate func combinations() throws(InputError) -> [FieldValues] {
    var combinations = [
      FieldValues(
        file: path, model: try model(),
        others: try nodes["others"].map(OtherRowsDescription.all) ?? [])
    ]
    // The combinations so far begin with the one that has every field's first value.
    let isOneAtATime = nodes["sweep"]?.anyText == Sweep.oneAtATime.rawValue
    for field in ScenarioField.all {
      let choices = try choices(of: field)
      let isParameter = replaced.contains(field.path) || choices.count > 1
      let origin = origin(of: field)
      let count =
        isOneAtATime
        ? combinations.count + choices.count - 1 : combinations.count * choices.count
      guard count <= Self.mostCombinations else {
        throw InputError(
          origin, field: field.path,
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
        combinations[index].add(field.path, value, origin, isParameter: isParameter)
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
