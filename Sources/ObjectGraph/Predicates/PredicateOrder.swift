extension FetchPredicate.Comparison {
  func holds(_ a: Value, _ b: Value) -> Bool {
    if a.isNull || b.isNull {
      switch self {
      case .equal: return a.isNull && b.isNull
      case .notEqual: return a.isNull != b.isNull
      default: return false
      }
    }
    let order = a.predicateOrder(relativeTo: b)
    return switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// True where this one is false, apart from null.
  package var opposite: FetchPredicate.Comparison {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }

  var mirrored: FetchPredicate.Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

extension Value {
  /// Like `order(relativeTo:)`, but also compares numbers of two types, a bool as 0 or 1. The
  /// comparison is exact, as in SQLite: no integer is rounded.
  func predicateOrder(relativeTo other: Value) -> Int {
    switch (self, other) {
    case (.int64(let a), .double(let b)): a.order(relativeTo: b)
    case (.double(let a), .int64(let b)): a.isNaN ? 1 : -b.order(relativeTo: a)
    case (.bool, .int64), (.bool, .double):
      Value.int64(asInteger).predicateOrder(relativeTo: other)
    case (.int64, .bool), (.double, .bool): predicateOrder(relativeTo: .int64(other.asInteger))
    case (.decimal(let a), .int64), (.decimal(let a), .double), (.decimal(let a), .bool):
      Value.double(a.number).predicateOrder(relativeTo: other)
    case (.int64, .decimal(let b)), (.double, .decimal(let b)), (.bool, .decimal(let b)):
      predicateOrder(relativeTo: .double(b.number))
    default: order(relativeTo: other)
    }
  }

  private var asInteger: Int64 {
    if case .bool(true) = self { 1 } else { 0 }
  }

  /// The exactly equal value of another type, if any. Null is of every type.
  package func converted(to type: AttributeType) -> Value? {
    if isNull || self.type == type { return self }
    // The store holds a decimal as a double.
    if type == .decimal { return converted(to: .double)?.asDecimal }
    if case .decimal(let value) = self { return Value.double(value.number).converted(to: type) }
    return switch (type, self) {
    case (.int64, .bool(let value)): .int64(value ? 1 : 0)
    case (.int64, .double(let value)): Int64(exactly: value).map(Value.int64)
    case (.double, .bool(let value)): .double(value ? 1 : 0)
    case (.double, .int64(let value)): Double(exactly: value).map(Value.double)
    case (.bool, .int64(let value)): value == 0 || value == 1 ? .bool(value == 1) : nil
    case (.bool, .double(let value)): value == 0 || value == 1 ? .bool(value == 1) : nil
    default: nil
    }
  }

  private var asDecimal: Value? {
    if case .double(let number) = self { .decimal(StoredDecimal(number: number)) } else { nil }
  }
}

extension Int64 {
  /// NaN compares as in `Value.order(relativeTo:)`.
  fileprivate func order(relativeTo other: Double) -> Int {
    if other.isNaN || other < -0x1p63 { return 1 }
    if other >= 0x1p63 { return -1 }
    let whole = Int64(other)
    if self != whole { return self < whole ? -1 : 1 }
    let rest = other - Double(whole)
    return rest > 0 ? -1 : (rest < 0 ? 1 : 0)
  }
}
