// The operands that each operator accepts:
//
//   == != < <= > >=    two numbers of any types; two values of another type, such as text or UUIDs;
//                      two objects, for == and != only; nil
//   BETWEEN            as <=, with a list of two values on the right
//   IN                 a list, a to-many key path, or text that is looked for in text
//   CONTAINS           as IN, the other way round
//   other words        text

struct FormatComparison {
  let format: String
  let model: Model
  let operation: FormatParser.Operator

  func predicate(_ left: FormatOperand, _ right: FormatOperand) throws -> FetchPredicate {
    switch operation.kind {
    case .compare(let comparison): return try compare(left, comparison, right)
    case .between: return try between(left, right)
    case .isIn: return try find(left, in: right)
    case .text(.contains):
      // A collection contains its members.
      if case .single = left.content { return try text(left, .contains, right) }
      return try find(right, in: left)
    case .text(let test): return try text(left, test, right)
    }
  }

  private typealias Single = (expression: FetchExpression, kind: FormatOperand.Kind)

  private func single(_ operand: FormatOperand) throws -> Single {
    switch operand.content {
    case .single(let expression, let kind): return (expression, kind)
    case .list: throw failure("a list can only stand after IN or BETWEEN", at: operand.token)
    case .many:
      throw failure(
        "a to-many key path has no single value; use ANY, ALL, NONE or @count", at: operand.token)
    }
  }

  // MARK: Comparisons

  private func compare(
    _ left: FormatOperand, _ comparison: FetchPredicate.Comparison, _ right: FormatOperand
  ) throws -> FetchPredicate {
    let (a, b) = try comparable(left, right)
    if a.kind.isObject || b.kind.isObject, comparison != .equal, comparison != .notEqual {
      throw failure("objects have no order; compare them with ==, != or IN", at: operation.token)
    }
    guard let first = converted(a, like: b.kind), let second = converted(b, like: a.kind) else {
      // A number that the other side's type cannot hold may still be less or greater.
      if case .constant = a.expression {
        return .test(PredicateTest(b.expression, .compare(comparison.mirrored, []), a.expression))
      }
      return .test(PredicateTest(a.expression, .compare(comparison, []), b.expression))
    }
    return .comparing(first, comparison, second, operation.options)
  }

  private func comparable(
    _ left: FormatOperand, _ right: FormatOperand
  ) throws -> (Single, Single) {
    let (a, b) = (try single(left), try single(right))
    guard areComparable(a.kind, b.kind) else {
      throw failure(
        "\(a.kind.description) cannot be compared with \(b.kind.description)", at: right.token)
    }
    if !operation.options.isEmpty { try checkText(left, a.kind, right, b.kind) }
    return (a, b)
  }

  private func areComparable(_ a: FormatOperand.Kind, _ b: FormatOperand.Kind) -> Bool {
    switch (a, b) {
    case (.null, _), (_, .null): return true
    case (.attribute(let a), .attribute(let b)): return a == b || a.isNumber && b.isNumber
    case (.object(let a?), .object(let b?)):
      return model.entities[a].isKind(of: model.entities[b])
        || model.entities[b].isKind(of: model.entities[a])
    case (.object, .object): return true
    default: return false
    }
  }

  /// Converts a constant to the other side's type; nil if that type cannot hold it.
  private func converted(_ single: Single, like kind: FormatOperand.Kind) -> FetchExpression? {
    guard case .constant(let value) = single.expression, case .attribute(let type) = kind else {
      return single.expression
    }
    return value.converted(to: type).map { .constant($0) }
  }

  private func between(_ left: FormatOperand, _ right: FormatOperand) throws -> FetchPredicate {
    guard case .list(let bounds) = right.content, bounds.count == 2 else {
      throw failure("BETWEEN takes a list of two values", at: right.token)
    }
    return .and([
      try compare(left, .greaterOrEqual, bounds[0]), try compare(left, .lessOrEqual, bounds[1]),
    ])
  }

  // MARK: Lists

  private func find(_ left: FormatOperand, in right: FormatOperand) throws -> FetchPredicate {
    switch right.content {
    case .list(let parts): return try find(left, among: parts)
    case .many(let paths, let element, let kind):
      let one = FormatOperand(.single(element, kind), at: right.token)
      return .some(paths, try compare(one, .equal, left.moved(inwards: paths.count)))
    case .single(_, .attribute(.string)), .single(_, .null):
      return try text(right, .contains, left)
    case .single:
      throw failure("IN takes a list, a to-many key path or text", at: right.token)
    }
  }

  private func find(_ left: FormatOperand, among parts: [FormatOperand]) throws -> FetchPredicate {
    let a = try single(left)
    let values = try parts.map { part -> Value? in
      let (_, b) = try comparable(left, part)
      guard case .constant(let value) = b.expression else { return nil }
      guard case .attribute(let type) = a.kind else { return value }
      return value.converted(to: type) ?? value
    }
    let constants = values.compactMap(\.self)
    guard constants.count < values.count else {
      return .looking(a.expression, in: ValueSet(constants), operation.options)
    }
    // A list never contains null.
    return .and([
      .comparing(a.expression, .notEqual, .constant(.null)),
      .or(try parts.map { try compare(left, .equal, $0) }),
    ])
  }

  // MARK: Text

  private func text(
    _ left: FormatOperand, _ test: TextOperator, _ right: FormatOperand
  ) throws -> FetchPredicate {
    let (a, b) = (try single(left), try single(right))
    try checkText(left, a.kind, right, b.kind)
    if test == .matches, case .constant(.string(let source)) = b.expression,
      TextPattern(test, operation.options, source) == nil
    {
      throw failure("'\(source)' is no regular expression", at: right.token)
    }
    return .testing(a.expression, test, operation.options, b.expression)
  }

  private func checkText(
    _ left: FormatOperand, _ a: FormatOperand.Kind, _ right: FormatOperand,
    _ b: FormatOperand.Kind
  ) throws {
    for (operand, kind) in [(left, a), (right, b)] {
      guard kind == .attribute(.string) || kind == .null else {
        let name = operation.options.isEmpty ? "this operator" : "this operator with options"
        throw failure("\(name) compares text, not \(kind.description)", at: operand.token)
      }
    }
  }

  private func failure(_ message: String, at token: FormatToken) -> PredicateFormatError {
    PredicateFormatError(format: format, position: token.start, message: message)
  }
}
