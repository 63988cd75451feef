import ObjectGraph

// If either side can be null, `IS` and `IS NOT` replace `=` and `<>`. A negation applies to the
// whole comparison: `(a < b) IS NOT TRUE`.

extension PredicateSQL {
  mutating func add(_ test: PredicateTest, isNegated: Bool) {
    switch test.operation {
    case .compare(let comparison, let options):
      addComparison(test, comparison, options, isNegated: isNegated)
    case .isIn(let options): addList(test, options, isNegated: isNegated)
    case .text(let operation, let options):
      guard !isNegated, operation == .beginsWith, options.isEmpty, addRange(test) else {
        return addText(test, operation, options, isNegated: isNegated)
      }
    }
  }

  private mutating func emit(_ expression: FetchExpression) {
    switch expression {
    case .constant(let value): emit(value)
    case .path(let path): emit(path)
    case .count(let path, let predicate):
      emit("(SELECT count(*)")
      addObjects(of: path, matching: predicate)
      emit(")")
    case .values: fatalError("a list can only be the right side of IN")
    }
  }

  private mutating func emit(_ expression: FetchExpression, _ options: TextOptions) {
    if let folded = expression.folded(options) {
      emit(folded)
    } else if options.isEmpty {
      emit(expression)
    } else {
      emit("\(TextFunctions.foldFunction)(")
      emit(expression)
      emit(", \(options.rawValue))")
    }
  }

  /// Nil for a constant.
  private func kind(of expression: FetchExpression) -> ValueKind? {
    switch expression {
    case .path(let path): kind(of: path)
    case .count: .attribute(.int64)
    case .constant, .values: nil
    }
  }

  // MARK: Comparisons

  private mutating func addComparison(
    _ test: PredicateTest, _ comparison: FetchPredicate.Comparison, _ options: TextOptions,
    isNegated: Bool
  ) {
    if case .constant(let value) = test.right,
      let special = special(comparison, value, with: kind(of: test.left), isNegated: isNegated)
    {
      return add(special, of: test.left)
    }
    let isOrdered = comparison != .equal && comparison != .notEqual
    let isEqual = (comparison == .equal) != isNegated
    emit(isOrdered && isNegated ? "((" : "(")
    emit(test.left, options)
    if isOrdered {
      emit(" \(comparison.sql) ")
    } else if case .constant = test.right, isEqual {
      // An index can find a constant that is not null.
      emit(" = ")
    } else {
      emit(isEqual ? " IS " : " IS NOT ")
    }
    emit(test.right, options)
    emit(isOrdered && isNegated ? ") IS NOT TRUE)" : ")")
  }

  private mutating func add(_ special: SpecialComparison, of expression: FetchExpression) {
    switch special {
    case .constant(let result): emit(.constant(result))
    case .isNull(let isNull):
      emit("(")
      emit(expression)
      emit(isNull ? " IS NULL)" : " IS NOT NULL)")
    }
  }

  // MARK: Lists

  private mutating func addList(_ test: PredicateTest, _ options: TextOptions, isNegated: Bool) {
    guard case .values(let set)? = test.right.folded(options), let kind = kind(of: test.left)
    else { fatalError("IN takes a list of constants") }
    let list = storable(set, as: kind)
    guard !list.isEmpty else { return emit(.constant(isNegated)) }
    if let count = boundCount(list) {
      emit(isNegated ? "((" : "(")
      emit(test.left, options)
      emit(" IN (\(placeholders(count)))" + (isNegated ? ") IS NOT TRUE)" : ")"))
      parameters.append(list, paddedTo: count)
    } else {
      emit((isNegated ? "NOT " : "") + "\(ValueSetArgument.function)(")
      emit(test.left, options)
      emit(", ")
      emit(ValueSetArgument(list, of: set, as: kind))
      emit(")")
    }
  }

  // MARK: Text

  /// Text that begins with a constant lies in a range of values, which an index finds.
  private mutating func addRange(_ test: PredicateTest) -> Bool {
    guard case .path(let path) = test.left, let column = plainColumn(path),
      case .constant(.string(let prefix)) = test.right, !prefix.isEmpty
    else { return false }
    emit("(\(column) >= ")
    emit(.string(prefix))
    if let end = prefix.endOfRange {
      emit(" AND \(column) < ")
      emit(.string(end))
    }
    emit(")")
    return true
  }

  private mutating func addText(
    _ test: PredicateTest, _ operation: TextOperator, _ options: TextOptions, isNegated: Bool
  ) {
    if isNegated { emit("NOT ") }
    if case .pattern(let pattern) = test.prepared {
      emit("\(TextFunctions.matches)(")
      emit(test.left)
      emit(", ")
      emit(pattern)
    } else {
      emit("\(TextFunctions.compares)(")
      emit(test.left)
      emit(", ")
      emit(test.right)
      emit(", \(TextFunctions.code(operation, options))")
    }
    emit(")")
  }
}

extension String {
  /// The smallest text that sorts after every text with this prefix. UTF-8 sorts in the order of
  /// characters.
  fileprivate var endOfRange: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      return String(String.UnicodeScalarView(scalars + [scalar]))
    }
    return nil
  }
}
