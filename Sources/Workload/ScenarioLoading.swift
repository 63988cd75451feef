import Foundation
import Yams

// From a file to scenarios:
//
//   YAML ─▶ ScenarioTree (located nodes) ◀─ --set
//             │ decode each node by its field's type and bounds; a list of values sweeps
//             ▼
//   values per field ─▶ cartesian product ─▶ ResolvedFields ─▶ Scenario (fields checked together)

extension Scenario {
  /// Decodes and validates a scenario file.
  ///
  /// - Parameters:
  ///   - file: the path of the YAML file.
  ///   - set: overrides, each `KEY=VALUE`.
  ///   - size: `smoke` applies the file's smoke values over its fields, but under the overrides.
  /// - Returns: one scenario, or one for each combination of swept values. The first field of the
  ///   documentation varies slowest.
  /// - Throws: the first error, with its place and the allowed values. ``Workload/make(_:seed:)``
  ///   checks the rows of the data files.
  package static func load(
    file: String, set overrides: [String] = [], size: ScenarioSize = .full
  ) throws(ScenarioError) -> [Scenario] {
    try decode(yaml: try FileContent.text(of: file), file: file, set: overrides, size: size)
  }

  /// Decodes text as the content of `file`. Data files are found relative to it.
  package static func decode(
    yaml: String, file: String, set overrides: [String], size: ScenarioSize = .full
  ) throws(ScenarioError) -> [Scenario] {
    var tree = try ScenarioTree(yaml: yaml, file: file)
    var set: Set<String> = []
    for text in overrides {
      let override = try ScenarioOverride(text)
      guard set.insert(override.field.path).inserted else {
        throw ScenarioError(
          override.located.origin, field: override.field.path,
          "set twice; to sweep, give a list: \(override.field.path)=[…]")
      }
      tree.replace(override.field.path, with: override.located)
    }
    if case .smoke = size { set.formUnion(try tree.shrink(except: set)) }
    var scenarios: [Scenario] = []
    for fields in try ResolvedFields.all(from: tree, set: set) {
      scenarios.append(try Scenario(fields))
    }
    return scenarios
  }
}

/// One value for every field, of the right kind and within bounds.
struct ResolvedFields {
  let file: String
  let model: ScenarioModel
  let others: [OtherRowsDescription]
  private(set) var values: [String: ParameterValue] = [:]
  private(set) var parameters: [String: ParameterValue] = [:]
  private var origins: [String: ScenarioError.Origin] = [:]

  static func all(
    from tree: ScenarioTree, set: Set<String>
  ) throws(ScenarioError) -> [ResolvedFields] {
    let others = try tree.nodes["others"].map(OtherRowsDescription.all) ?? []
    var resolved = [
      ResolvedFields(file: tree.file, model: try ScenarioModel(tree), others: others)
    ]
    // The combinations so far begin with the one that has every field's first value.
    let isOneAtATime = tree.nodes["sweep"]?.node.scalar?.string == Sweep.oneAtATime.rawValue
    for field in ScenarioField.all {
      let choices = try choices(field, tree)
      let isParameter = set.contains(field.path) || choices.count > 1
      let origin = tree.nodes[field.path]?.origin ?? tree.placeOfMissing(field)
      guard resolved.count * choices.count <= mostCombinations else {
        throw ScenarioError(
          origin, field: field.path,
          "the sweeps make more than \(mostCombinations) combinations; measure fewer at a time")
      }
      let first = resolved[0]
      let pairs =
        isOneAtATime
        ? resolved.map { ($0, choices[0]) } + choices.dropFirst().map { (first, $0) }
        : resolved.flatMap { fields in choices.map { (fields, $0) } }
      resolved = pairs.map { $0.with(field.path, $1, origin, isParameter: isParameter) }
    }
    return resolved
  }

  /// The most combinations, each of which is a scenario.
  private static let mostCombinations = 10_000

  private static func choices(
    _ field: ScenarioField, _ tree: ScenarioTree
  ) throws(ScenarioError) -> [ParameterValue] {
    if let node = tree.nodes[field.path] { return try field.decodeSweep(node) }
    if let substitute = field.substitute, tree.nodes[substitute] != nil { return [.text("")] }
    guard let value = field.defaultValue else {
      throw ScenarioError(
        tree.placeOfMissing(field), field: field.path, "is missing; must be \(field.allowed)")
    }
    return [value]
  }

  private func with(
    _ path: String, _ value: ParameterValue, _ origin: ScenarioError.Origin, isParameter: Bool
  ) -> ResolvedFields {
    var copy = self
    copy.values[path] = value
    copy.origins[path] = origin
    if isParameter { copy.parameters[path] = value }
    return copy
  }

  func error(_ path: String, _ message: String) -> ScenarioError {
    ScenarioError(origins[path] ?? .file(file, line: nil), field: path, message)
  }

  // Decoding has checked the kind of every value, so another kind here is a bug in this module.

  subscript(path: String) -> ParameterValue {
    guard let value = values[path] else { preconditionFailure("no field '\(path)'") }
    return value
  }

  func text(_ path: String) -> String {
    guard case .text(let text) = self[path] else { preconditionFailure("'\(path)' is no text") }
    return text
  }

  func texts(_ path: String) -> [String] {
    guard case .list(let items) = self[path] else { preconditionFailure("'\(path)' is no list") }
    return items.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The number, or nil if the value is the field's word for a special case.
  func integer(_ path: String) -> Int? {
    if case .integer(let value) = self[path] { value } else { nil }
  }

  func number(_ path: String) -> Double {
    switch self[path] {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: preconditionFailure("'\(path)' is no number")
    }
  }

  func choice<Choice: RawRepresentable<String>>(_ path: String) -> Choice {
    guard let choice = Choice(rawValue: text(path)) else {
      preconditionFailure("'\(path)' allows '\(text(path))', which is no \(Choice.self)")
    }
    return choice
  }
}

/// Reads whole files; errors name the file.
enum FileContent {
  static func bytes(of file: String) throws(ScenarioError) -> [UInt8] {
    do {
      return [UInt8](try Foundation.Data(contentsOf: URL(fileURLWithPath: file)))
    } catch {
      throw ScenarioError(.file(file, line: nil), "\(problem(file)); check the path")
    }
  }

  static func text(of file: String) throws(ScenarioError) -> String {
    guard let text = String(validating: try bytes(of: file), as: UTF8.self) else {
      throw ScenarioError(.file(file, line: nil), "is not valid UTF-8")
    }
    return text
  }

  /// The reason why the file cannot be read; nil if it can.
  static func problemReading(_ file: String) -> String? {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
    let isReadable =
      exists && !isFolder.boolValue && FileManager.default.isReadableFile(atPath: file)
    return isReadable ? nil : problem(file)
  }

  private static func problem(_ file: String) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
      return "no such file"
    }
    return isFolder.boolValue ? "a folder, not a file" : "cannot be read"
  }

  /// Resolves a path in a file relative to that file's folder.
  static func path(_ path: String, relativeTo file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }
}
