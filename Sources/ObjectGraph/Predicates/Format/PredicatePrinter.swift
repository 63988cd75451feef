extension FetchPredicate {
  /// A format string and arguments, which `init(format:…)` parses to an equal predicate. Numbers,
  /// bools, text and nil are literals.
  ///
  /// - Precondition: the predicate is of this entity, which belongs to the model.
  public func format(
    of entity: Entity, in model: Model
  ) -> (text: String, arguments: [any PredicateArgument]) {
    var printer = PredicatePrinter(model.resolved(entity), in: model)
    let text = printer.text(self)
    return (text, printer.arguments)
  }
}

struct PredicatePrinter {
  private let model: Model
  /// Outermost first.
  private var scopes: [ResolvedEntity]
  private(set) var arguments: [Value] = []

  init(_ entity: ResolvedEntity, in model: Model) {
    self.model = model
    self.scopes = [entity]
  }

  mutating func text(_ predicate: FetchPredicate) -> String {
    switch predicate {
    case .true: return "TRUEPREDICATE"
    case .false: return "FALSEPREDICATE"
    case .compare, .isIn, .test: return PredicateTest(predicate).map { comparison($0) } ?? ""
    case .some(let path, let part): return existence(path, part)
    case .and(let parts): return junction(parts, " AND ", empty: "TRUEPREDICATE")
    case .or(let parts): return junction(parts, " OR ", empty: "FALSEPREDICATE")
    case .not(let part): return "NOT (\(text(part)))"
    }
  }

  private mutating func junction(
    _ parts: [FetchPredicate], _ word: String, empty: String
  ) -> String {
    guard !parts.isEmpty else { return empty }
    guard parts.count > 1 else { return text(parts[0]) }
    return parts.map { $0.isJunction ? "(\(text($0)))" : text($0) }.joined(separator: word)
  }

  // MARK: Comparisons

  private mutating func comparison(_ test: PredicateTest) -> String {
    "\(text(test.left)) \(test.operation.word) \(text(test.right))"
  }

  private mutating func text(_ expression: FetchExpression) -> String {
    switch expression {
    case .constant(let value): return literal(value)
    case .path(let path): return text(path)
    case .count(let path, .true): return text(path) + ".@count"
    case .count(let path, let predicate): return subquery(path, predicate)
    case .values(let set):
      let texts = set.values.map { literal($0) }
      return "{" + texts.joined(separator: ", ") + "}"
    }
  }

  // MARK: Relationships

  /// Uses `ANY` if a single property of the objects is compared with an outer expression.
  private mutating func existence(_ path: PredicatePath, _ predicate: FetchPredicate) -> String {
    guard let test = PredicateTest(predicate), case .path(let property) = test.left,
      property.level == 0, let right = test.right.movedOutwards
    else {
      return (predicate == .true ? text(path) + ".@count" : subquery(path, predicate)) + " > 0"
    }
    let objects = text(path)
    let keys = keys(of: property, from: destination(of: path), isFirst: false)
    return "ANY \(([objects] + keys).joined(separator: ".")) \(test.operation.word) \(text(right))"
  }

  private mutating func subquery(_ path: PredicatePath, _ predicate: FetchPredicate) -> String {
    let objects = text(path)
    scopes.append(destination(of: path))
    defer { scopes.removeLast() }
    return "SUBQUERY(\(objects), \(variable(scopes.count - 1)), \(text(predicate))).@count"
  }

  private func variable(_ scope: Int) -> String { "$x\(scope == 1 ? "" : String(scope))" }

  private func destination(of path: PredicatePath) -> ResolvedEntity {
    path.steps.reduce(scopes[scopes.count - 1 - path.level]) { entity, step in
      model.resolved[entity.relationship(at: step).destination]
    }
  }

  private mutating func text(_ path: PredicatePath) -> String {
    let scope = scopes.count - 1 - path.level
    let keys = keys(of: path, from: scopes[scope], isFirst: scope == 0)
    let origin = scope > 0 ? [variable(scope)] : keys.isEmpty ? ["SELF"] : []
    return (origin + keys).joined(separator: ".")
  }

  private mutating func keys(
    of path: PredicatePath, from entity: ResolvedEntity, isFirst: Bool
  ) -> [String] {
    var entity = entity
    var names: [String] = []
    for step in path.steps {
      let relationship = entity.relationship(at: step)
      names.append(relationship.description.name)
      entity = model.resolved[relationship.destination]
    }
    if let column = path.column { names.append(entity.entity.columns[column].name) }
    return names.enumerated().map { key($1, isFirst: isFirst && $0 == 0) }
  }

  private mutating func key(_ name: String, isFirst: Bool) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, FormatLexer.isNameStart(first),
      scalars.allSatisfy(FormatLexer.isNamePart)
    else {
      arguments.append(.string(name))
      return "%K"
    }
    return isFirst && FormatParser.reservedWords.contains(name.uppercased()) ? "#" + name : name
  }

  // MARK: Literals

  private mutating func literal(_ value: Value) -> String {
    switch value {
    case .null: return "NULL"
    case .int64(let number): return String(number)
    case .double(let number) where number.isFinite: return "\(number)"
    case .bool(let bool): return bool ? "TRUE" : "FALSE"
    case .string(let text): return quoted(text)
    case .double, .date, .data, .decimal, .uuid, .uri, .object:
      arguments.append(value)
      return "%@"
    }
  }

  private func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": quoted.append(contentsOf: ["\\", scalar])
      case "\n": quoted.append(contentsOf: "\\n".unicodeScalars)
      default: quoted.append(scalar)
      }
    }
    return "\"\(String(quoted))\""
  }
}

extension PredicateTest {
  init?(_ predicate: FetchPredicate) {
    switch predicate {
    case .compare(let column, let comparison, let value):
      self.init(.path(PredicatePath(column: column)), .compare(comparison, []), .constant(value))
    case .isIn(let column, let set):
      self.init(.path(PredicatePath(column: column)), .isIn([]), .values(set))
    case .test(let test): self = test
    default: return nil
    }
  }
}

extension PredicateOperator {
  fileprivate var word: String {
    switch self {
    case .compare(let comparison, let options): comparison.rawValue + options.text
    case .isIn(let options): "IN" + options.text
    case .text(let operation, let options): operation.rawValue + options.text
    }
  }
}

extension TextOptions {
  fileprivate var text: String {
    guard !isEmpty else { return "" }
    return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}

extension FetchPredicate {
  fileprivate var isJunction: Bool {
    switch self {
    case .and(let parts), .or(let parts): parts.count > 1
    default: false
    }
  }
}

extension FetchExpression {
  /// As seen from one level further out; nil if it may depend on the tested object.
  fileprivate var movedOutwards: FetchExpression? {
    switch self {
    case .constant, .values: self
    case .path(let path): path.level == 0 ? nil : rewritten(.moving(inwards: -1))
    case .count: nil
    }
  }
}
