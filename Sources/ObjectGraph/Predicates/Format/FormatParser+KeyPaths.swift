import Support

extension FormatParser {
  struct Position {
    var path: PredicatePath
    var entity: ResolvedEntity
    /// Set once the path has ended in an attribute.
    var type: AttributeType?
  }

  mutating func keyPath() throws -> FormatOperand {
    let start = token
    var position = try origin()
    while true {
      if token.kind == .symbol("[") { return try size(of: position, from: start) }
      guard skip(".") else { return operand(position, at: start) }
      if case .function(let name) = token.kind {
        return try count(name, of: position, from: start)
      }
      let next = token
      try follow(try keys(), at: next, from: &position)
    }
  }

  /// SELF, a variable, a key or `%K`.
  private mutating func origin() throws -> Position {
    if case .variable(let name) = token.kind {
      guard let index = scopes.lastIndex(where: { $0.variable == name }) else {
        throw unknownVariable(name)
      }
      advance()
      return Position(
        path: PredicatePath(level: scopes.count - 1 - index), entity: scopes[index].entity)
    }
    var position = Position(path: PredicatePath(level: scopes.count - 1), entity: scopes[0].entity)
    if keyword == "SELF" {
      advance()
    } else {
      let first = token
      try follow(try keys(isFirst: true), at: first, from: &position)
    }
    return position
  }

  private func unknownVariable(_ name: String) -> PredicateFormatError {
    let names = scopes.compactMap(\.variable) + variables.keys.sorted()
    let known = names.map { "$\($0)" }.joined(separator: ", ")
    let hint = known.isEmpty ? "; SUBQUERY makes variables" : ". Known: \(known)"
    return failure("unknown variable '$\(name)'\(hint)", at: token)
  }

  /// One key, or those of an argument for `%K`.
  private mutating func keys(isFirst: Bool = false) throws -> [String] {
    switch token.kind {
    case .word(let name, let isPlain):
      if !isPlain, isFirst, Self.reservedWords.contains(name.uppercased()) {
        throw failure(
          "'\(name)' is a reserved word; expected a key path or a value (#\(name) is a key)",
          at: token)
      }
      advance()
      return [name]
    case .placeholder("K"):
      let argument = try argument()
      guard case .value(.string(let path)) = argument, !path.isEmpty else {
        throw wrongArgument(argument, for: "K", at: token)
      }
      advance()
      return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    default: throw unexpected("a key")
    }
  }

  static let reservedWords: Set<String> = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES",
    "ANY", "SOME", "ALL", "NONE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF", "SUBQUERY",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private func follow(
    _ keys: [String], at token: FormatToken, from position: inout Position
  ) throws {
    for key in keys {
      let entity = position.entity
      guard position.type == nil else {
        throw failure("'\(key)' cannot follow an attribute", at: token)
      }
      if let column = entity.entity.index(of: key) {
        position.path = position.path.following(column: column)
        position.type = entity.entity.columns[column].attribute?.type
        if let next = entity.toOne[column] { position.entity = model.resolved[next.destination] }
      } else if let index = entity.entity.toManyIndex(of: key) {
        position.path = position.path.following(toMany: index)
        position.entity = model.resolved[entity.toMany[index].destination]
      } else {
        throw unknown(key, of: entity.entity, at: token)
      }
    }
  }

  private func unknown(
    _ key: String, of entity: Entity, at token: FormatToken
  ) -> PredicateFormatError {
    let known = entity.columns.map(\.name) + entity.toManyRelationships.map(\.name)
    return failure(
      "'\(entity.name)' has no property '\(key)'.\(NearestName.hint(for: key, in: known)) Known: "
        + known.joined(separator: ", "), at: token)
  }

  private func operand(_ position: Position, at token: FormatToken) -> FormatOperand {
    let kind: FormatOperand.Kind =
      position.type.map { .attribute($0) } ?? .object(position.entity.index)
    // Each to-many relationship ends a path; the next begins at its objects.
    var paths: [PredicatePath] = []
    var rest = PredicatePath(level: position.path.level)
    for step in position.path.steps {
      rest.steps.append(step)
      if case .toMany = step {
        paths.append(rest)
        rest = .itself
      }
    }
    rest.column = position.path.column
    let content: FormatOperand.Content =
      paths.isEmpty ? .single(.path(rest), kind) : .many(paths, .path(rest), kind)
    return FormatOperand(content, at: token)
  }

  // MARK: Counts

  /// `path.@count`
  private mutating func count(
    _ name: String, of position: Position, from start: FormatToken
  ) throws -> FormatOperand {
    guard name.lowercased() == "count" else {
      throw failure(
        "unknown function '@\(name)'; known: @count (sums and averages: a DictionaryRequest)",
        at: token)
    }
    let (path, _) = try collection(operand(position, at: token))
    advance()
    return FormatOperand(countOf: path, at: start)
  }

  /// `path[SIZE]`
  private mutating func size(
    of position: Position, from start: FormatToken
  ) throws -> FormatOperand {
    advance()
    guard keyword == "SIZE" else {
      throw unexpected("SIZE; objects have no order to index them by")
    }
    let (path, _) = try collection(operand(position, at: token))
    advance()
    try expect("]")
    return FormatOperand(countOf: path, at: start)
  }

  /// `SUBQUERY(path, $x, predicate).@count`
  mutating func subquery() throws -> FormatOperand {
    let start = token
    advance()
    try expect("(")
    let (path, entity) = try collection(
      try keyPath(), orElse: "SUBQUERY needs a to-many relationship")
    try expect(",")
    guard case .variable(let variable) = token.kind else { throw unexpected("a variable like $x") }
    advance()
    try expect(",")
    scopes.append(Scope(variable: variable, entity: model.resolved[entity]))
    let predicate = try predicate()
    scopes.removeLast()
    try expect(")")
    guard skip("."), token.kind == .function("count") else { throw unexpected(".@count") }
    advance()
    return FormatOperand(countOf: path, where: predicate, at: start)
  }

  /// The path to count, and the index of its entity.
  private func collection(
    _ operand: FormatOperand,
    orElse message: String = "only the objects of a to-many relationship can be counted"
  ) throws -> (PredicatePath, Int) {
    guard case .many(let paths, .path(.itself), .object(let entity?)) = operand.content else {
      throw failure(message, at: operand.token)
    }
    guard paths.count == 1 else {
      throw failure(
        "objects are counted over one to-many relationship only; use SUBQUERY for each",
        at: operand.token)
    }
    return (paths[0], entity)
  }
}

extension FormatOperand {
  fileprivate init(
    countOf path: PredicatePath, where predicate: FetchPredicate = .true, at token: FormatToken
  ) {
    self.init(.single(.count(path, predicate), .attribute(.int64)), at: token)
  }
}
