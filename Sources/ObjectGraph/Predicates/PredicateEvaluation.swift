/// An object, or a row with the rows that it refers to, which a predicate tests.
package protocol PredicateSubject {
  var identity: Value { get }
  func value(at column: Int) -> Value
  func target(at column: Int) -> Self?
  func targets(at toMany: Int) -> [Self]
}

extension FetchPredicate {
  /// Whether a row with these values matches.
  ///
  /// - Precondition: the predicate follows no relationship and does not use `SELF`.
  public func matches(_ row: ContiguousArray<Value>) -> Bool {
    holds(for: PredicateRow(values: row), in: [])
  }

  /// Whether an object's current values match. Fires its fault and those along key paths. Call it
  /// on its context's queue.
  public func matches(_ object: ManagedObject) -> Bool {
    // The predicate may name an object whose ID has become permanent.
    let ids = object.link.context?.permanentIDs.byTemporaryID ?? [:]
    return (ids.isEmpty ? self : rewritten(.naming(ids))).holds(for: object, in: [])
  }

  /// - Parameter outer: the objects of the outer levels, outermost first.
  package func holds<S: PredicateSubject>(for subject: S, in outer: [S]) -> Bool {
    switch self {
    case .true: return true
    case .false: return false
    case .compare(let column, let comparison, let value):
      return comparison.holds(subject.value(at: column), value)
    case .isIn(let column, let set):
      let value = subject.value(at: column)
      return !value.isNull && set.contains(value)
    case .test(let test): return test.holds(for: subject, in: outer)
    case .some(let path, let predicate):
      let scope = outer + [subject]
      return path.objects(from: subject, in: outer).contains {
        predicate.holds(for: $0, in: scope)
      }
    case .and(let parts): return parts.allSatisfy { $0.holds(for: subject, in: outer) }
    case .or(let parts): return parts.contains { $0.holds(for: subject, in: outer) }
    case .not(let part): return !part.holds(for: subject, in: outer)
    }
  }
}

extension PredicateTest {
  var matchesAlways: Bool { holds(for: PredicateRow(values: []), in: []) }

  fileprivate func holds<S: PredicateSubject>(for subject: S, in outer: [S]) -> Bool {
    let value = left.value(for: subject, in: outer)
    switch (operation, prepared) {
    case (.text, .pattern(let pattern)):
      guard case .string(let text) = value else { return false }
      return pattern.matches(text)
    case (.text(let test, let options), _):
      guard case .string(let text) = value,
        case .string(let source) = right.value(for: subject, in: outer)
      else { return false }
      return TextPattern(test, options, source)?.matches(text) ?? false
    case (.compare(let comparison, let options), .folded(.constant(let constant))):
      return comparison.holds(value.folded(options), constant)
    case (.compare(let comparison, let options), _):
      let other = right.value(for: subject, in: outer)
      return comparison.holds(value.folded(options), other.folded(options))
    case (.isIn(let options), .folded(.values(let set))):
      return !value.isNull && set.contains(value.folded(options))
    case (.isIn, _):
      guard case .values(let set) = right else { return false }
      return !value.isNull && set.contains(value)
    }
  }
}

extension FetchExpression {
  fileprivate func value<S: PredicateSubject>(for subject: S, in outer: [S]) -> Value {
    switch self {
    case .constant(let value): return value
    case .values: fatalError("a list has no value of its own")
    case .path(let path): return path.value(for: subject, in: outer)
    case .count(let path, let predicate):
      let scope = outer + [subject]
      let objects = path.objects(from: subject, in: outer)
      if predicate == .true { return .int64(Int64(objects.count)) }
      return .int64(Int64(objects.count { predicate.holds(for: $0, in: scope) }))
    }
  }
}

extension PredicatePath {
  /// Null if a relationship on the way is empty. Fires faults.
  ///
  /// - Precondition: the path begins at the object, and all relationships are to-one.
  func value(of object: ManagedObject) -> Value { value(for: object, in: []) }

  /// The objects at the end of a path that begins at the object. Fires faults on the way.
  func objects(of object: ManagedObject) -> [ManagedObject] { objects(from: object, in: []) }

  fileprivate func value<S: PredicateSubject>(for subject: S, in outer: [S]) -> Value {
    guard let object = object(from: subject, in: outer) else { return .null }
    return column.map { object.value(at: $0) } ?? object.identity
  }

  private func origin<S: PredicateSubject>(from subject: S, in outer: [S]) -> S {
    level == 0 ? subject : outer[outer.count - level]
  }

  /// The object that has the column.
  ///
  /// - Precondition: all relationships are to-one.
  fileprivate func object<S: PredicateSubject>(from subject: S, in outer: [S]) -> S? {
    var object = origin(from: subject, in: outer)
    for step in steps {
      guard case .toOne(let column) = step else {
        fatalError("a to-many key path has no single value; use any, all or none")
      }
      guard let next = object.target(at: column) else { return nil }
      object = next
    }
    return object
  }

  /// An object reached in two ways is listed twice.
  fileprivate func objects<S: PredicateSubject>(from subject: S, in outer: [S]) -> [S] {
    steps.reduce([origin(from: subject, in: outer)]) { objects, step in
      switch step {
      case .toOne(let column): objects.compactMap { $0.target(at: column) }
      case .toMany(let index): objects.flatMap { $0.targets(at: index) }
      }
    }
  }
}

extension ManagedObject: PredicateSubject {
  package var identity: Value { .object(objectID) }

  package func value(at column: Int) -> Value { self[column] }

  package func target(at column: Int) -> ManagedObject? {
    guard case .object(let id) = self[column] else { return nil }
    return liveContext.object(with: id)
  }

  package func targets(at toMany: Int) -> [ManagedObject] {
    let context = liveContext
    return context.relatedIDs(of: self, at: toMany).map { context.object(with: $0) }
  }
}

private struct PredicateRow: PredicateSubject {
  let values: ContiguousArray<Value>

  var identity: Value { fatalError("a bare row has no ID") }
  func value(at column: Int) -> Value { values[column] }
  func target(at column: Int) -> PredicateRow? { fatalError("a bare row leads nowhere") }
  func targets(at toMany: Int) -> [PredicateRow] { fatalError("a bare row leads nowhere") }
}
