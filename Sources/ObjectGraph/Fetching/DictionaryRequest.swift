/// Fetches values instead of objects, as stored in SQLite. It ignores pending changes and registers
/// nothing.
///
///     var request = DictionaryRequest(City.entity, [
///       .value("country", City.country.appending(Country.name)), .sum("people", City.size),
///     ])
///     request.groupBy = [City.country.appending(Country.name).path]
///     request.having = request.result("people", as: Int64?.self) > 1_000_000
public struct DictionaryRequest: Sendable {
  public var entity: Entity
  public var predicate: FetchPredicate?
  /// The properties of a row.
  public var properties: [DictionaryProperty]
  /// Rows with equal values here form one row of the result.
  public var groupBy: [PredicatePath] = []
  /// A condition on the result's properties: see `result(_:as:)`.
  public var having: FetchPredicate?
  /// The order, by the result's properties. Rows that sort equally come in any order.
  public var sortTerms: [SortTerm] = []
  /// The most rows; nil for all. 0 means nil, as in Core Data.
  public var limit: Int? {
    didSet { if limit == 0 { limit = nil } }
  }
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

  /// A property of the result, for `having` and `sortTerms`.
  ///
  /// - Precondition: the request has the property, and `V` is the optional of its type.
  public func result<V: AttributeValue>(_ name: String, as type: V.Type) -> AttributePath<V> {
    guard let index = properties.firstIndex(where: { $0.name == name }) else {
      let known = properties.map(\.name).joined(separator: ", ")
      fatalError("the result has no property '\(name)'. Known: \(known)")
    }
    return AttributePath(path: PredicatePath(column: index))
  }

  /// Applies `having`, offset and limit to sorted rows, for coordinators whose SQL omits them.
  package func window(_ rows: [ContiguousArray<Value>]) -> [ContiguousArray<Value>] {
    guard let having else { return rows }
    let rest = rows.filter(having.matches).dropFirst(offset)
    return Array(rest.prefix(limit ?? rest.count))
  }

  func dictionary(_ row: ContiguousArray<Value>) -> [String: Value] {
    var dictionary: [String: Value] = [:]
    for (property, value) in zip(properties, row) where !value.isNull {
      dictionary[property.name] = value
    }
    return dictionary
  }
}

/// A property in a row of a `DictionaryRequest`.
public struct DictionaryProperty: Sendable {
  package enum Function: Sendable {
    case value, count, sum, minimum, maximum, average
  }

  public let name: String
  package let function: Function
  package let path: PredicatePath?
  package let type: AttributeType
}

extension DictionaryProperty {
  private init<O: AttributeOperand>(_ name: String, _ function: Function, _ operand: O) {
    let type = O.V.attributeType
    self.name = name
    self.function = function
    self.path = operand.path
    switch function {
    case .value, .minimum, .maximum: self.type = type
    case .count: self.type = .int64
    case .average: self.type = type == .decimal ? .decimal : .double
    case .sum: self.type = type == .double || type == .decimal ? type : .int64
    }
    require(
      type.isNumber || function != .sum && function != .average,
      "'\(name)' cannot sum or average a \(type.rawValue); name a number attribute")
  }

  /// If the operand is not in `groupBy`, the value comes from any row of the group.
  public static func value(_ name: String, _ operand: some AttributeOperand) -> DictionaryProperty {
    DictionaryProperty(name, .value, operand)
  }

  public static func count(_ name: String) -> DictionaryProperty {
    DictionaryProperty(name: name, function: .count, path: nil, type: .int64)
  }

  /// The number of rows whose attribute is not null.
  public static func count(_ name: String, _ operand: some AttributeOperand) -> DictionaryProperty {
    DictionaryProperty(name, .count, operand)
  }

  /// The sum; 0 without values, as Core Data's SQL `total`
  /// (fatbobman.com/en/posts/countincoredata). A sum of integers throws if it overflows. Decimals
  /// give decimals of 15 digits.
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
