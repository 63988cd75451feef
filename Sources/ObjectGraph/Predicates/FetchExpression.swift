// A predicate names properties by index, so evaluating it needs no lookup:
//
//   country.name == "Chad"             steps [to-one 3]       column 1     of the object tested
//   SUBQUERY(cities, $c,               steps [to-many 0]      —            of the object tested
//     $c.size > area).@count           column 2 of the city, and column 4 one level further out
//
// `some` and `count` open a level: their inner predicate is about the related object.

/// One side of a comparison.
public indirect enum FetchExpression: Sendable, Equatable {
  case constant(Value)
  /// The list on the right side of an `IN`.
  case values(ValueSet)
  /// The value at the end of a key path; null if a relationship on the way is empty.
  case path(PredicatePath)
  /// The number of objects of a to-many relationship that match.
  case count(PredicatePath, FetchPredicate)
}

/// A path from an object over relationships to a column or to objects.
public struct PredicatePath: Hashable, Sendable {
  /// The number of levels from here out to the object where the path begins; 0 for the tested
  /// object.
  package var level: Int
  package var steps: [RelationshipEnd]
  /// The column at the end; nil for the objects themselves.
  package var column: Int?

  package init(level: Int = 0, _ steps: [RelationshipEnd] = [], column: Int? = nil) {
    self.level = level
    self.steps = steps
    self.column = column
    // A to-one relationship at the end is a column too, which holds the object's ID.
    if column == nil, case .toOne(let last) = steps.last {
      self.steps.removeLast()
      self.column = last
    }
  }

  /// The object tested.
  package static let itself = PredicatePath()

  package var hasToMany: Bool {
    steps.contains { if case .toMany = $0 { true } else { false } }
  }

  /// The same path from `count` levels further in. Paths that begin within `depth` levels stay.
  func moved(inwards levels: Int, beyond depth: Int = 0) -> PredicatePath {
    var path = self
    if level >= depth { path.level += levels }
    return path
  }
}

extension FetchExpression {
  func moved(inwards levels: Int, beyond depth: Int = 0) -> FetchExpression {
    switch self {
    case .constant, .values: self
    case .path(let path): .path(path.moved(inwards: levels, beyond: depth))
    case .count(let path, let predicate):
      .count(
        path.moved(inwards: levels, beyond: depth),
        predicate.moved(inwards: levels, beyond: depth + 1))
    }
  }

  /// A constant folded with these options; nil for an expression that depends on the object.
  package func folded(_ options: TextOptions) -> FetchExpression? {
    switch self {
    case .constant(let value): .constant(value.folded(options))
    case .values(let set): .values(ValueSet(set.values.map { $0.folded(options) }))
    case .path, .count: nil
    }
  }
}

extension FetchPredicate {
  /// The same comparison from some levels further in. A comparison of the object's own column then
  /// tests an outer object.
  func moved(inwards levels: Int, beyond depth: Int = 0) -> FetchPredicate {
    switch self {
    case .true, .false: self
    case .compare(let column, let comparison, let value):
      depth > 0
        ? self
        : .test(
          PredicateTest(
            .path(PredicatePath(level: levels, column: column)), .compare(comparison, []),
            .constant(value)))
    case .isIn(let column, let set):
      depth > 0
        ? self
        : .test(
          PredicateTest(
            .path(PredicatePath(level: levels, column: column)), .isIn([]), .values(set)))
    case .test(let test):
      .test(
        PredicateTest(
          test.left.moved(inwards: levels, beyond: depth), test.operation,
          test.right.moved(inwards: levels, beyond: depth)))
    case .some(let path, let predicate):
      .some(
        path.moved(inwards: levels, beyond: depth),
        predicate.moved(inwards: levels, beyond: depth + 1))
    case .and(let parts): .and(parts.map { $0.moved(inwards: levels, beyond: depth) })
    case .or(let parts): .or(parts.map { $0.moved(inwards: levels, beyond: depth) })
    case .not(let part): .not(part.moved(inwards: levels, beyond: depth))
    }
  }
}
