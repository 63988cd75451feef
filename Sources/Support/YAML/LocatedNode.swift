import Yams

package struct LocatedNode {
  package let origin: InputError.Origin
  /// Dotted, such as `model.City.parent` or `waivers[2].until`; empty for the document.
  package let path: String
  let node: Node

  private init(_ node: Node, _ origin: InputError.Origin, path: String) {
    self.node = node
    self.origin = origin
    self.path = path
  }

  /// Nil if the text is empty.
  ///
  /// - Parameter origin: the file, or the command-line argument that holds the text.
  package init?(
    yaml: String, from origin: InputError.Origin, path: String = ""
  ) throws(InputError) {
    let root: Node?
    do {
      // Some editors write a byte order mark, which Yams takes for a character of the text.
      let hasMark = yaml.unicodeScalars.first == "\u{FEFF}"
      root = try Yams.compose(yaml: hasMark ? String(yaml.unicodeScalars.dropFirst()) : yaml)
    } catch {
      throw InputError(syntaxError: error, in: origin, yaml)
    }
    guard let root else { return nil }
    self.init(root, origin.at(root.mark?.line), path: path)
  }

  /// A text that is not read as YAML.
  package init(text: String, from origin: InputError.Origin, path: String) {
    self.init(Node(text), origin, path: path)
  }

  package func error(_ message: String) -> InputError {
    InputError(origin, field: path.isEmpty ? nil : path, message)
  }

  package var isMapping: Bool { node.mapping != nil }
  package var isList: Bool { node.sequence != nil }

  /// In the order of the file. Each member has its name's line.
  ///
  /// - Parameter allowed: the allowed values, for an error.
  package func members(
    _ allowed: String = "a mapping, `name: value`"
  ) throws(InputError) -> [(name: String, node: LocatedNode)] {
    guard case .mapping(let mapping) = node else { throw wrongType(allowed) }
    var members: [(name: String, node: LocatedNode)] = []
    for (key, value) in mapping {
      let origin = origin.at((key.mark ?? value.mark)?.line)
      guard let name = key.scalar?.string else {
        throw LocatedNode(value, origin, path: path).error("a name must be plain text")
      }
      let memberPath = path.isEmpty ? name : "\(path).\(name)"
      members.append((name, LocatedNode(value, origin, path: memberPath)))
    }
    return members
  }

  /// - Throws: an error for other names.
  package func members(
    named known: [String]
  ) throws(InputError) -> [(name: String, node: LocatedNode)] {
    let allowed = known.joined(separator: ", ")
    let members = try members("a mapping of: \(allowed)")
    for (name, node) in members where !known.contains(name) {
      let hint = NearestName.hint(for: name, in: known)
      let place = path.isEmpty ? "" : " in \(path.quoted)"
      throw node.error("unknown field.\(hint) Allowed\(place): \(allowed)")
    }
    return members
  }

  package func items(_ allowed: String) throws(InputError) -> [LocatedNode] {
    guard case .sequence(let items) = node else { throw wrongType(allowed) }
    return items.enumerated().map { index, item in
      LocatedNode(item, origin.at(item.mark?.line), path: "\(path)[\(index + 1)]")
    }
  }
}

extension InputError.Origin {
  /// A line of the same file; for a command-line argument, the argument.
  fileprivate func at(_ line: Int?) -> Self {
    guard case .file(let file, let outer) = self else { return self }
    return .file(file, line: line ?? outer)
  }
}

extension InputError {
  /// In one line: Yams' errors contain the whole text.
  fileprivate init(syntaxError error: any Error, in origin: Origin, _ yaml: String) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      let isTab = yaml.isIndentedByTab(line: mark.line)
      self.init(
        origin.at(mark.line),
        "malformed YAML: \(isTab ? "a tab begins the line; indent it by spaces" : problem)")
    case .reader(let problem, let offset, _, let yaml):
      let line = offset.map { yaml.prefix($0).count { $0.isNewline } + 1 }
      self.init(origin.at(line), "malformed YAML: \(problem)")
    case .duplicatedKeysInMapping(let names, let context):
      self.init(
        origin.at(context.mark.line), field: names.first,
        "occurs twice in one mapping; keep one of them")
    default:
      self.init(origin, "malformed YAML: \(error)")
    }
  }
}

extension String {
  /// - Parameter line: from 1.
  fileprivate func isIndentedByTab(line: Int) -> Bool {
    let lines = split(omittingEmptySubsequences: false) { $0.isNewline }
    guard lines.indices.contains(line - 1) else { return false }
    return lines[line - 1].prefix { $0.isWhitespace }.contains("\t")
  }
}
