/// A condition on the attributes of one entity, by their index.
///
/// The store translates it to SQL and contexts evaluate it in memory for pending changes; both give
/// the same answer. Logic is two-valued: a comparison with null is false, except that null equals
/// null and differs from everything else.
public indirect enum FetchPredicate: Sendable, Equatable {
  case `true`
  case `false`
  case compare(Int, Comparison, Value)
  /// Whether the attribute's value is among these. Null is in no list.
  case isIn(Int, ValueSet)
  case and([FetchPredicate])
  case or([FetchPredicate])
  case not(FetchPredicate)

  public enum Comparison: String, CaseIterable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  /// Whether a row with these values matches.
  public func matches(_ row: ContiguousArray<Value>) -> Bool {
    switch self {
    case .true: true
    case .false: false
    case .compare(let index, let comparison, let value): comparison.holds(row[index], value)
    case .isIn(let index, let set): !row[index].isNull && set.contains(row[index])
    case .and(let parts): parts.allSatisfy { $0.matches(row) }
    case .or(let parts): parts.contains { $0.matches(row) }
    case .not(let part): !part.matches(row)
    }
  }
}

extension FetchPredicate.Comparison {
  func holds(_ a: Value, _ b: Value) -> Bool {
    if a.isNull || b.isNull {
      switch self {
      case .equal: return a.isNull && b.isNull
      case .notEqual: return a.isNull != b.isNull
      default: return false
      }
    }
    let order = a.order(relativeTo: b)
    return switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

/// The right-hand side of an `IN`, hashed once so that evaluating it in memory does not grow with
/// its length.
public struct ValueSet: Sendable, Equatable {
  public let values: [Value]
  private let members: Set<Value>

  public init(_ values: [Value]) {
    self.values = values
    self.members = Set(values)
  }

  public func contains(_ value: Value) -> Bool {
    members.contains(value)
  }
}
