import GRDBSQLite
import ObjectGraph

/// Everything in a query that its SQL depends on. Queries of one shape share a statement.
struct QueryShape: Hashable {
  enum Output: Hashable {
    case rows, count
    /// Keys and entity numbers.
    case keys
    /// Rows by this many keys.
    case rowsOfKeys(Int)
  }

  var output: Output
  /// The index of the entity in the model.
  var entityIndex: Int
  /// Whether rows of subentities are included; then each row has the columns of all.
  var withSubentities = false
  var condition: [PredicateToken] = []
  var order: [SortTerm] = []
  var hasLimit = false
  var hasOffset = false

  /// The alias of the fetched table, for sub-selects.
  static let alias = "t0"
}

/// A shape, and the values of its parameters.
struct Query {
  let shape: QueryShape
  private let values: [Value]
  private let pointers: [(index: Int, argument: PointerArgument)]
  private let limit: Int?
  private let offset: Int

  /// Fetches the matching rows.
  ///
  /// - Precondition: the request's limit and offset are not negative.
  init(rows request: FetchRequest, in schema: Schema) {
    self.init(request, output: .rows, in: schema)
  }

  /// Fetches the keys and entity numbers of the matching rows.
  ///
  /// - Precondition: the request's limit and offset are not negative.
  init(keys request: FetchRequest, in schema: Schema) {
    self.init(request, output: .keys, in: schema)
  }

  private init(_ request: FetchRequest, output: QueryShape.Output, in schema: Schema) {
    precondition(request.limit ?? 0 >= 0, "a limit cannot be negative")
    precondition(request.offset >= 0, "an offset cannot be negative")
    let index = schema.model.index(of: request.entity)
    let table = schema.tables[index]
    let condition = PredicateSQL(request.predicate, entityIndex: index, in: schema)
    self.shape = QueryShape(
      output: output, entityIndex: index,
      withSubentities: request.includesSubentities && table.hasSubentities,
      condition: condition.tokens, order: request.sortTerms, hasLimit: request.limit != nil,
      hasOffset: request.offset > 0)
    self.values = condition.values
    self.pointers = condition.pointers
    self.limit = request.limit
    self.offset = request.offset
  }

  /// Counts the matching rows, and ignores the limit.
  init(count request: FetchRequest, in schema: Schema) {
    let index = schema.model.index(of: request.entity)
    let table = schema.tables[index]
    let condition = PredicateSQL(request.predicate, entityIndex: index, in: schema)
    self.shape = QueryShape(
      output: .count, entityIndex: index,
      withSubentities: request.includesSubentities && table.hasSubentities,
      condition: condition.tokens)
    self.values = condition.values
    self.pointers = condition.pointers
    self.limit = nil
    self.offset = 0
  }

  /// Fetches the rows with these keys.
  ///
  /// - Precondition: there are between 1 and `PredicateSQL.longestBoundList` keys.
  init(keys: [Int64], entityIndex: Int) {
    let count = paddedCount(keys.count)
    self.shape = QueryShape(output: .rowsOfKeys(count), entityIndex: entityIndex)
    let padding = repeatElement(keys[keys.count - 1], count: count - keys.count)
    self.values = (keys + padding).map { .int64($0) }
    self.pointers = []
    self.limit = nil
    self.offset = 0
  }

  func bind(to handle: OpaquePointer) {
    SQLiteStore.bind(values, pointers, to: handle)
    var parameter = CInt(values.count)
    if shape.hasLimit || shape.hasOffset {
      parameter += 1
      // A negative limit means no limit.
      sqlite3_bind_int64(handle, parameter, Int64(limit ?? -1))
    }
    if shape.hasOffset { sqlite3_bind_int64(handle, parameter + 1, Int64(offset)) }
  }

  /// Call it before the query is destroyed, because the statement still points at its lists.
  func unbind(from handle: OpaquePointer) {
    SQLiteStore.unbind(pointers, from: handle)
  }
}

func bind(
  _ values: [Value], _ pointers: [(index: Int, argument: PointerArgument)],
  to handle: OpaquePointer
) {
  for index in values.indices { bind(values[index], to: handle, at: CInt(index + 1)) }
  for (index, argument) in pointers {
    switch argument {
    case .values(let values): ValueSetFunction.bind(values, to: handle, at: CInt(index + 1))
    case .pattern(let pattern): TextFunctions.bind(pattern, to: handle, at: CInt(index + 1))
    }
  }
}

func unbind(
  _ pointers: [(index: Int, argument: PointerArgument)], from handle: OpaquePointer
) {
  sqlite3_reset(handle)
  for (index, _) in pointers { sqlite3_bind_null(handle, CInt(index + 1)) }
}

extension QueryShape {
  /// The text of the statement. Parameters: those of the condition, then the limit and the offset.
  func sql(in schema: Schema) -> String {
    let table = schema.tables[entityIndex]
    let source = " FROM \(table.quotedName) AS \(Self.alias)"
    switch output {
    case .count:
      return "SELECT count(*)" + source + whereClause(table)
    case .keys:
      return "SELECT Z_PK, Z_ENT" + source + whereClause(table) + orderClause(in: schema)
        + windowClause
    case .rows:
      let columns = withSubentities ? table.familyRowColumns : table.rowColumns
      return "SELECT \(columns)" + source + whereClause(table) + orderClause(in: schema)
        + windowClause
    case .rowsOfKeys(let count):
      return "SELECT \(table.rowColumns) FROM \(table.quotedName)"
        + " WHERE Z_PK IN (\(parameters(count)))"
    }
  }

  private func whereClause(_ table: EntityTable) -> String {
    let kinds = withSubentities ? table.familyCondition : table.ownCondition
    let conditions = [kinds, condition.isEmpty ? nil : conditionText(table)]
    let parts = conditions.compactMap(\.self)
    return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
  }

  private func orderClause(in schema: Schema) -> String {
    guard !order.isEmpty else { return "" }
    var expressions = PredicateSQL(nil, entityIndex: entityIndex, in: schema)
    let terms = order.map { expressions.term($0) + ($0.isAscending ? "" : " DESC") }
    return " ORDER BY " + (terms + ["Z_PK"]).joined(separator: ", ")
  }

  private var windowClause: String {
    hasOffset ? " LIMIT ? OFFSET ?" : hasLimit ? " LIMIT ?" : ""
  }

  private func conditionText(_ table: EntityTable) -> String {
    condition.map { $0.sql(table.quotedColumn) }.joined()
  }
}

extension PredicateToken {
  /// - Parameter name: returns the name of a column.
  func sql(_ name: (Int) -> String) -> String {
    switch self {
    case .open: return "("
    case .close: return ")"
    case .and: return " AND "
    case .or: return " OR "
    case .text(let text): return text
    case .constant(let value): return value ? "1" : "0"
    case .isNull(let index, let isNull):
      return name(index) + (isNull ? " IS NULL" : " IS NOT NULL")
    case .compare(let index, let comparison, let orNull):
      let column = name(index)
      let test = "\(column) \(comparison.rawValue) ?"
      return orNull ? "(\(test) OR \(column) IS NULL)" : test
    case .isIn(let index, let count, let isNegated):
      let column = name(index)
      return isNegated
        ? "(\(column) NOT IN (\(parameters(count))) OR \(column) IS NULL)"
        : "\(column) IN (\(parameters(count)))"
    case .isInSet(let index, let isNegated):
      let test = "\(ValueSetFunction.name)(\(name(index)), ?)"
      return isNegated ? "NOT \(test)" : test
    }
  }
}

/// `?, ?, ?`
func parameters(_ count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ", ")
}
