extension FetchPredicate {
  init(_ path: PredicatePath, _ comparison: Comparison, _ value: Value) {
    self =
      if let column = path.ownColumn {
        .compare(column, comparison, value)
      } else {
        .test(PredicateTest(.path(path), .compare(comparison, []), .constant(value)))
      }
  }

  init(_ path: PredicatePath, in set: ValueSet) {
    self =
      if let column = path.ownColumn {
        .isIn(column, set)
      } else {
        .test(PredicateTest(.path(path), .isIn([]), .values(set)))
      }
  }

  /// Simplifies: decides a comparison of constants now, and replaces a count by a test for any
  /// object.
  ///
  /// - Precondition: a constant is null or of the type of the column that it is compared with.
  package static func comparing(
    _ left: FetchExpression, _ comparison: Comparison, _ right: FetchExpression,
    _ options: TextOptions = []
  ) -> FetchPredicate {
    let test = PredicateTest(left, .compare(comparison, options), right)
    switch (left, right) {
    case (.constant, .constant): return test.matchesAlways ? .true : .false
    case (.constant, _): return comparing(right, comparison.mirrored, left, options)
    case (.path(let path), .constant(let value)) where options.isEmpty:
      return FetchPredicate(path, comparison, value)
    case (.count(let path, let predicate), .constant(.int64(let count))):
      guard let isSome = comparison.asksForAny(than: count) else { return .test(test) }
      return isSome ? .some(path, predicate) : .not(.some(path, predicate))
    default: return .test(test)
    }
  }

  package static func looking(
    _ left: FetchExpression, in set: ValueSet, _ options: TextOptions = []
  ) -> FetchPredicate {
    let test = PredicateTest(left, .isIn(options), .values(set))
    if case .constant = left { return test.matchesAlways ? .true : .false }
    guard case .path(let path) = left, options.isEmpty else { return .test(test) }
    return FetchPredicate(path, in: set)
  }

  package static func between(
    _ left: FetchExpression, _ lower: FetchExpression, _ upper: FetchExpression
  ) -> FetchPredicate {
    .and([comparing(left, .greaterOrEqual, lower), comparing(left, .lessOrEqual, upper)])
  }

  package static func testing(
    _ left: FetchExpression, _ operation: TextOperator, _ options: TextOptions,
    _ right: FetchExpression
  ) -> FetchPredicate {
    let test = PredicateTest(left, .text(operation, options), right)
    if case (.constant, .constant) = (left, right) { return test.matchesAlways ? .true : .false }
    return .test(test)
  }
}

extension FetchPredicate.Comparison {
  /// True if the comparison only asks for any objects, false if only for none; otherwise nil.
  fileprivate func asksForAny(than count: Int64) -> Bool? {
    switch (self, count) {
    case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): true
    case (.equal, 0), (.less, 1), (.lessOrEqual, 0): false
    default: nil
    }
  }
}
