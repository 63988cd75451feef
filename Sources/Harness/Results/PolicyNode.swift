import Support
import Workload
import Yams

/// A place in a policy file: its value, and the words for what is wrong with it.
struct PolicyNode {
  let node: Node
  let file: String
  /// Dotted path with the places in lists, such as `waivers[2].until`; empty for the file itself.
  let path: String

  private init(node: Node, file: String, path: String) {
    self.node = node
    self.file = file
    self.path = path
  }

  /// An empty file asks for nothing.
  init(yaml: String, file: String) throws(UsageError) {
    do {
      node = try Yams.compose(yaml: yaml) ?? Node([(Node, Node)]())
    } catch {
      throw UsageError("\(file):\(Self.problem(error))")
    }
    self.file = file
    path = ""
  }

  func error(_ message: String) -> UsageError {
    let line = node.mark.map { ":\($0.line)" } ?? ""
    return UsageError("\(file)\(line): \(path.isEmpty ? "" : "field '\(path)': ")\(message)")
  }

  /// The members of a mapping, in order.
  func fields(allowed: [String]) throws(UsageError) -> [(String, PolicyNode)] {
    let members = try members()
    for (name, member) in members where !allowed.contains(name) {
      let hint = NearestName.hint(for: name, in: allowed)
      throw member.error("is unknown.\(hint) Known: \(allowed.joined(separator: ", "))")
    }
    return members
  }

  /// The same, whatever they are called.
  func members() throws(UsageError) -> [(String, PolicyNode)] {
    guard case .mapping(let mapping) = node else {
      throw error("must be a mapping, `name: value`")
    }
    var members: [(String, PolicyNode)] = []
    for (key, value) in mapping {
      guard let name = key.scalar?.string else { throw error("a name must be plain text") }
      let place = path.isEmpty ? name : "\(path).\(name)"
      members.append((name, PolicyNode(node: value.marked(like: key), file: file, path: place)))
    }
    return members
  }

  /// The items of a list, each as `value` reads it; of nothing, none.
  func list<Value>(
    _ value: (PolicyNode) -> () throws(UsageError) -> Value
  ) throws(UsageError) -> [Value] {
    if let scalar = node.scalar, ["", "~", "null"].contains(scalar.string) { return [] }
    guard case .sequence(let sequence) = node else {
      throw error("must be a list, each item on a line of its own after '- '")
    }
    var values: [Value] = []
    for (index, item) in sequence.enumerated() {
      let place = PolicyNode(node: item, file: file, path: "\(path)[\(index + 1)]")
      values.append(try value(place)())
    }
    return values
  }

  func text() throws(UsageError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else {
      throw error("must be text")
    }
    return text
  }

  /// Not negative.
  func number() throws(UsageError) -> Double {
    guard let number = Double(try text()), number.isFinite, number >= 0 else {
      throw error("must be a number, 0 or more, without a unit")
    }
    return number
  }

  /// `3 %`, as 0.03.
  func share() throws(UsageError) -> Double {
    let text = try text()
    guard text.hasSuffix("%"),
      let number = Double(text.dropLast().trimmingSuffix(" ")), number >= 0, number <= 1000
    else { throw error("must be a percentage such as '3 %', from 0 to 1000 %") }
    return number / 100
  }

  /// Yams' errors carry the whole text; one line of them is of use.
  private static func problem(_ error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(mark.line): malformed YAML: \(problem)"
    case .duplicatedKeysInMapping(let names, let context):
      "\(context.mark.line): field '\(names.first ?? "?")': stands twice in one mapping; "
        + "keep one of them"
    case .reader(let problem, _, _, _): " malformed YAML: \(problem)"
    default: " malformed YAML: \(error)"
    }
  }
}

extension Node {
  /// A value is told by the line of its name.
  fileprivate func marked(like key: Node) -> Node {
    guard let mark = key.mark else { return self }
    switch self {
    case .scalar(let scalar):
      return .scalar(Scalar(scalar.string, scalar.tag, scalar.style, mark))
    case .mapping(var mapping):
      mapping.mark = mark
      return .mapping(mapping)
    case .sequence(var sequence):
      sequence.mark = mark
      return .sequence(sequence)
    default: return self
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
