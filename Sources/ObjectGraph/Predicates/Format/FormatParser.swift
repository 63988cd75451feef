// Recursive descent over the part of NSPredicate's published grammar that a store can answer:
//
//   predicate    and  { OR and }
//   and          not  { AND not }
//   not          NOT not | primary
//   primary      TRUEPREDICATE | FALSEPREDICATE | ( predicate ) | comparison
//   comparison   [ANY|SOME|ALL|NONE] operand [NOT] operator[cd] operand
//   operand      literal | {operand, …} | %@ %d %f | $value | ( operand )
//                | [SELF | $x | %K] . key . key
//                | SUBQUERY(path, $x, predicate).@count | path.@count
//
// Names are looked up while reading (`FormatParser+Operands`), so an unknown name is reported at
// its position. `FormatComparison` decides which operands can be compared.

struct FormatParser {
  /// The tested object, or a SUBQUERY's variable.
  struct Scope {
    /// Nil for the tested object.
    let variable: String?
    let entity: ResolvedEntity
  }

  let format: String
  let model: Model
  private let tokens: [FormatToken]
  private var place = 0
  private let arguments: [PredicateOperand]
  let variables: [String: PredicateOperand]
  private(set) var usedArguments = 0
  private var nesting = 0
  private static let deepestNesting = 100
  /// Outermost first.
  var scopes: [Scope]

  init(
    _ format: String, entity: Entity, model: Model, arguments: [PredicateOperand],
    variables: [String: PredicateOperand] = [:]
  ) throws {
    self.format = format
    self.model = model
    self.tokens = try FormatLexer.tokens(of: format)
    self.arguments = arguments
    self.variables = variables
    self.scopes = [Scope(variable: nil, entity: model.resolved(entity))]
  }

  mutating func parse() throws -> FetchPredicate {
    let predicate = try predicate()
    guard token.kind == .end else { throw unexpected("AND, OR or the end") }
    guard usedArguments == arguments.count else {
      throw failure(
        "\(arguments.count) arguments were given for \(usedArguments) placeholders", at: token)
    }
    return predicate
  }

  // MARK: Junctions

  mutating func predicate() throws -> FetchPredicate {
    try enter()
    defer { leave() }
    var alternatives = [try conjunction()]
    while keyword == "OR" || token.kind == .symbol("||") {
      advance()
      alternatives.append(try conjunction())
    }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }

  private mutating func conjunction() throws -> FetchPredicate {
    var parts = [try negation()]
    while keyword == "AND" || token.kind == .symbol("&&") {
      advance()
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws -> FetchPredicate {
    var count = 0
    while keyword == "NOT" || token.kind == .symbol("!") {
      advance()
      count += 1
    }
    guard count <= Self.deepestNesting else {
      throw failure("more than \(Self.deepestNesting) NOTs stand here", at: token)
    }
    var predicate = try primary()
    for _ in 0..<count { predicate = .not(predicate) }
    return predicate
  }

  private mutating func primary() throws -> FetchPredicate {
    switch keyword {
    case "TRUEPREDICATE":
      advance()
      return .true
    case "FALSEPREDICATE":
      advance()
      return .false
    default:
      return token.kind == .symbol("(") ? try inParentheses() : try comparison()
    }
  }

  /// Tries a predicate, then an operand. If neither can be read, the error at the furthest position
  /// counts.
  private mutating func inParentheses() throws -> FetchPredicate {
    let (place, usedArguments, depth) = (place, usedArguments, scopes.count)
    do {
      advance()
      let predicate = try predicate()
      try expect(")")
      return predicate
    } catch let asPredicate as PredicateFormatError {
      (self.place, self.usedArguments) = (place, usedArguments)
      scopes.removeLast(scopes.count - depth)
      do { return try comparison() } catch let asOperand as PredicateFormatError {
        throw asOperand.position > asPredicate.position ? asOperand : asPredicate
      }
    }
  }

  // MARK: Tokens

  var token: FormatToken { tokens[place] }

  var following: FormatToken { tokens[min(place + 1, tokens.count - 1)] }

  /// The caller must call `leave()`, unless this throws.
  mutating func enter() throws {
    guard nesting < Self.deepestNesting else {
      throw failure("more than \(Self.deepestNesting) brackets are open", at: token)
    }
    nesting += 1
  }

  mutating func leave() { nesting -= 1 }

  /// The current word in capitals; nil if `#` marks it as a key.
  var keyword: String? {
    if case .word(let word, isPlain: false) = token.kind { word.uppercased() } else { nil }
  }

  mutating func advance() {
    if place < tokens.count - 1 { place += 1 }
  }

  mutating func skip(_ symbol: String) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws {
    guard skip(symbol) else { throw unexpected("'\(symbol)'") }
  }

  mutating func argument() throws -> PredicateOperand {
    guard usedArguments < arguments.count else {
      throw failure(
        "there is no argument for placeholder \(usedArguments + 1); \(arguments.count) given",
        at: token)
    }
    usedArguments += 1
    return arguments[usedArguments - 1]
  }

  func failure(_ message: String, at token: FormatToken) -> PredicateFormatError {
    PredicateFormatError(format: format, position: token.start, message: message)
  }

  func unexpected(_ expected: String) -> PredicateFormatError {
    let found = token.kind == .end ? "the end" : "'\(text(of: token))'"
    return failure("expected \(expected), found \(found)", at: token)
  }

  private func text(of token: FormatToken) -> String {
    let scalars = Array(format.unicodeScalars)[token.start..<token.end]
    return String(String.UnicodeScalarView(scalars))
  }
}
