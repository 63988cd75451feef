import GRDBSQLite
public import ObjectGraph
import Queues

/// The SQL of a dictionary request, and the values to bind to it.
struct DictionaryQuery {
  let sql: String
  let condition: PredicateSQL
  private let window: [Int64]

  init(_ request: DictionaryRequest, in schema: Schema) {
    let index = schema.model.index(of: request.entity)
    let table = schema.tables[index]
    let condition = PredicateSQL(request.predicate, entityIndex: index, in: schema)
    var expressions = PredicateSQL(nil, entityIndex: index, in: schema)
    let columns = request.properties.map { expressions.text(of: $0) }
    let groups = request.groupBy.map { expressions.text(of: $0) }
    var sql = "SELECT \(request.returnsDistinctResults ? "DISTINCT " : "")"
    sql += columns.joined(separator: ", ")
    sql += " FROM \(table.quotedName) AS \(QueryShape.alias)"
    sql += Self.whereClause(request, condition, table)
    if !groups.isEmpty { sql += " GROUP BY " + groups.joined(separator: ", ") }
    if !request.sortTerms.isEmpty {
      let terms = request.sortTerms.map { Self.term($0, columns) }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    // The limit applies after `having`, so the caller applies it.
    let hasWindow = request.having == nil && (request.limit != nil || request.offset > 0)
    if hasWindow { sql += " LIMIT ? OFFSET ?" }
    self.sql = sql
    self.condition = condition
    self.window = hasWindow ? [Int64(request.limit ?? -1), Int64(request.offset)] : []
  }

  private static func whereClause(
    _ request: DictionaryRequest, _ condition: PredicateSQL, _ table: EntityTable
  ) -> String {
    let kinds = request.includesSubentities ? table.familyCondition : table.ownCondition
    let tokens = condition.tokens.map { $0.sql(table.quotedColumn) }.joined()
    let parts = [kinds, tokens.isEmpty ? nil : tokens].compactMap(\.self)
    return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
  }

  private static func term(_ descriptor: SortTerm, _ columns: [String]) -> String {
    precondition(descriptor.steps.isEmpty, "the order of a result is by its properties")
    let number = String(descriptor.attribute + 1)
    let text =
      descriptor.options.isEmpty
      ? number
      : "\(TextFunctions.fold)(\(columns[descriptor.attribute]), \(descriptor.options.rawValue))"
    return text + (descriptor.isAscending ? "" : " DESC")
  }

  func bind(to handle: OpaquePointer) {
    SQLiteStore.bind(condition.values, condition.pointers, to: handle)
    for (index, number) in window.enumerated() {
      sqlite3_bind_int64(handle, CInt(condition.values.count + index + 1), number)
    }
  }
}

extension PredicateSQL {
  fileprivate mutating func text(of property: DictionaryProperty) -> String {
    guard let path = property.path else { return "count(*)" }
    let value = text(of: path)
    return switch property.function {
    case .value: value
    case .count: "count(\(value))"
    case .sum: "sum(\(value))"
    case .minimum: "min(\(value))"
    case .maximum: "max(\(value))"
    case .average: "avg(\(value))"
    }
  }
}

extension SQLiteCoordinator {
  public func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    try request.checkIsStored(in: model)
    let query = DictionaryQuery(request, in: schema)
    let types = ContiguousArray(request.properties.map(\.type))
    let rows = try exclusively {
      try pool.read { connection in
        let statement = try connection.statement(.sql(query.sql))
        defer { unbind(query.condition.pointers, from: statement.handle) }
        query.bind(to: statement.handle)
        var rows: [ContiguousArray<Value>] = []
        while try statement.step() {
          rows.append(decodeValues(types, of: statement.handle, from: 0))
        }
        Activity.count(.statements)
        Activity.count(.rowsRead, rows.count)
        return rows
      }
    }
    return request.window(rows)
  }
}
