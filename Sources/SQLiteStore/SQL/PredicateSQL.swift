import Foundation
import ObjectGraph

// Turns a predicate into a WHERE clause with the result of `FetchPredicate.matches`.
//
// In SQL, a comparison with NULL is NULL, and so is its NOT. So NOT never reaches SQL: it moves
// down to the comparisons, and turns each into the opposite *or null*. For the remaining AND and
// OR, NULL counts as false. `=` can use an index:
//
//   NOT (name = 'Ulm' AND population < 100)
//     →  name IS NOT 'Ulm' OR (population >= 100 OR population IS NULL)
//
// The first step makes tokens and parameters. The second step makes the text, if no statement with
// these tokens is prepared yet.

enum PredicateToken: Hashable {
  case open, close, and, or
  case constant(Bool)
  case compare(Int, FetchPredicate.Comparison, orNull: Bool)
  case isNull(Int, Bool)
  case isIn(Int, count: Int, isNegated: Bool)
  /// By a `ValueSetArgument`.
  case isInSet(Int, isNegated: Bool)
  /// SQL of comparisons over relationships and of text.
  case text(String)
}

struct PredicateSQL {
  /// A longer list is not bound value by value, so no index finds its values.
  static let longestBoundList = 4096
  /// SQLite binds at most 32766 parameters to a statement.
  static let mostParameters = 32_000

  struct Level {
    let table: EntityTable
    let resolved: ResolvedEntity
    let alias: String
  }

  private(set) var tokens: [PredicateToken] = []
  var parameters = Parameters()
  let schema: Schema
  private(set) var level: Level
  /// Outermost first.
  private var outer: [Level] = []
  private var aliases = 0

  init(_ predicate: FetchPredicate?, entityIndex: Int, in schema: Schema) {
    self.schema = schema
    self.level = Level(
      table: schema.tables[entityIndex], resolved: schema.model.resolved[entityIndex],
      alias: QueryShape.alias)
    if let predicate, predicate != .true { add(predicate, isNegated: false) }
  }

  func origin(of path: PredicatePath) -> Level {
    path.level == 0 ? level : outer[outer.count - path.level]
  }

  mutating func add(_ predicate: FetchPredicate, isNegated: Bool) {
    switch predicate {
    case .true: emit(.constant(!isNegated))
    case .false: emit(.constant(isNegated))
    case .not(let part): add(part, isNegated: !isNegated)
    case .and:
      let parts = predicate.flattened { if case .and(let parts) = $0 { parts } else { nil } }
      add(parts[...], joinedBy: isNegated ? .or : .and, isNegated: isNegated)
    case .or:
      let parts = predicate.flattened { if case .or(let parts) = $0 { parts } else { nil } }
      add(parts[...], joinedBy: isNegated ? .and : .or, isNegated: isNegated)
    case .compare(let index, let comparison, let value):
      add(index, comparison, value, isNegated: isNegated)
    case .isIn(let index, let set): add(index, in: set, isNegated: isNegated)
    case .test(let test): add(test, isNegated: isNegated)
    case .some(let path, let part):
      emit(isNegated ? "NOT EXISTS (SELECT 1" : "EXISTS (SELECT 1")
      addObjects(of: path, matching: part)
      emit(")")
    }
  }

  // MARK: Pieces

  /// Columns inside a sub-select carry their table's alias.
  mutating func emit(_ token: PredicateToken) {
    guard !outer.isEmpty else { return tokens.append(token) }
    let level = level
    tokens.append(.text(token.sql { level.alias + "." + level.table.quotedColumn($0) }))
  }

  mutating func emit(_ text: String) { tokens.append(.text(text)) }

  mutating func emit(_ value: Value) {
    emit("?")
    parameters.append(value)
  }

  mutating func emit(_ object: AnyObject) {
    emit("?")
    parameters.append(object)
  }

  mutating func nextAlias() -> String {
    aliases += 1
    return "t\(aliases)"
  }

  mutating func add(_ predicate: FetchPredicate, of inner: Level) {
    outer.append(level)
    level = inner
    add(predicate, isNegated: false)
    level = outer.removeLast()
  }

  /// Joins the parts by halves, because SQLite limits the depth of an expression to 1000.
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

extension Value {
  var isNotANumber: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .decimal(let value): value.number.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension FetchPredicate.Comparison {
  var sql: String {
    switch self {
    case .equal: "="
    // Unlike `<>`, also true for null.
    case .notEqual: "IS NOT"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
    }
  }
}

extension FetchPredicate {
  /// The nested parts in one list: a long `a && b && …` nests deeper than SQLite's parser allows.
  fileprivate func flattened(_ parts: (FetchPredicate) -> [FetchPredicate]?) -> [FetchPredicate] {
    guard let own = parts(self) else { return [self] }
    guard own.contains(where: { parts($0) != nil }) else { return own }
    return own.flatMap { $0.flattened(parts) }
  }
}
