import ObjectGraph

// Comparisons of the row's own column with a constant, as in almost all fetches. Their tokens
// contain no text, so that finding their statement again builds no string.

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
      emit(.compare(index, comparison, orNull: isNegated && !isEquality))
      parameters.append(value)
    }
  }

  /// A comparison that SQL answers differently from predicates.
  enum SpecialComparison {
    case constant(Bool)
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
      // The object was never saved or belongs to another hierarchy.
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
      parameters.append(ValueSetArgument(list, of: set, as: kind))
    }
  }

  /// Drops null, which SQL would treat as unknown, and values of another type: they match no row.
  func storable(_ set: ValueSet, as kind: ValueKind) -> [Value] {
    let model = schema.model
    return set.values.allSatisfy { kind.canHold($0, in: model) }
      ? set.values : set.values.filter { kind.canHold($0, in: model) }
  }

  /// Nil if the list is too long to be bound value by value.
  func boundCount(_ list: [Value]) -> Int? {
    let count = paddedCount(list.count)
    return list.count > Self.longestBoundList || parameters.count + count > Self.mostParameters
      ? nil : count
  }
}

enum ValueKind {
  case attribute(AttributeType)
  /// An object of the hierarchy of the entity at this index of the model.
  case object(Int)

  var type: AttributeType? {
    if case .attribute(let type) = self { type } else { nil }
  }

  var name: String { type?.rawValue ?? "relationship" }

  /// False for null.
  func canHold(_ value: Value, in model: Model) -> Bool {
    switch self {
    case .attribute(let type): return value.type == type && !value.isNotANumber
    case .object(let index):
      guard let id = value.objectID, !id.isTemporary else { return false }
      return model.resolved[Int(id.entityIndex)].root == model.resolved[index].root
    }
  }
}
