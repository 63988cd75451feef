// A predicate may name an object that was new then and has been saved since. Each context on the
// way to the store replaces its temporary ID by the permanent one:
//
//   child     country == new object      known there by its temporary ID
//   parent    country == row 7           saved: rows and objects name it by its key

extension FetchRequest {
  /// The same predicate with permanent IDs for objects that have been saved since.
  func naming(_ permanentIDs: [ManagedObjectID: ManagedObjectID]) -> FetchRequest {
    guard !permanentIDs.isEmpty, let predicate, predicate.namesNewObject else { return self }
    var request = self
    request.predicate = predicate.naming(permanentIDs)
    return request
  }
}

extension FetchPredicate {
  fileprivate var namesNewObject: Bool {
    switch self {
    case .true, .false: false
    case .compare(_, _, let value): value.isNewObject
    case .isIn(_, let set): set.namesNewObject
    case .test(let test): test.left.namesNewObject || test.right.namesNewObject
    case .some(_, let part), .not(let part): part.namesNewObject
    case .and(let parts), .or(let parts): parts.contains(where: \.namesNewObject)
    }
  }

  fileprivate func naming(_ ids: [ManagedObjectID: ManagedObjectID]) -> FetchPredicate {
    switch self {
    case .true, .false: self
    case .compare(let column, let comparison, let value):
      .compare(column, comparison, value.naming(ids))
    case .isIn(let column, let set): .isIn(column, set.naming(ids))
    case .test(let test):
      .test(PredicateTest(test.left.naming(ids), test.operation, test.right.naming(ids)))
    case .some(let path, let part): .some(path, part.naming(ids))
    case .and(let parts): .and(parts.map { $0.naming(ids) })
    case .or(let parts): .or(parts.map { $0.naming(ids) })
    case .not(let part): .not(part.naming(ids))
    }
  }
}

extension FetchExpression {
  fileprivate var namesNewObject: Bool {
    switch self {
    case .constant(let value): value.isNewObject
    case .values(let set): set.namesNewObject
    case .path: false
    case .count(_, let predicate): predicate.namesNewObject
    }
  }

  fileprivate func naming(_ ids: [ManagedObjectID: ManagedObjectID]) -> FetchExpression {
    switch self {
    case .constant(let value): .constant(value.naming(ids))
    case .values(let set): .values(set.naming(ids))
    case .path: self
    case .count(let path, let predicate): .count(path, predicate.naming(ids))
    }
  }
}

extension ValueSet {
  fileprivate var namesNewObject: Bool {
    // Most lists contain no objects and need no search.
    values.first.map { $0.objectID != nil || $0.isNull } == true
      && values.contains(where: \.isNewObject)
  }

  fileprivate func naming(_ ids: [ManagedObjectID: ManagedObjectID]) -> ValueSet {
    namesNewObject ? ValueSet(values.map { $0.naming(ids) }) : self
  }
}

extension Value {
  fileprivate var isNewObject: Bool { objectID?.isTemporary == true }

  fileprivate func naming(_ ids: [ManagedObjectID: ManagedObjectID]) -> Value {
    objectID.flatMap { ids[$0] }.map(Value.object) ?? self
  }
}
