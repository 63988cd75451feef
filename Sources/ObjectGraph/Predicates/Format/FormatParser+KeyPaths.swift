extension FormatParser {
  /// The state of reading a key path.
  struct Position {
    /// Relationships from the origin on; the last part is of attributes only at the end.
    var path: PredicatePath
    var entity: ResolvedEntity
    /// Set once the path has ended in an attribute.
    var type: AttributeType?
  }

  mutating func keyPath() throws -> FormatOperand {
    let start = token
    var position = try origin()
    while true {
      if token.kind == .symbol("[") {
        return try size(of: position, from: start)
      }
      guard skip(".") else { break }
      if case .function(let name) = token.kind {
        return try count(name, of: position, from: start)
      }
      let next = token
      try take(try key(), at: next, into: &position)
    }
    return operand(position, at: start)
  }

  /// The beginning: SELF, a variable, a key or `%K`.
  private mutating func origin() throws -> Position {
    if case .variable(let name) = token.kind {
      guard let index = scopes.lastIndex(where: { $0.variable == name }) else {
        let known = scopes.compactMap(\.variable).map { "$\($0)" }
        throw failure(
          "unknown variable '$\(name)'"
            + (known.isEmpty
              ? "; SUBQUERY makes variables" : ". Known: \(known.joined(separator: ", "))"),
          at: token)
      }
      advance()
      return Position(
        path: PredicatePath(level: scopes.count - 1 - index), entity: scopes[index].entity)
    }
    var position = Position(
      path: PredicatePath(level: scopes.count - 1), entity: scopes[0].entity)
    if keyword == "SELF" {
      advance()
      return position
    }
    let first = token
    try take(try key(isFirst: true), at: first, into: &position)
    return position
  }

  /// The keys that stand here: one, or those of an argument for `%K`.
  private mutating func key(isFirst: Bool = false) throws -> [String] {
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

  private func take(
    _ keys: [String], at token: FormatToken, into position: inout Position
  ) throws {
    for key in keys {
      let entity = position.entity.entity
      if position.type != nil {
        throw failure("'\(key)' cannot follow an attribute", at: token)
      }
      if let column = entity.index(of: key) {
        position.path = position.path.following(column: column)
        if let relationship = position.entity.toOne[column] {
          position.entity = model.resolved[relationship.destination]
        } else {
          position.type = entity.columns[column].attribute?.type
        }
      } else if let index = entity.toManyIndex(of: key) {
        position.path = position.path.following(toMany: index)
        position.entity = model.resolved[position.entity.toMany[index].destination]
      } else {
        throw unknown(key, of: entity, at: token)
      }
    }
  }

  private func unknown(
    _ key: String, of entity: Entity, at token: FormatToken
  ) -> PredicateFormatError {
    let known = entity.columns.map(\.name) + entity.toManyRelationships.map(\.name)
    let nearest = nearestName(to: key, among: known).map { " Did you mean '\($0)'?" } ?? ""
    return failure(
      "'\(entity.name)' has no property '\(key)'.\(nearest) Known: "
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
}

// MARK: - Counts

extension FormatParser {
  /// `path.@count`
  private mutating func count(
    _ name: String, of position: Position, from start: FormatToken
  ) throws -> FormatOperand {
    guard name.lowercased() == "count" else {
      throw failure(
        "unknown function '@\(name)'; known: @count (sums and averages: a DictionaryRequest)",
        at: token)
    }
    let collection = try collection(at: position, token)
    advance()
    return FormatOperand(.single(.count(collection, .true), .attribute(.int64)), at: start)
  }

  /// `path[SIZE]`
  private mutating func size(
    of position: Position, from start: FormatToken
  ) throws -> FormatOperand {
    advance()
    guard keyword == "SIZE" else {
      throw unexpected("SIZE; objects have no order to index them by")
    }
    let collection = try collection(at: position, token)
    advance()
    try expect("]")
    return FormatOperand(.single(.count(collection, .true), .attribute(.int64)), at: start)
  }

  /// `SUBQUERY(path, $x, predicate).@count`
  mutating func subquery() throws -> FormatOperand {
    let start = token
    advance()
    try expect("(")
    let operand = try keyPath()
    guard case .many(let paths, .path(.itself), .object(let entity?)) = operand.content else {
      throw failure("SUBQUERY needs a to-many relationship", at: operand.token)
    }
    let collection = try only(paths, operand.token)
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
    return FormatOperand(.single(.count(collection, predicate), .attribute(.int64)), at: start)
  }

  private func collection(at position: Position, _ token: FormatToken) throws -> PredicatePath {
    guard case .toMany = position.path.steps.last, position.path.column == nil else {
      throw failure("only the objects of a to-many relationship can be counted", at: token)
    }
    guard case .many(let paths, _, _) = operand(position, at: token).content else {
      throw failure("only the objects of a to-many relationship can be counted", at: token)
    }
    return try only(paths, token)
  }

  private func only(_ paths: [PredicatePath], _ token: FormatToken) throws -> PredicatePath {
    guard paths.count == 1 else {
      throw failure(
        "objects are counted over one to-many relationship only; use SUBQUERY for each", at: token)
    }
    return paths[0]
  }
}
