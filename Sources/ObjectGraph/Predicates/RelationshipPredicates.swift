// Key paths of typed keys, and the tests at their ends:
//
//   Employee.department.appending(Department.name) == "Research"
//   Country.cities.any(City.size > 1_000_000)         ANY cities.size > 1000000
//   Country.cities.all(City.size > 1000)              ALL cities.size > 1000
//   Country.cities.count > 3                          cities.@count > 3
//   Country.cities.count(where: City.size > 9) == 2   SUBQUERY(cities, $x, $x.size > 9).@count == 2

/// A to-one relationship, alone or at the end of a key path.
public protocol ToOneOperand: Sendable {
  var path: PredicatePath { get }
}

extension ToOneKey: ToOneOperand {
  public var path: PredicatePath { PredicatePath([.toOne(column: index)]) }
}

/// A to-one relationship at the end of a key path. Null if a relationship before it is null.
public struct ToOnePath: ToOneOperand {
  public let path: PredicatePath
}

extension ToOneOperand {
  public func appending<V>(_ key: AttributeKey<V>) -> AttributePath<V> {
    AttributePath(path: path.following(column: key.index))
  }

  public func appending(_ key: ToOneKey) -> ToOnePath {
    ToOnePath(path: path.following(column: key.index))
  }

  public func appending(_ key: ToManyKey) -> ToManyPath {
    ToManyPath(path: path.following(toMany: key.index))
  }

  /// With nil, tests whether the relationship is null. The ID of an unsaved object matches only in
  /// its own context, and no row of the store.
  public static func == (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparing(.path(a.path), .equal, .constant(b.map(Value.object) ?? .null))
  }
  public static func != (a: Self, b: ManagedObjectID?) -> FetchPredicate {
    .comparing(.path(a.path), .notEqual, .constant(b.map(Value.object) ?? .null))
  }
  public static func == (a: Self, b: ManagedObject) -> FetchPredicate { a == b.objectID }
  public static func != (a: Self, b: ManagedObject) -> FetchPredicate { a != b.objectID }

  public func isIn(_ objects: [ManagedObjectID]) -> FetchPredicate {
    .looking(.path(path), in: ValueSet(objects.map(Value.object)))
  }
}

/// A to-many relationship, alone or at the end of a key path.
public protocol ToManyOperand: Sendable {
  var path: PredicatePath { get }
}

extension ToManyKey: ToManyOperand {
  public var path: PredicatePath { PredicatePath([.toMany(index)]) }
}

/// A to-many relationship at the end of to-one relationships. Empty if one of them is null.
public struct ToManyPath: ToManyOperand {
  public let path: PredicatePath
}

extension ToManyOperand {
  /// Whether an object matches; false if there are none.
  public func any(_ predicate: FetchPredicate) -> FetchPredicate { .some(path, predicate) }
  /// Whether all objects match; true if there are none.
  public func all(_ predicate: FetchPredicate) -> FetchPredicate {
    .not(.some(path, .not(predicate)))
  }
  /// Whether no object matches; true if there are none.
  public func none(_ predicate: FetchPredicate) -> FetchPredicate { .not(.some(path, predicate)) }

  /// Whether the object with this ID is a member.
  public func contains(_ object: ManagedObjectID) -> FetchPredicate {
    .some(path, .isSelf(object))
  }

  public var count: PredicateCount { count(where: .true) }
  public func count(where predicate: FetchPredicate) -> PredicateCount {
    PredicateCount(expression: .count(path, predicate))
  }
}

public struct PredicateCount: Sendable {
  let expression: FetchExpression

  public static func == (a: Self, b: Int) -> FetchPredicate { a.compared(.equal, b) }
  public static func != (a: Self, b: Int) -> FetchPredicate { a.compared(.notEqual, b) }
  public static func < (a: Self, b: Int) -> FetchPredicate { a.compared(.less, b) }
  public static func <= (a: Self, b: Int) -> FetchPredicate { a.compared(.lessOrEqual, b) }
  public static func > (a: Self, b: Int) -> FetchPredicate { a.compared(.greater, b) }
  public static func >= (a: Self, b: Int) -> FetchPredicate { a.compared(.greaterOrEqual, b) }

  private func compared(_ comparison: FetchPredicate.Comparison, _ count: Int) -> FetchPredicate {
    .comparing(expression, comparison, .constant(.int64(Int64(count))))
  }
}

extension FetchPredicate {
  /// `SELF == object`.
  public static func isSelf(_ object: ManagedObjectID) -> FetchPredicate {
    .comparing(.path(.itself), .equal, .constant(.object(object)))
  }

  /// `SELF IN objects`.
  public static func isSelf(in objects: [ManagedObjectID]) -> FetchPredicate {
    .looking(.path(.itself), in: ValueSet(objects.map(Value.object)))
  }
}

extension PredicatePath {
  /// One relationship further, for prefetching: `Country.cities.path.appending(City.tags)`.
  public func appending(_ key: ToOneKey) -> PredicatePath { following(column: key.index) }
  public func appending(_ key: ToManyKey) -> PredicatePath { following(toMany: key.index) }
}
