extension FormatParser {
  private enum Quantifier: String {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  struct Operator {
    enum Kind: Equatable {
      case compare(FetchPredicate.Comparison)
      case between
      case isIn
      case text(TextOperator)
    }

    let kind: Kind
    let options: TextOptions
    let token: FormatToken
  }

  mutating func comparison() throws -> FetchPredicate {
    let start = token
    let quantifier = quantifier()
    let left = try operand()
    let isNegated = keyword == "NOT"
    if isNegated { advance() }
    let comparison = FormatComparison(
      format: format, model: model, operation: try operation(isNegated: isNegated))
    let right = try operand()
    func build(_ left: FormatOperand, _ right: FormatOperand) throws -> FetchPredicate {
      let predicate = try comparison.predicate(left, right)
      return isNegated ? .not(predicate) : predicate
    }
    guard let quantifier else { return try build(left, right) }
    guard case .many(let paths, let element, let kind) = left.content else {
      throw failure(
        "\(quantifier.rawValue) needs a key path over a to-many relationship", at: start)
    }
    let inner = try build(
      FormatOperand(.single(element, kind), at: left.token), right.moved(inwards: paths.count))
    return switch quantifier {
    case .any: .some(paths, inner)
    case .all: .not(.some(paths, .not(inner)))
    case .none: .not(.some(paths, inner))
    }
  }

  private mutating func quantifier() -> Quantifier? {
    guard let keyword, let quantifier = Quantifier(rawValue: keyword == "SOME" ? "ANY" : keyword)
    else { return nil }
    advance()
    return quantifier
  }

  private static let otherSymbols = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

  private mutating func operation(isNegated: Bool) throws -> Operator {
    let token = token
    let kind: Operator.Kind? =
      switch token.kind {
      case .symbol(let symbol) where !isNegated:
        FetchPredicate.Comparison(rawValue: Self.otherSymbols[symbol] ?? symbol)
          .map { .compare($0) }
      case .word where keyword == "BETWEEN": .between
      case .word where keyword == "IN": .isIn
      case .word: TextOperator(rawValue: keyword ?? "").map { .text($0) }
      default: nil
      }
    guard let kind else {
      throw unexpected(
        isNegated ? "IN or another operator in words" : "an operator such as ==, <=, IN or CONTAINS"
      )
    }
    advance()
    return Operator(kind: kind, options: try options(), token: token)
  }

  private mutating func options() throws -> TextOptions {
    guard skip("[") else { return [] }
    guard case .word(let letters, _) = token.kind else { throw unexpected("[c], [d] or [cd]") }
    var options: TextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw failure("unknown option '\(letter)'; known: [c], [d] and [cd]", at: token)
      }
    }
    advance()
    try expect("]")
    return options
  }
}

extension FetchPredicate {
  /// Whether an object at the end of several to-many relationships matches.
  static func some(_ paths: [PredicatePath], _ predicate: FetchPredicate) -> FetchPredicate {
    paths.reversed().reduce(predicate) { .some($1, $0) }
  }
}
