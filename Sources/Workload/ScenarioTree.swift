import Yams

// From YAML text to one located node per field, before decoding:
//
//   changes:            ─▶  "changes.per_save" ─▶ node `500`, FILE:2
//     per_save: 500
//
// `--set` replaces nodes here, so that decoding checks its values in the same way.

/// A node and where it was written.
struct LocatedNode {
  let origin: ScenarioError.Origin
  let node: Node

  /// The line of a node inside this one; for a command-line argument, the argument.
  func origin(of inner: Node) -> ScenarioError.Origin {
    guard case .file(let file, let line) = origin else { return origin }
    return .file(file, line: inner.mark?.line ?? line)
  }
}

/// The fields in a scenario file, by dotted path.
struct ScenarioTree {
  let file: String
  private(set) var nodes: [String: LocatedNode] = [:]
  /// The line in which each section begins, for errors about missing fields.
  private var sectionLines: [String: Int] = [:]

  init(yaml: String, file: String) throws(ScenarioError) {
    self.file = file
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw Self.syntaxError(error, file: file)
    }
    guard let root else { throw ScenarioError(.file(file, line: 1), "the file is empty") }
    guard case .mapping(let mapping) = root else {
      throw ScenarioError(
        .file(file, line: root.mark?.line), "a scenario is a mapping of fields, `name: …` first")
    }
    try collect(mapping, section: nil)
  }

  mutating func replace(_ path: String, with node: LocatedNode) {
    nodes[path] = node
  }

  /// Where a missing field belongs.
  func placeOfMissing(_ field: ScenarioField) -> ScenarioError.Origin {
    let section = field.path.split(separator: ".").first.map(String.init)
    return .file(file, line: section.flatMap { sectionLines[$0] } ?? 1)
  }

  private mutating func collect(_ mapping: Node.Mapping, section: String?) throws(ScenarioError) {
    for (key, value) in mapping {
      let name = key.scalar?.string ?? "?"
      let path = section.map { "\($0).\(name)" } ?? name
      let line = key.mark?.line ?? value.mark?.line
      if section == nil, let dotted = ScenarioField.named(path)?.section {
        throw ScenarioError(
          .file(file, line: line), field: path,
          "a dotted name is for --set; write '\(path.dropFirst(dotted.count + 1))' inside '\(dotted):'"
        )
      }
      if ScenarioField.named(path) != nil {
        nodes[path] = LocatedNode(origin: .file(file, line: line), node: value)
      } else if section == nil, ScenarioField.sections.contains(path) {
        guard case .mapping(let inner) = value else {
          throw ScenarioError(
            .file(file, line: line), field: path,
            "must be a mapping of fields: \(ScenarioField.names(in: path).joined(separator: ", "))")
        }
        sectionLines[path] = line
        try collect(inner, section: path)
      } else {
        throw ScenarioError(
          .file(file, line: line), field: path, ScenarioField.unknown(name, in: section))
      }
    }
  }

  /// An error in one line: Yams' errors contain the whole text.
  private static func syntaxError(_ error: any Error, file: String) -> ScenarioError {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ScenarioError(.file(file, line: mark.line), "malformed YAML: \(problem)")
    case .reader(let problem, let offset, _, let yaml):
      ScenarioError(
        .file(file, line: line(ofCharacter: offset, in: yaml)), "malformed YAML: \(problem)")
    case .duplicatedKeysInMapping(let names, let context):
      ScenarioError(
        .file(file, line: context.mark.line), field: names.first,
        "occurs twice in one mapping; keep one of them")
    default:
      ScenarioError(.file(file, line: nil), "malformed YAML: \(error)")
    }
  }

  private static func line(ofCharacter offset: Int?, in yaml: String) -> Int? {
    offset.map { yaml.prefix($0).count { $0.isNewline } + 1 }
  }
}
