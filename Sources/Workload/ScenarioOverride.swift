import Yams

/// One `--set KEY=VALUE`, which replaces the value of a scenario's field. A list of values sweeps
/// the field (`--set changes.per_save=[1,50,500]`).
struct ScenarioOverride {
  let field: ScenarioField
  let located: LocatedNode

  /// - Parameter text: the argument of `--set`.
  init(_ text: String) throws(ScenarioError) {
    let flag = ScenarioError.Origin.flag("--set \(text)")
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw ScenarioError(flag, "must be KEY=VALUE, such as changes.per_save=50")
    }
    let path = String(text[..<equals])
    guard let field = ScenarioField.named(path) else {
      throw ScenarioError(flag, field: path, ScenarioField.unknown(path: path))
    }
    guard field.canBeSet else {
      throw ScenarioError(
        flag, field: path, "'\(path)' says what the data are; only a scenario file can state it")
    }
    self.field = field
    let value = String(text[text.index(after: equals)...])
    located = LocatedNode(origin: flag, node: try Self.node(value, field, flag))
  }

  private static func node(
    _ value: String, _ field: ScenarioField, _ flag: ScenarioError.Origin
  ) throws(ScenarioError) -> Node {
    if case .path = field.kind { return Node(value) }
    let node: Node?
    do {
      node = try Yams.compose(yaml: value)
    } catch {
      throw ScenarioError(flag, field: field.path, "malformed value; must be \(field.allowed)")
    }
    guard let node else {
      throw ScenarioError(flag, field: field.path, "no value; must be \(field.allowed)")
    }
    return node
  }
}
