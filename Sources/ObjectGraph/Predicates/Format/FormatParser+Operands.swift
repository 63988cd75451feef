struct FormatOperand {
  enum Kind: Equatable {
    case attribute(AttributeType)
    /// An object of the entity at this index, or of one related by inheritance; nil for any entity.
    case object(Int?)
    case null
  }

  enum Content {
    case single(FetchExpression, Kind)
    case list([FormatOperand])
    /// One path for each to-many relationship of a key path, from an object of the path before, and
    /// an expression for each object of the last.
    case many([PredicatePath], FetchExpression, Kind)
  }

  let content: Content
  let token: FormatToken

  init(_ content: Content, at token: FormatToken) {
    self.content = content
    self.token = token
  }

  init(_ value: Value, at token: FormatToken) {
    self.init(.single(.constant(value), Kind(value)), at: token)
  }

  func moved(inwards levels: Int) -> FormatOperand {
    switch content {
    case .single(let expression, let kind):
      return FormatOperand(.single(expression.rewritten(.moving(inwards: levels)), kind), at: token)
    case .list(let parts):
      return FormatOperand(.list(parts.map { $0.moved(inwards: levels) }), at: token)
    case .many(var paths, let element, let kind):
      // Only the first path moves: the others begin at its objects.
      paths[0] = PredicateRewriting.moving(inwards: levels).path(paths[0], 0)
      return FormatOperand(.many(paths, element, kind), at: token)
    }
  }
}

extension FormatOperand.Kind {
  init(_ value: Value) {
    if let type = value.type {
      self = .attribute(type)
    } else if case .object = value {
      // A comparison with an object of another entity finds nothing, but is no mistake.
      self = .object(nil)
    } else {
      self = .null
    }
  }

  var isObject: Bool { if case .object = self { true } else { false } }

  var description: String {
    switch self {
    case .attribute(.int64): "an integer"
    case .attribute(.double): "a number"
    case .attribute(.bool): "a bool"
    case .attribute(.string): "text"
    case .attribute(.date): "a date"
    case .attribute(.data): "data"
    case .attribute(.decimal): "a decimal"
    case .attribute(.uuid): "a UUID"
    case .attribute(.uri): "a URI"
    case .object: "an object"
    case .null: "nil"
    }
  }
}

extension FormatParser {
  mutating func operand() throws -> FormatOperand {
    let operand = try simpleOperand()
    if case .symbol(let symbol) = token.kind, ["+", "-", "*", "/", "**", ":="].contains(symbol) {
      throw failure(
        "arithmetic is not supported in a predicate; expected one value on each side", at: token)
    }
    return operand
  }

  private static let (listStart, listEnd) = ("{", "}")

  private mutating func simpleOperand() throws -> FormatOperand {
    switch token.kind {
    case .string(let text): return literal(.string(text))
    case .integer(let value): return literal(.int64(value))
    case .double(let value): return literal(.double(value))
    case .symbol("-"): return try negativeNumber()
    case .symbol(Self.listStart): return try list()
    case .symbol("("): return try operandInParentheses()
    case .placeholder(let name) where name != "K": return try placeholder(name)
    case .variable(let name) where !scopes.contains { $0.variable == name }:
      guard let value = variables[name] else { return try keyPath() }
      defer { advance() }
      return operand(value, at: token)
    case .placeholder, .variable, .word(_, isPlain: true): return try keyPath()
    case .word(let name, isPlain: false): return try word(name)
    default: throw unexpected("a key path or a value")
    }
  }

  private mutating func word(_ name: String) throws -> FormatOperand {
    if keyword == "SUBQUERY" { return try subquery() }
    if following.kind == .symbol("("), !Self.reservedWords.contains(name.uppercased()) {
      throw failure(
        "functions such as '\(name)' are not supported in a predicate; expected a key path, a value"
          + " or SUBQUERY", at: token)
    }
    switch keyword {
    case "TRUE", "YES": return literal(.bool(true))
    case "FALSE", "NO": return literal(.bool(false))
    case "NULL", "NIL": return literal(.null)
    default: return try keyPath()
    }
  }

  private mutating func literal(_ value: Value) -> FormatOperand {
    defer { advance() }
    return FormatOperand(value, at: token)
  }

  private mutating func negativeNumber() throws -> FormatOperand {
    let start = token
    advance()
    defer { advance() }
    switch token.kind {
    case .integer(let value): return FormatOperand(.int64(-value), at: start)
    // The least integer has no positive counterpart.
    case .double(0x1p63): return FormatOperand(.int64(.min), at: start)
    case .double(let value): return FormatOperand(.double(-value), at: start)
    default: throw unexpected("a number")
    }
  }

  private mutating func operandInParentheses() throws -> FormatOperand {
    try enter()
    defer { leave() }
    advance()
    let operand = try operand()
    try expect(")")
    return operand
  }

  private mutating func list() throws -> FormatOperand {
    try enter()
    defer { leave() }
    let start = token
    advance()
    var parts: [FormatOperand] = []
    while !skip(Self.listEnd) {
      guard parts.isEmpty || skip(",") else { throw unexpected("',' or '\(Self.listEnd)'") }
      parts.append(try operand())
    }
    return FormatOperand(.list(parts), at: start)
  }

  // MARK: Placeholders

  private static let integers: Set<String> = [
    "d", "i", "u", "ld", "li", "lu", "lld", "lli", "llu", "qd", "qi", "qu", "zd", "zu", "hd", "hi",
  ]
  private static let doubles: Set<String> = ["f", "e", "g", "lf", "le", "lg"]

  private mutating func placeholder(_ name: String) throws -> FormatOperand {
    let token = token
    guard name == "@" || Self.integers.contains(name) || Self.doubles.contains(name) else {
      throw failure("unknown placeholder '%\(name)'; known: %@, %K, %d, %f", at: token)
    }
    let argument = try argument()
    advance()
    switch argument {
    case _ where name == "@": return operand(argument, at: token)
    case .value(let value) where Self.integers.contains(name) && Self.isInteger(value):
      return FormatOperand(value, at: token)
    case .value(.double(let value)) where Self.doubles.contains(name):
      return FormatOperand(.double(value), at: token)
    default: throw wrongArgument(argument, for: name, at: token)
    }
  }

  /// C's arguments have no truth values: apps pass them as integers.
  private static func isInteger(_ value: Value) -> Bool {
    switch value {
    case .int64, .bool: true
    default: false
    }
  }

  private func operand(_ argument: PredicateOperand, at token: FormatToken) -> FormatOperand {
    switch argument {
    case .value(let value): FormatOperand(value, at: token)
    case .list(let values):
      FormatOperand(.list(values.map { FormatOperand($0, at: token) }), at: token)
    }
  }

  func wrongArgument(
    _ argument: PredicateOperand, for name: String, at token: FormatToken
  ) -> PredicateFormatError {
    let found =
      switch argument {
      case .value(let value): FormatOperand.Kind(value).description
      case .list: "a list"
      }
    let wanted =
      name == "K" ? "a key path" : Self.integers.contains(name) ? "an integer" : "a double"
    return failure("argument \(usedArguments) is \(found), but %\(name) takes \(wanted)", at: token)
  }
}
