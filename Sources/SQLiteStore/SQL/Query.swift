import GRDBSQLite
package import ObjectGraph
import Queues

/// Queries of one shape share a statement.
package struct QueryShape: Hashable {
  package enum Output: Hashable {
    case rows, count
    /// Keys and entity numbers.
    case keys
  }

  var output: Output
  var entityIndex: Int
  /// Includes subentities. Each row then has the columns of all of them.
  var withSubentities = false
  var condition: [PredicateToken] = []
  var order: [SortTerm] = []
  var hasLimit = false
  var hasOffset = false
  /// Further columns, at the end of each row.
  var related: [RelatedValue] = []

  /// The alias of the fetched table, for sub-selects.
  static let alias = "t0"
}

package struct Query {
  package private(set) var shape: QueryShape
  package private(set) var parameters: Parameters

  /// A count ignores the request's order, limit and offset.
  ///
  /// - Parameter related: further columns, at the end of each row.
  package init(
    _ request: FetchRequest, _ output: QueryShape.Output, related: [RelatedValue] = [],
    in schema: Schema
  ) {
    let index = schema.model.index(of: request.entity)
    let condition = PredicateSQL(request.predicate, entityIndex: index, in: schema)
    parameters = condition.parameters
    shape = QueryShape(
      output: output, entityIndex: index,
      withSubentities: request.includesSubentities && schema.tables[index].hasSubentities,
      condition: condition.tokens)
    shape.related = related
    guard output != .count else { return }
    require(request.limit ?? 0 >= 0, "a limit cannot be negative")
    require(request.offset >= 0, "an offset cannot be negative")
    shape.order = request.sortTerms
    shape.hasLimit = request.limit != nil
    shape.hasOffset = request.offset > 0
    if shape.hasLimit || shape.hasOffset {
      // A negative limit means no limit.
      parameters.append(.int64(Int64(request.limit ?? -1)))
    }
    if shape.hasOffset { parameters.append(.int64(Int64(request.offset))) }
  }
}

extension QueryShape {
  /// Selects the rows of an entity whose column has one of `count` values.
  package static func rows(ofEntity index: Int, where column: Int, isInListOf count: Int) -> Self {
    let condition = PredicateToken.isIn(column, count: count, isNegated: false)
    return QueryShape(output: .rows, entityIndex: index, condition: [condition])
  }

  /// Selects the row with a primary key.
  package static func row(ofEntity index: Int, related: [RelatedValue]) -> Self {
    QueryShape(
      output: .rows, entityIndex: index, condition: [.text("\(alias).Z_PK = ?")], related: related)
  }

  package func sql(in schema: Schema) -> String {
    let table = schema.tables[entityIndex]
    var columns =
      switch output {
      case .count: "count(*)"
      case .keys: "Z_PK, Z_ENT"
      case .rows: withSubentities ? table.familyRowColumns : table.rowColumns
      }
    var expressions = PredicateSQL(nil, entityIndex: entityIndex, in: schema)
    for value in related { columns += ", " + expressions.text(of: value) }
    let window = hasOffset ? " LIMIT ? OFFSET ?" : hasLimit ? " LIMIT ?" : ""
    return "SELECT \(columns) FROM \(table.quotedName) AS \(Self.alias)"
      + table.whereClause(condition, withSubentities: withSubentities) + orderClause(in: schema)
      + window
  }

  private func orderClause(in schema: Schema) -> String {
    guard !order.isEmpty else { return "" }
    var expressions = PredicateSQL(nil, entityIndex: entityIndex, in: schema)
    let terms = order.map { expressions.text(of: $0) + ($0.isAscending ? "" : " DESC") }
    return " ORDER BY " + (terms + ["Z_PK"]).joined(separator: ", ")
  }
}

extension EntityTable {
  func whereClause(_ condition: [PredicateToken], withSubentities: Bool) -> String {
    let kinds = withSubentities ? familyCondition : ownCondition
    let tokens = condition.map { $0.sql(quotedColumn) }.joined()
    let parts = [kinds ?? "", tokens].filter { !$0.isEmpty }
    return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
  }
}

