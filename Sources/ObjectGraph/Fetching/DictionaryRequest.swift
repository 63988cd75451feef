/// A fetch of values instead of objects, as SQLite has them: pending changes are not seen, and nothing
/// is registered.
///
///     var request = DictionaryRequest(City.entity, [
///       .value("country", City.country.appending(Country.name)), .sum("people", City.size),
///     ])
///     request.groupBy = [City.country.appending(Country.name).path]
///     request.having = request.result("people", as: Int64?.self) > 1_000_000
public struct DictionaryRequest: Sendable {
  public var entity: Entity
  public var predicate: FetchPredicate?
  /// What each row of the result holds.
  public var properties: [DictionaryProperty]
  /// Attributes whose like values make one row of the result, in which aggregates are of the rows that
  /// it stands for. Without them, aggregates are of all rows.
  public var groupBy: [PredicatePath] = []
  /// A condition on rows of the result, with its properties for columns: see `result(_:as:)`.
  public var having: FetchPredicate?
  /// The order of the result, by its properties. Rows that it does not tell apart come in any order.
  public var sortDescriptors: [SortTerm] = []
  public var limit: Int?
  public var offset = 0
  public var returnsDistinctResults = false
  public var includesSubentities = true

  public init(
    _ entity: Entity, _ properties: [DictionaryProperty], where predicate: FetchPredicate? = nil
  ) {
    self.entity = entity
    self.properties = properties
    self.predicate = predicate
  }

  /// A property of the result, for `having` and `sortDescriptors`.
  ///
  /// - Precondition: it is among the properties, and `V` is its type, optional.
  public func result<V: AttributeValue>(
    _ name: String, as type: V.Type
  ) -> AttributePath<V> {
    guard let index = properties.firstIndex(where: { $0.name == name }) else {
      let known = properties.map(\.name).joined(separator: ", ")
      preconditionFailure("the result has no property '\(name)'. Known: \(known)")
    }
    return AttributePath(path: PredicatePath(column: index))
  }

  /// Those of all rows in order that meet `having`, limit and offset applied; for coordinators whose
  /// SQL leaves these out.
  package func window(_ rows: [ContiguousArray<Value>]) -> [ContiguousArray<Value>] {
    guard let having else { return rows }
    let rest = rows.filter(having.matches).dropFirst(offset)
    return Array(rest.prefix(limit ?? rest.count))
  }

  /// The names and values of a row; what is null is left out.
  func dictionary(_ row: ContiguousArray<Value>) -> [String: Value] {
    var dictionary: [String: Value] = [:]
    for (property, value) in zip(properties, row) where !value.isNull {
      dictionary[property.name] = value
    }
    return dictionary
  }
}

/// What a row of a `DictionaryRequest` holds under a name: an attribute, or an aggregate of one over the
/// rows of its group.
public struct DictionaryProperty: Sendable {
  package enum Function: Sendable {
    case value, count, sum, minimum, maximum, average
  }

  public let name: String
  package let function: Function
  /// Nil for a count of rows.
  package let path: PredicatePath?
  /// What values of the property are.
  package let type: AttributeType

  private init<O: AttributeOperand>(_ name: String, _ function: Function, _ operand: O) {
    let type = O.V.attributeType
    self.name = name
    self.function = function
    self.path = operand.path
    switch function {
    case .value, .minimum, .maximum: self.type = type
    case .count: self.type = .int64
    case .average: self.type = .double
    case .sum: self.type = type == .double ? .double : .int64
    }
    precondition(
      type.isNumber || function != .sum && function != .average,
      "'\(name)' is a sum or an average of a \(type.rawValue)")
  }

  private init(count name: String) {
    self.name = name
    self.function = .count
    self.path = nil
    self.type = .int64
  }

  /// An attribute; of any row of a group, if it is not what groups are made by.
  public static func value(_ name: String, _ operand: some AttributeOperand) -> DictionaryProperty {
    DictionaryProperty(name, .value, operand)
  }

  /// How many rows there are.
  public static func count(_ name: String) -> DictionaryProperty { DictionaryProperty(count: name) }

  /// In how many rows the attribute is not null.
  public static func count(_ name: String, _ operand: some AttributeOperand) -> DictionaryProperty {
    DictionaryProperty(name, .count, operand)
  }

  /// Null if there are no values. A sum of integers that is none throws.
  public static func sum(_ name: String, _ operand: some AttributeOperand) -> DictionaryProperty {
    DictionaryProperty(name, .sum, operand)
  }

  public static func minimum(
    _ name: String, _ operand: some AttributeOperand
  ) -> DictionaryProperty {
    DictionaryProperty(name, .minimum, operand)
  }

  public static func maximum(
    _ name: String, _ operand: some AttributeOperand
  ) -> DictionaryProperty {
    DictionaryProperty(name, .maximum, operand)
  }

  public static func average(
    _ name: String, _ operand: some AttributeOperand
  ) -> DictionaryProperty {
    DictionaryProperty(name, .average, operand)
  }
}
