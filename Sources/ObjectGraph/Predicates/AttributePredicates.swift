/// An attribute, or one at the end of a key path.
public protocol AttributeOperand<V>: Sendable {
  associatedtype V: AttributeValue
  var path: PredicatePath { get }
}

/// An attribute at the end of to-one relationships:
/// `Employee.department.appending(Department.name)`. Null if one of them is empty.
public struct AttributePath<V: AttributeValue>: AttributeOperand {
  public let path: PredicatePath
}

extension AttributeOperand {
  public static func == (a: Self, b: V) -> FetchPredicate { a.compared(.equal, b) }
  public static func != (a: Self, b: V) -> FetchPredicate { a.compared(.notEqual, b) }
  public static func < (a: Self, b: V) -> FetchPredicate { a.compared(.less, b) }
  public static func <= (a: Self, b: V) -> FetchPredicate { a.compared(.lessOrEqual, b) }
  public static func > (a: Self, b: V) -> FetchPredicate { a.compared(.greater, b) }
  public static func >= (a: Self, b: V) -> FetchPredicate { a.compared(.greaterOrEqual, b) }

  private func compared(_ comparison: FetchPredicate.Comparison, _ value: V) -> FetchPredicate {
    .comparing(.path(path), comparison, .constant(value.value))
  }

  /// `attribute IN values`.
  public func isIn(_ values: [V]) -> FetchPredicate {
    .looking(.path(path), in: ValueSet(values.map(\.value)))
  }

  /// `attribute BETWEEN {lower, upper}`, both inclusive.
  public func isBetween(_ range: ClosedRange<V>) -> FetchPredicate where V: Comparable {
    .between(.path(path), .constant(range.lowerBound.value), .constant(range.upperBound.value))
  }

  public func isBetween<W>(_ range: ClosedRange<W>) -> FetchPredicate where V == W? {
    .between(.path(path), .constant(range.lowerBound.value), .constant(range.upperBound.value))
  }

  // MARK: Two attributes

  public static func == (a: Self, b: some AttributeOperand) -> FetchPredicate {
    a.compared(.equal, b)
  }
  public static func != (a: Self, b: some AttributeOperand) -> FetchPredicate {
    a.compared(.notEqual, b)
  }
  public static func < (a: Self, b: some AttributeOperand) -> FetchPredicate {
    a.compared(.less, b)
  }
  public static func <= (a: Self, b: some AttributeOperand) -> FetchPredicate {
    a.compared(.lessOrEqual, b)
  }
  public static func > (a: Self, b: some AttributeOperand) -> FetchPredicate {
    a.compared(.greater, b)
  }
  public static func >= (a: Self, b: some AttributeOperand) -> FetchPredicate {
    a.compared(.greaterOrEqual, b)
  }

  private func compared<O: AttributeOperand>(
    _ comparison: FetchPredicate.Comparison, _ other: O
  ) -> FetchPredicate {
    let (mine, theirs) = (V.attributeType, O.V.attributeType)
    require(
      mine == theirs || mine.isNumber && theirs.isNumber,
      "a \(mine.rawValue) cannot be compared with a \(theirs.rawValue)")
    return .comparing(.path(path), comparison, .path(other.path))
  }
}

// MARK: - Text

/// `String` and `String?`.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension AttributeOperand where V: TextValue {
  /// `attribute ==[cd] text`.
  public func equals(_ text: String, _ options: TextOptions) -> FetchPredicate {
    .comparing(.path(path), .equal, .constant(.string(text)), options)
  }

  /// `attribute IN[cd] texts`.
  public func isIn(_ texts: [String], _ options: TextOptions) -> FetchPredicate {
    .looking(.path(path), in: ValueSet(texts.map(Value.string)), options)
  }

  public func beginsWith(_ text: String, _ options: TextOptions = []) -> FetchPredicate {
    tested(.beginsWith, text, options)
  }

  public func endsWith(_ text: String, _ options: TextOptions = []) -> FetchPredicate {
    tested(.endsWith, text, options)
  }

  public func contains(_ text: String, _ options: TextOptions = []) -> FetchPredicate {
    tested(.contains, text, options)
  }

  /// `*` stands for any characters, `?` for one. `\` makes the next character literal.
  public func like(_ pattern: String, _ options: TextOptions = []) -> FetchPredicate {
    tested(.like, pattern, options)
  }

  /// Whether the whole text matches a regular expression (ICU's).
  ///
  /// - Precondition: the pattern is valid.
  public func matches(_ pattern: String, _ options: TextOptions = []) -> FetchPredicate {
    tested(.matches, pattern, options)
  }

  private func tested(
    _ operation: TextOperator, _ text: String, _ options: TextOptions
  ) -> FetchPredicate {
    .testing(.path(path), operation, options, .constant(.string(text)))
  }
}

extension FetchPredicate {
  public static func && (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate { .and([a, b]) }
  public static func || (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate { .or([a, b]) }
  public static prefix func ! (a: FetchPredicate) -> FetchPredicate { .not(a) }
}

// MARK: - Order

extension AttributeOperand {
  public var ascending: SortTerm { SortTerm(path, isAscending: true) }
  public var descending: SortTerm { SortTerm(path, isAscending: false) }
}

extension AttributeOperand where V: TextValue {
  /// Sorts by the text folded with the options.
  public func ascending(_ options: TextOptions) -> SortTerm {
    SortTerm(path, isAscending: true, options: options)
  }

  public func descending(_ options: TextOptions) -> SortTerm {
    SortTerm(path, isAscending: false, options: options)
  }
}
