public import Queues

/// A condition on the objects of one entity. Properties are named by index.
///
/// SQL and contexts evaluate it with the same result. Logic is two-valued: null equals null and
/// differs from everything else, and other comparisons with null are false. Make it from typed keys
/// (`City.name == "Ulm"`) or a format string (`FetchPredicate(format:…)`).
///
/// Example: `Snippets/fetch-with-a-predicate.swift`.
public indirect enum FetchPredicate: Sendable, Equatable {
  case `true`
  case `false`
  /// Compares a column with a constant of its type, or null.
  case compare(Int, Comparison, Value)
  /// Whether the column's value is in the list. Null is in no list.
  case isIn(Int, ValueSet)
  /// Any other comparison.
  case test(PredicateTest)
  /// Whether an object at the end of a to-many key path matches.
  case some(PredicatePath, FetchPredicate)
  case and([FetchPredicate])
  case or([FetchPredicate])
  case not(FetchPredicate)

  public enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }
}

/// How a test compares its two sides.
public enum PredicateOperator: Hashable, Sendable {
  /// With options, both sides are text and are folded first.
  case compare(FetchPredicate.Comparison, TextOptions)
  /// The right side is `.values`.
  case isIn(TextOptions)
  /// Both sides are text.
  case text(TextOperator, TextOptions)
}

/// A comparison other than that of a column with a constant.
public struct PredicateTest: Sendable, Equatable {
  public let left: FetchExpression
  public let operation: PredicateOperator
  public let right: FetchExpression
  /// The right side, prepared once if it does not depend on the tested object.
  package let prepared: Prepared

  package enum Prepared: Sendable {
    case nothing
    case pattern(TextPattern)
    case folded(FetchExpression)
  }

  /// - Precondition: a constant right side of `MATCHES` is a regular expression.
  package init(_ left: FetchExpression, _ operation: PredicateOperator, _ right: FetchExpression) {
    self.left = left
    self.operation = operation
    self.right = right
    switch (operation, right) {
    case (.text(let test, let options), .constant(.string(let text))):
      guard let pattern = TextPattern(test, options, text) else {
        fatalError("'\(text)' is no regular expression")
      }
      prepared = .pattern(pattern)
    case (.compare(_, let options), _) where !options.isEmpty,
      (.isIn(let options), _) where !options.isEmpty:
      prepared = right.folded(options).map(Prepared.folded) ?? .nothing
    default: prepared = .nothing
    }
  }

  public static func == (a: PredicateTest, b: PredicateTest) -> Bool {
    a.left == b.left && a.operation == b.operation && a.right == b.right
  }
}

/// The right side of an `IN`. Its first evaluation in memory hashes it; a fetch in SQLite does not.
public struct ValueSet: Sendable, Equatable {
  public let values: [Value]
  @usableFromInline let members = Lock<Set<Value>?>(nil)

  public init(_ values: [Value]) {
    self.values = values
  }

  /// Whether the value is in the list. Inlined, because ObjectGraph calls it for every object.
  @inlinable @inline(__always) public func contains(_ value: Value) -> Bool {
    members.withLock { members in
      let set = members ?? Set(values)
      if members == nil { members = set }
      return set.contains(value)
    }
  }

  public static func == (a: ValueSet, b: ValueSet) -> Bool { a.values == b.values }
}
