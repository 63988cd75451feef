public import ObjectGraph
import Queues

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
    // The caller applies the limit after `having`.
    guard request.having == nil, request.limit != nil || request.offset > 0 else { return }
    sql += " LIMIT ? OFFSET ?"
    parameters.append(.int64(Int64(request.limit ?? -1)))
    parameters.append(.int64(Int64(request.offset)))
  }

  private static func term(_ term: SortTerm, _ columns: [String]) -> String {
    require(term.steps.isEmpty, "the order of a result is by its properties")
    // A number orders by the result's column of that number.
    let text =
      term.options.isEmpty
      ? String(term.attribute + 1) : TextFunctions.fold(columns[term.attribute], term.options)
    return text + (term.isAscending ? "" : " DESC")
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

extension SQLiteCoordinator {
  public func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    try request.checkIsStored(in: model)
    let query = DictionaryQuery(request, in: schema, storeNumber: storeNumber)
    let types = ContiguousArray(request.properties.map(\.type))
    let rounded = request.properties.indices.filter { request.properties[$0].isComputedDecimal }
    let rows = try self.request(.reading) {
      try reading(.sql(query.sql), query.parameters) { statement in
        var rows: [ContiguousArray<Value>] = []
        while try statement.step() {
          var row = decodeValues(types, of: statement.handle, from: 0)
          for index in rounded { row[index].roundDecimal() }
          rows.append(row)
        }
        Activity.count(.rowsRead, rows.count)
        return rows
      }
    }
    return request.window(rows)
  }
}

extension DictionaryProperty {
  /// Whether SQLite adds doubles to compute it.
  fileprivate var isComputedDecimal: Bool {
    type == .decimal && (function == .sum || function == .average)
  }
}

extension Value {
  fileprivate mutating func roundDecimal() {
    if case .decimal(let value) = self { self = .decimal(value.decimal) }
  }
}
