public import Foundation

/// An argument of a format string, for `%@`, `%K`, `%d` or `%f`.
public protocol PredicateArgument {
  var predicateOperand: PredicateOperand { get }
}

/// The value or the list that an argument stands for.
public enum PredicateOperand: Sendable, Equatable {
  case value(Value)
  case list([Value])
}

extension Int: PredicateArgument {
  public var predicateOperand: PredicateOperand { .value(.int64(Int64(self))) }
}
extension Int32: PredicateArgument {
  public var predicateOperand: PredicateOperand { .value(.int64(Int64(self))) }
}
extension Int64: PredicateArgument {}
extension Double: PredicateArgument {}
extension Bool: PredicateArgument {}
extension String: PredicateArgument {}
extension Date: PredicateArgument {}
extension Data: PredicateArgument {}
extension Decimal: PredicateArgument {}
extension UUID: PredicateArgument {}
extension URL: PredicateArgument {}
extension AttributeValue where Self: PredicateArgument {
  public var predicateOperand: PredicateOperand { .value(value) }
}
extension Value: PredicateArgument {
  public var predicateOperand: PredicateOperand { .value(self) }
}
extension ManagedObjectID: PredicateArgument {
  public var predicateOperand: PredicateOperand { .value(.object(self)) }
}
extension ManagedObject: PredicateArgument {
  /// Its ID at this moment.
  public var predicateOperand: PredicateOperand { .value(.object(objectID)) }
}
extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  public var predicateOperand: PredicateOperand { self?.predicateOperand ?? .value(.null) }
}
extension Array: PredicateArgument where Element: PredicateArgument {
  public var predicateOperand: PredicateOperand { .list(flatMap(\.predicateOperand.values)) }
}
extension Set: PredicateArgument where Element: PredicateArgument {
  public var predicateOperand: PredicateOperand { .list(flatMap(\.predicateOperand.values)) }
}
/// The bounds of a `BETWEEN`.
extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
  public var predicateOperand: PredicateOperand {
    .list(lowerBound.predicateOperand.values + upperBound.predicateOperand.values)
  }
}

extension PredicateOperand {
  fileprivate var values: [Value] {
    switch self {
    case .value(let value): [value]
    case .list(let values): values
    }
  }
}
