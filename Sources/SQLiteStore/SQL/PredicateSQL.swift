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
  /// Anything else, as it stands in the statement: comparisons over relationships and of text.
  case text(String)
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

/// What stands behind a parameter that SQLite passes through to a function.
enum PointerArgument {
  case values(ValueSetArgument)
  case pattern(TextPattern)
}

/// The tokens of a predicate, and what is bound to its parameters.
struct PredicateSQL {
  /// Lists up to this length are bound one by one, so that an index serves them. A longer one is
  /// handed over whole, and every row is looked up in it.
  static let longestBoundList = 4096
  /// SQLite binds no more than 32766 parameters to one statement.
  static let mostParameters = 32_000

  /// The row that a level of the predicate is of.
  struct Level {
    let table: EntityTable
    let resolved: ResolvedEntity
    /// What the row is called in the statement.
    let alias: String
  }

  private(set) var tokens: [PredicateToken] = []
  var values: [Value] = []
  /// By the place of their parameter in `values`, which holds null there.
  private(set) var pointers: [(index: Int, argument: PointerArgument)] = []
  let schema: Schema
  private(set) var level: Level
  /// Those around it, the outermost first.
  private var outer: [Level] = []
  private var aliases = 0

  init(_ predicate: FetchPredicate?, entityIndex: Int, in schema: Schema) {
    self.schema = schema
    self.level = Level(
      table: schema.tables[entityIndex], resolved: schema.model.resolved[entityIndex],
      alias: QueryShape.alias)
    if let predicate, predicate != .true { add(predicate, isNegated: false) }
  }

  /// The level that a path begins at.
  func origin(of path: PredicatePath) -> Level {
    path.level == 0 ? level : outer[outer.count - path.level]
  }

  mutating func add(_ predicate: FetchPredicate, isNegated: Bool) {
    switch predicate {
    case .true: emit(.constant(!isNegated))
    case .false: emit(.constant(isNegated))
    case .not(let part): add(part, isNegated: !isNegated)
    case .and:
      add(predicate.conjuncts[...], joinedBy: isNegated ? .or : .and, isNegated: isNegated)
    case .or:
      add(predicate.disjuncts[...], joinedBy: isNegated ? .and : .or, isNegated: isNegated)
    case .compare(let index, let comparison, let value):
      add(index, isNegated ? comparison.opposite : comparison, value, isNegated: isNegated)
    case .isIn(let index, let set): add(index, in: set, isNegated: isNegated)
    case .test(let test): add(test, isNegated: isNegated)
    case .some(let path, let part):
      emit(isNegated ? "NOT EXISTS (SELECT 1" : "EXISTS (SELECT 1")
      addObjects(of: path, matching: part)
      emit(")")
    }
  }

  // MARK: Pieces

  /// Columns inside a sub-select are named with their row.
  mutating func emit(_ token: PredicateToken) {
    guard !outer.isEmpty else { return tokens.append(token) }
    let level = level
    tokens.append(.text(token.sql { level.alias + "." + level.table.quotedColumn($0) }))
  }

  mutating func emit(_ text: String) { tokens.append(.text(text)) }

  /// A parameter.
  mutating func emit(_ value: Value) {
    emit("?")
    values.append(value)
  }

  mutating func emit(_ argument: PointerArgument) {
    emit("?")
    addPointer(argument)
  }

  mutating func addPointer(_ argument: PointerArgument) {
    pointers.append((values.count, argument))
    values.append(.null)
  }

  mutating func nextAlias() -> String {
    aliases += 1
    return "t\(aliases)"
  }

  /// Adds a predicate of the rows of another table.
  mutating func add(_ predicate: FetchPredicate, of inner: Level) {
    outer.append(level)
    level = inner
    add(predicate, isNegated: false)
    level = outer.removeLast()
  }

  /// In halves, because SQLite allows an expression a depth of 1000 only.
  private mutating func add(
    _ parts: ArraySlice<FetchPredicate>, joinedBy junction: PredicateToken, isNegated: Bool
  ) {
    switch parts.count {
    case 0: emit(.constant(junction == .and))
    case 1: add(parts.first!, isNegated: isNegated)
    default:
      let middle = parts.startIndex + parts.count / 2
      emit(.open)
      add(parts[..<middle], joinedBy: junction, isNegated: isNegated)
      emit(junction)
      add(parts[middle...], joinedBy: junction, isNegated: isNegated)
      emit(.close)
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
  var isNotANumber: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension FetchPredicate.Comparison {
  var sql: SQLComparison {
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

extension FetchPredicate {
  /// The parts of an AND, and of those among them: `a && b && c` nests, which SQL's parser cannot do
  /// as deeply.
  fileprivate var conjuncts: [FetchPredicate] {
    guard case .and(let parts) = self else { return [self] }
    guard parts.contains(where: { if case .and = $0 { true } else { false } }) else { return parts }
    return parts.flatMap(\.conjuncts)
  }

  fileprivate var disjuncts: [FetchPredicate] {
    guard case .or(let parts) = self else { return [self] }
    guard parts.contains(where: { if case .or = $0 { true } else { false } }) else { return parts }
    return parts.flatMap(\.disjuncts)
  }
}
