import Foundation
import ObjectGraph

// From a predicate to a WHERE clause that gives the same answer as `FetchPredicate.matches`.
//
// SQL is three-valued (a comparison with NULL is NULL, and so is its NOT), predicates are
// two-valued. So NOT never reaches SQL: it is pushed down to the comparisons, where it turns into
// the opposite comparison *or null*. What is left is made of AND and OR only, for which NULL is as
// good as false, and `=` stays a plain `=` that can use an index:
//
//   NOT (name = 'Ulm' AND population < 100)
//     →  name IS NOT 'Ulm' OR (population >= 100 OR population IS NULL)
//
// The clause is made in two steps. The first makes tokens, which are the statement's shape, and
// the values to bind; the second, needed only if no statement of this shape is prepared yet, makes
// the text.

/// A piece of a WHERE clause, without its values.
enum PredicateToken: Hashable {
  case open, close, and, or
  case constant(Bool)
  case compare(Int, SQLComparison, orNull: Bool)
  case isNull(Int, Bool)
  /// With so many parameters.
  case isIn(Int, count: Int, isNegated: Bool)
  /// By `ValueSetFunction`, with one parameter.
  case isInSet(Int, isNegated: Bool)
}

enum SQLComparison: String {
  case equal = "="
  /// Also true of null.
  case isNot = "IS NOT"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// The tokens of a predicate, and what is bound to its parameters.
struct PredicateSQL {
  /// Lists up to this length are bound one by one, so that an index serves them. A longer one is
  /// handed over whole, and every row is looked up in it.
  static let longestBoundList = 4096
  /// SQLite binds no more than 32766 parameters to one statement.
  private static let mostParameters = 32_000

  private(set) var tokens: [PredicateToken] = []
  private(set) var values: [Value] = []
  /// By the place of their parameter in `values`, which holds null there.
  private(set) var sets: [(index: Int, argument: ValueSetArgument)] = []
  private let types: ContiguousArray<AttributeType?>

  init(_ predicate: FetchPredicate?, types: ContiguousArray<AttributeType?>) {
    self.types = types
    if let predicate, predicate != .true { add(predicate, isNegated: false) }
  }

  private mutating func add(_ predicate: FetchPredicate, isNegated: Bool) {
    switch predicate {
    case .true: tokens.append(.constant(!isNegated))
    case .false: tokens.append(.constant(isNegated))
    case .not(let part): add(part, isNegated: !isNegated)
    case .and(let parts):
      add(parts[...], joinedBy: isNegated ? .or : .and, isNegated: isNegated)
    case .or(let parts):
      add(parts[...], joinedBy: isNegated ? .and : .or, isNegated: isNegated)
    case .compare(let index, let comparison, let value):
      add(index, isNegated ? comparison.opposite : comparison, value, isNegated: isNegated)
    case .isIn(let index, let set): add(index, in: set, isNegated: isNegated)
    }
  }

  /// In halves, because SQLite allows an expression a depth of 1000 only.
  private mutating func add(
    _ parts: ArraySlice<FetchPredicate>, joinedBy junction: PredicateToken, isNegated: Bool
  ) {
    switch parts.count {
    case 0: tokens.append(.constant(junction == .and))
    case 1: add(parts.first!, isNegated: isNegated)
    default:
      let middle = parts.startIndex + parts.count / 2
      tokens.append(.open)
      add(parts[..<middle], joinedBy: junction, isNegated: isNegated)
      tokens.append(junction)
      add(parts[middle...], joinedBy: junction, isNegated: isNegated)
      tokens.append(.close)
    }
  }

  /// - Parameter comparison: what must hold; already the opposite one if `isNegated`, which then
  ///   says only that null takes part.
  private mutating func add(
    _ index: Int, _ comparison: FetchPredicate.Comparison, _ value: Value, isNegated: Bool
  ) {
    switch comparison {
    case .equal where value.isNull: tokens.append(.isNull(index, true))
    case .notEqual where value.isNull: tokens.append(.isNull(index, false))
    case _ where value.isNull: tokens.append(.constant(isNegated))
    case _ where value.objectID?.isTemporary == true:
      // No row names an object that was never saved.
      tokens.append(.constant(comparison == .notEqual))
    case _ where value.isNotANumber: addNotANumber(index, comparison, isNegated: isNegated)
    default:
      precondition(
        value.type == types[index],
        "compared a \(types[index]?.rawValue ?? "relationship") with \(value)")
      let orNull = isNegated && comparison != .equal && comparison != .notEqual
      tokens.append(.compare(index, comparison.sql, orNull: orNull))
      values.append(value)
    }
  }

  /// SQLite has no NaN. `Value.order` puts every number after it.
  private mutating func addNotANumber(
    _ index: Int, _ comparison: FetchPredicate.Comparison, isNegated: Bool
  ) {
    switch comparison {
    case .equal: tokens.append(.constant(false))
    case .notEqual: tokens.append(.constant(true))
    case .greater, .greaterOrEqual:
      tokens.append(isNegated ? .constant(true) : .isNull(index, false))
    case .less, .lessOrEqual:
      tokens.append(isNegated ? .isNull(index, true) : .constant(false))
    }
  }

  private mutating func add(_ index: Int, in set: ValueSet, isNegated: Bool) {
    let type = types[index]
    // Null and values of another type are in no list; SQL would take null for "unknown".
    let list =
      set.values.allSatisfy { $0.isStorable(as: type) }
      ? set.values : set.values.filter { $0.isStorable(as: type) }
    let count = paddedCount(list.count)
    if list.isEmpty {
      tokens.append(.constant(isNegated))
    } else if list.count > Self.longestBoundList || values.count + count > Self.mostParameters {
      tokens.append(.isInSet(index, isNegated: isNegated))
      // Rows name others by their keys.
      let argument =
        type.map { ValueSetArgument(set, type: $0) }
        ?? ValueSetArgument(ValueSet(list.compactMap(\.key)), type: .int64)
      sets.append((values.count, argument))
      values.append(.null)
    } else {
      tokens.append(.isIn(index, count: count, isNegated: isNegated))
      values.append(contentsOf: list)
      values.append(contentsOf: repeatElement(list[list.count - 1], count: count - list.count))
    }
  }
}

/// The next of eight lengths an octave, so that lists of similar length share a statement; the
/// rest is filled with the last value again.
func paddedCount(_ count: Int) -> Int {
  guard count > 8 else { return count }
  let step = 1 << ((count - 1).bitWidth - (count - 1).leadingZeroBitCount - 4)
  return (count + step - 1) / step * step
}

extension Value {
  /// Whether a column of this type can hold it; a relationship's if that is nil. Null is no value.
  fileprivate func isStorable(as type: AttributeType?) -> Bool {
    self.type == type && !isNull && !isNotANumber && objectID?.isTemporary != true
  }

  fileprivate var key: Value? { objectID.map { .int64($0.primaryKey) } }

  var isNotANumber: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension FetchPredicate.Comparison {
  fileprivate var opposite: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }

  fileprivate var sql: SQLComparison {
    switch self {
    case .equal: .equal
    case .notEqual: .isNot
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }
}
