extension FetchPredicate {
  /// Reads a predicate in `NSPredicate`'s format.
  ///
  /// Comparisons (`==`, `!=`, `<`, `BETWEEN`, `IN`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`,
  /// `MATCHES`, with `[c]`, `[d]` or `[cd]`) joined by `AND`, `OR` and `NOT`; key paths over
  /// relationships, to-many ones with `ANY`, `ALL`, `NONE`, `@count` or `SUBQUERY`; literals, and
  /// placeholders: `%@` for any argument, `%d` for an integer, `%f` for a double, `%K` for a key path.
  /// Keywords in any case; `#` before a key that is spelled like one. Arithmetic and functions are
  /// not supported.
  ///
  /// - Throws: `PredicateFormatError`, also for names that the model does not have, for values of
  ///   different types that are compared, and for a wrong number of arguments.
  /// - Precondition: the entity belongs to the model.
  public init(
    format: String, _ entity: Entity, in model: Model, arguments: [(any PredicateArgument)?]
  ) throws {
    var parser = try FormatParser(
      format, entity: entity, model: model,
      arguments: arguments.map { $0?.predicateOperand ?? .value(.null) })
    self = try parser.parse()
  }

  public init(
    format: String, _ entity: Entity, in model: Model, _ arguments: (any PredicateArgument)?...
  ) throws {
    try self.init(format: format, entity, in: model, arguments: arguments)
  }
}
