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
  /// The list of an `IN`.
  case values(ValueSet)
  /// The value at the end of a key path; null if a relationship on the way is empty.
  case path(PredicatePath)
  /// The number of matching objects of a to-many relationship.
  case count(PredicatePath, FetchPredicate)
}

/// A path from an object over relationships to a column or to objects.
public struct PredicatePath: Hashable, Sendable {
  /// How many levels further out the path begins; 0 for the tested object.
  package var level: Int
  package var steps: [RelationshipEnd]
  /// Nil for the objects themselves.
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

  package static let itself = PredicatePath()

  package var ownColumn: Int? { level == 0 && steps.isEmpty ? column : nil }

  /// Includes the to-one relationship that a column at the end stands for.
  package var allSteps: [RelationshipEnd] {
    steps + (column.map { [.toOne(column: $0)] } ?? [])
  }

  package func following(column: Int) -> PredicatePath {
    PredicatePath(level: level, allSteps, column: column)
  }

  package func following(toMany index: Int) -> PredicatePath {
    PredicatePath(level: level, allSteps + [.toMany(index)])
  }
}

extension FetchExpression {
  /// Folds the expression's text; nil if it depends on the tested object.
  package func folded(_ options: TextOptions) -> FetchExpression? {
    switch self {
    case .constant(let value): .constant(value.folded(options))
    case .values(let set): .values(ValueSet(set.values.map { $0.folded(options) }))
    case .path, .count: nil
    }
  }
}
