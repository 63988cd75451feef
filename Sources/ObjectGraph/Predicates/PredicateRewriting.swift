// A predicate is rewritten for three reasons. A new object may have been saved since, so each
// context on the way to the store replaces its temporary ID. The key of another store's object
// means another row here, so the ID is replaced by one without a row. And the format parser moves
// comparisons into a `some`, whose paths begin at the inner object.

struct PredicateRewriting {
  /// The replacement ID; nil to keep an ID.
  var replacement: (ManagedObjectID) -> ManagedObjectID? = { _ in nil }
  /// Rewrites a path that is the given number of levels inside the predicate.
  var path: (PredicatePath, Int) -> PredicatePath = { path, _ in path }

  /// Moves paths that begin at the tested object or further out.
  static func moving(inwards levels: Int) -> PredicateRewriting {
    PredicateRewriting(path: { path, level in
      var moved = path
      if path.level >= level { moved.level += levels }
      return moved
    })
  }

  static func naming(_ ids: [ManagedObjectID: ManagedObjectID]) -> PredicateRewriting {
    PredicateRewriting(replacement: { $0.isTemporary ? ids[$0] : nil })
  }

  /// Replaces the IDs of another store's objects by IDs that no row has.
  fileprivate static func limiting(toStore store: Int32) -> PredicateRewriting {
    PredicateRewriting(replacement: {
      $0.isOf(store: store) ? nil : .temporary(store: store, entityIndex: $0.entityIndex)
    })
  }

  func value(_ value: Value) -> Value {
    value.objectID.flatMap(replacement).map(Value.object) ?? value
  }

  fileprivate func values(_ set: ValueSet) -> ValueSet {
    set.namesObject { replacement($0) != nil } ? ValueSet(set.values.map(value)) : set
  }
}

extension FetchRequest {
  package func limited(toStore store: Int32) -> FetchRequest {
    var request = self
    request.predicate = predicate?.limited(toStore: store)
    return request
  }
}

extension FetchPredicate {
  package func limited(toStore store: Int32) -> FetchPredicate {
    namesObject { !$0.isOf(store: store) } ? rewritten(.limiting(toStore: store)) : self
  }

  fileprivate func namesObject(where condition: (ManagedObjectID) -> Bool) -> Bool {
    switch self {
    case .true, .false: false
    case .compare(_, _, let value): value.objectID.map(condition) == true
    case .isIn(_, let set): set.namesObject(where: condition)
    case .test(let test):
      test.left.namesObject(where: condition) || test.right.namesObject(where: condition)
    case .some(_, let part), .not(let part): part.namesObject(where: condition)
    case .and(let parts), .or(let parts): parts.contains { $0.namesObject(where: condition) }
    }
  }
}

extension FetchExpression {
  fileprivate func namesObject(where condition: (ManagedObjectID) -> Bool) -> Bool {
    switch self {
    case .constant(let value): value.objectID.map(condition) == true
    case .values(let set): set.namesObject(where: condition)
    case .path: false
    case .count(_, let predicate): predicate.namesObject(where: condition)
    }
  }
}

extension ValueSet {
  fileprivate func namesObject(where condition: (ManagedObjectID) -> Bool) -> Bool {
    // Most lists contain no objects and need no search.
    guard let first = values.first, first.objectID != nil || first.isNull else { return false }
    return values.contains { $0.objectID.map(condition) == true }
  }
}

extension FetchPredicate {
  func rewritten(_ rewriting: PredicateRewriting, level: Int = 0) -> FetchPredicate {
    switch self {
    case .true, .false: self
    case .compare(let column, let comparison, let value):
      FetchPredicate(
        rewriting.path(PredicatePath(column: column), level), comparison, rewriting.value(value))
    case .isIn(let column, let set):
      FetchPredicate(
        rewriting.path(PredicatePath(column: column), level), in: rewriting.values(set))
    case .test(let test): .test(test.rewritten(rewriting, level: level))
    case .some(let path, let part):
      .some(rewriting.path(path, level), part.rewritten(rewriting, level: level + 1))
    case .and(let parts): .and(parts.map { $0.rewritten(rewriting, level: level) })
    case .or(let parts): .or(parts.map { $0.rewritten(rewriting, level: level) })
    case .not(let part): .not(part.rewritten(rewriting, level: level))
    }
  }
}

extension PredicateTest {
  /// Returns this test if nothing changes, so that its pattern is not compiled again.
  fileprivate func rewritten(_ rewriting: PredicateRewriting, level: Int) -> PredicateTest {
    let newLeft = left.rewritten(rewriting, level: level)
    let newRight = right.rewritten(rewriting, level: level)
    guard newLeft != left || newRight != right else { return self }
    return PredicateTest(newLeft, operation, newRight)
  }
}

extension FetchExpression {
  func rewritten(_ rewriting: PredicateRewriting, level: Int = 0) -> FetchExpression {
    switch self {
    case .constant(let value): .constant(rewriting.value(value))
    case .values(let set): .values(rewriting.values(set))
    case .path(let path): .path(rewriting.path(path, level))
    case .count(let path, let predicate):
      .count(rewriting.path(path, level), predicate.rewritten(rewriting, level: level + 1))
    }
  }
}

protocol PredicateRequest {
  var predicate: FetchPredicate? { get set }
}

extension FetchRequest: PredicateRequest {}
// `having` names no objects.
extension DictionaryRequest: PredicateRequest {}

extension PredicateRequest {
  func naming(_ permanentIDs: [ManagedObjectID: ManagedObjectID]) -> Self {
    guard !permanentIDs.isEmpty, let predicate,
      predicate.namesObject(where: { $0.isTemporary && permanentIDs[$0] != nil })
    else { return self }
    var request = self
    request.predicate = predicate.rewritten(.naming(permanentIDs))
    return request
  }
}
