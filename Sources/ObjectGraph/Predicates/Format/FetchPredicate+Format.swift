extension FetchPredicate {
  /// Parses a predicate in `NSPredicate`'s format.
  ///
  /// - Comparisons: `==`, `!=`, `<`, `BETWEEN`, `IN`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`,
  ///   `MATCHES`, with `[c]`, `[d]` or `[cd]`; joined by `AND`, `OR` and `NOT`.
  /// - Key paths over relationships; to-many ones with `ANY`, `ALL`, `NONE`, `@count` or
  ///   `SUBQUERY`.
  /// - Placeholders: `%@` for any argument, `%d` for an integer, `%f` for a double, `%K` for a key
  ///   path.
  /// - Variables: `$name` for a value of `variables`, as by `withSubstitutionVariables`.
  ///
  /// Keywords may have any case; `#` marks a word as a key. Arithmetic and functions are not
  /// supported.
  ///
  /// - Throws: `PredicateFormatError`, also for unknown names and a wrong number of arguments.
  /// - Precondition: the entity belongs to the model.
  public init(
    format: String, _ entity: Entity, in model: Model, arguments: [(any PredicateArgument)?],
    variables: [String: any PredicateArgument] = [:]
  ) throws {
    var parser = try FormatParser(
      format, entity: entity, model: model,
      arguments: arguments.map { $0?.predicateOperand ?? .value(.null) },
      variables: variables.mapValues(\.predicateOperand))
    self = try parser.parse()
  }

  public init(
    format: String, _ entity: Entity, in model: Model, _ arguments: (any PredicateArgument)?...
  ) throws {
    try self.init(format: format, entity, in: model, arguments: arguments)
  }
}
