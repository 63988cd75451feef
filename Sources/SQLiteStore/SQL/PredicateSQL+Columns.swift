import ObjectGraph

// Comparisons of a column of the row itself with a constant. Almost all fetches use them, so their
// tokens contain no text: finding their statement again builds no string.

extension PredicateSQL {
  mutating func add(
    _ index: Int, _ comparison: FetchPredicate.Comparison, _ value: Value, isNegated: Bool
  ) {
    let kind = kind(of: index, ofEntity: level.resolved.index)
    switch special(comparison, value, with: kind, isNegated: isNegated) {
    case .constant(let result)?: emit(.constant(result))
    case .isNull(let isNull)?: emit(.isNull(index, isNull))
    case nil:
      require(value.type == kind.type, "compared a \(kind.name) with \(value)")
      let isEquality = comparison == .equal || comparison == .notEqual
      let comparison = isNegated ? comparison.opposite : comparison
      emit(.compare(index, comparison.sql, orNull: isNegated && !isEquality))
      parameters.append(value)
    }
  }

  /// A comparison that SQL would answer differently from predicates.
  enum SpecialComparison {
    case constant(Bool)
    /// Replaced by a test whether the other side is null.
    case isNull(Bool)
  }

  /// Comparisons with null, NaN, and objects that no row can name; nil for all others.
  func special(
    _ comparison: FetchPredicate.Comparison, _ value: Value, with kind: ValueKind?,
    isNegated: Bool
  ) -> SpecialComparison? {
    let isUnequal = (comparison == .notEqual) != isNegated
    if value.objectID != nil, case .object? = kind, kind?.canHold(value, in: schema.model) == false
    {
      // No row can name an object that was never saved or belongs to another hierarchy.
      return .constant(isUnequal)
    }
    guard value.isNull || value.isNotANumber else { return nil }
    switch (comparison, value.isNull) {
    case (.equal, true), (.notEqual, true): return .isNull(!isUnequal)
    case (.equal, false), (.notEqual, false): return .constant(isUnequal)
    // `Value.order` sorts NaN before every number.
    case (.greater, false), (.greaterOrEqual, false): return .isNull(isNegated)
    default: return .constant(isNegated)
    }
  }

  mutating func add(_ index: Int, in set: ValueSet, isNegated: Bool) {
    let kind = kind(of: index, ofEntity: level.resolved.index)
    let list = storable(set, as: kind)
    if list.isEmpty {
      emit(.constant(isNegated))
    } else if let count = boundCount(list) {
      emit(.isIn(index, count: count, isNegated: isNegated))
      parameters.append(list, paddedTo: count)
    } else {
      emit(.isInSet(index, isNegated: isNegated))
      parameters.append(.values(ValueSetArgument(list, of: set, as: kind)))
    }
  }

  /// The values of a list that a column can hold. Null and values of another type match no row, and
  /// SQL would treat null as unknown.
  func storable(_ set: ValueSet, as kind: ValueKind) -> [Value] {
    let model = schema.model
    return set.values.allSatisfy { kind.canHold($0, in: model) }
      ? set.values : set.values.filter { kind.canHold($0, in: model) }
  }

  /// The number of parameters for a list; nil if the list is too long to be bound value by value.
  func boundCount(_ list: [Value]) -> Int? {
    let count = paddedCount(list.count)
    return list.count > Self.longestBoundList || parameters.count + count > Self.mostParameters
      ? nil : count
  }
}
