import ObjectGraph

// Comparisons of a column of the row itself with a constant, which almost all fetches use. Their
// tokens contain no text, so finding their statement again builds no string.

extension PredicateSQL {
  /// - Parameter comparison: the condition, already inverted if `isNegated`. `isNegated` then only
  ///   says that null matches.
  mutating func add(
    _ index: Int, _ comparison: FetchPredicate.Comparison, _ value: Value, isNegated: Bool
  ) {
    switch comparison {
    case .equal where value.isNull: emit(.isNull(index, true))
    case .notEqual where value.isNull: emit(.isNull(index, false))
    case _ where value.isNull: emit(.constant(isNegated))
    case _ where value.isNotANumber: addNotANumber(index, comparison, isNegated: isNegated)
    default:
      let kind = kind(of: index, at: level)
      precondition(value.type == kind.type, "compared a \(kind.name) with \(value)")
      guard kind.canHold(value, in: schema.model) else {
        // No row can name an object that was never saved or belongs to another hierarchy.
        return emit(.constant(comparison == .notEqual))
      }
      let orNull = isNegated && comparison != .equal && comparison != .notEqual
      emit(.compare(index, comparison.sql, orNull: orNull))
      values.append(value)
    }
  }

  /// SQLite has no NaN. `Value.order` sorts NaN before every number.
  private mutating func addNotANumber(
    _ index: Int, _ comparison: FetchPredicate.Comparison, isNegated: Bool
  ) {
    switch comparison {
    case .equal: emit(.constant(false))
    case .notEqual: emit(.constant(true))
    case .greater, .greaterOrEqual:
      emit(isNegated ? .constant(true) : .isNull(index, false))
    case .less, .lessOrEqual:
      emit(isNegated ? .isNull(index, true) : .constant(false))
    }
  }

  mutating func add(_ index: Int, in set: ValueSet, isNegated: Bool) {
    let kind = kind(of: index, at: level)
    let list = storable(set, as: kind)
    if list.isEmpty {
      emit(.constant(isNegated))
    } else if let count = boundCount(list) {
      emit(.isIn(index, count: count, isNegated: isNegated))
      addPadded(list, to: count)
    } else {
      emit(.isInSet(index, isNegated: isNegated))
      addPointer(.values(ValueSetArgument(list, of: set, as: kind)))
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
    return list.count > Self.longestBoundList || values.count + count > Self.mostParameters
      ? nil : count
  }

  mutating func addPadded(_ list: [Value], to count: Int) {
    values.append(contentsOf: list)
    values.append(contentsOf: repeatElement(list[list.count - 1], count: count - list.count))
  }
}