extension PredicateToken {
  func sql(_ name: (Int) -> String) -> String {
    switch self {
    case .open: return "("
    case .close: return ")"
    case .and: return " AND "
    case .or: return " OR "
    case .text(let text): return text
    case .constant(let value): return value ? "1" : "0"
    case .isNull(let index, let isNull): return name(index) + (isNull ? " IS NULL" : " IS NOT NULL")
    case .compare(let index, let comparison, let orNull):
      let column = name(index)
      let test = "\(column) \(comparison.sql) ?"
      return orNull ? "(\(test) OR \(column) IS NULL)" : test
    case .isIn(let index, let count, let isNegated):
      let column = name(index)
      let list = "(\(placeholders(count)))"
      return isNegated ? "(\(column) NOT IN \(list) OR \(column) IS NULL)" : "\(column) IN \(list)"
    case .isInSet(let index, let isNegated):
      let test = "\(ValueSetArgument.function)(\(name(index)), ?)"
      return isNegated ? "NOT \(test)" : test
    }
  }
}

/// The columns that a query selects besides those of its entity.
package struct RelatedColumns: Sendable {
  package private(set) var types: ContiguousArray<AttributeType> = []

  package init() {}

  package init(_ shape: QueryShape, in schema: Schema) {
    let sql = PredicateSQL(nil, entityIndex: shape.entityIndex, in: schema)
    types = ContiguousArray(shape.related.map { sql.type(of: $0) })
  }

  /// The values of the statement's row.
  package func values(of handle: OpaquePointer) -> ContiguousArray<Value> {
    decodeValues(types, of: handle, from: sqlite3_column_count(handle) - CInt(types.count))
  }
}

struct DictionaryQuery {
  private(set) var sql: String
  private(set) var parameters: Parameters

  init(_ request: DictionaryRequest, in schema: Schema, storeNumber: Int32) {
    let index = schema.model.index(of: request.entity)
    let table = schema.tables[index]
    let predicate = request.predicate?.limited(toStore: storeNumber)
    let condition = PredicateSQL(predicate, entityIndex: index, in: schema)
    var expressions = PredicateSQL(nil, entityIndex: index, in: schema)
    let columns = request.properties.map { expressions.text(of: $0) }
    let groups = request.groupBy.map { expressions.text(of: $0) }
    parameters = condition.parameters
    sql = "SELECT \(request.returnsDistinctResults ? "DISTINCT " : "")"
    sql += columns.joined(separator: ", ")
    sql += " FROM \(table.quotedName) AS \(QueryShape.alias)"
    sql += table.whereClause(condition.tokens, withSubentities: request.includesSubentities)
    if !groups.isEmpty { sql += " GROUP BY " + groups.joined(separator: ", ") }
    if !request.sortTerms.isEmpty {
      let terms = request.sortTerms.map { Self.term($0, columns) }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    // The caller applies the limit after filtering by `having`.
    guard request.having == nil, request.limit != nil || request.offset > 0 else { return }
    sql += " LIMIT ? OFFSET ?"
    parameters.append(.int64(Int64(request.limit ?? -1)))
    parameters.append(.int64(Int64(request.offset)))
  }

  private static func term(_ term: SortTerm, _ columns: [String]) -> String {
    require(term.steps.isEmpty, "the order of a result is by its properties")
    // A number orders by the result's column of that number.
    let text = term.options.isEmpty ? String(term.attribute + 1) : columns[term.attribute]
    return TextFunctions.ordered(text, by: term) + (term.isAscending ? "" : " DESC")
  }
}

extension PredicateSQL {
  fileprivate mutating func text(of property: DictionaryProperty) -> String {
    guard let path = property.path else { return "count(*)" }
    let value = text(of: path)
    return switch property.function {
    case .value: value
    case .count: "count(\(value))"
    // SQLite's total() is 0 without values as well, but adds integers as real numbers.
    case .sum: "ifnull(sum(\(value)), 0)"
    case .minimum: "min(\(value))"
    case .maximum: "max(\(value))"
    case .average: "avg(\(value))"
    }
  }
}
