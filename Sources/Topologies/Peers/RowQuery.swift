import GRDB
import ObjectGraph
import SQLiteStore

/// A list's query as a statement of GRDB. Connections keep their statements.
struct RowQuery {
  private let table: EntityTable
  private let related: RelatedColumns
  private let sql: String
  private let parameters: Parameters

  init(_ list: ListQuery, _ output: QueryShape.Output = .rows, in schema: Schema) {
    table = schema.table(of: list.entity)
    var request = list.request
    request.includesSubentities = false
    let query = Query(request, output, related: output == .rows ? list.related : [], in: schema)
    related = RelatedColumns(query.shape, in: schema)
    (sql, parameters) = (query.shape.sql(in: schema), query.parameters)
  }

  func records(_ database: Database) throws -> [RowRecord] {
    try withStatement(database) { statement in
      try RowRecord.of(table, related) { try RowRecord.fetchAll(statement) }
    }
  }

  /// The record's values without the related ones.
  func row(of record: RowRecord) -> ContiguousArray<Value> {
    let (values, count) = (record.values, table.layouts.count)
    return values.count == count ? values : ContiguousArray(values.prefix(count))
  }

  func count(_ database: Database) throws -> Int {
    try withStatement(database) { try Int.fetchOne($0) ?? 0 }
  }

  private func withStatement<R>(
    _ database: Database, _ body: (Statement) throws -> R
  ) throws -> R {
    let statement = try database.cachedStatement(sql: sql)
    // The parameters are bound by the handle, which GRDB does not see.
    statement.setUncheckedArguments([])
    defer { parameters.unbind(from: statement.sqliteStatement) }
    try parameters.bind(to: statement.sqliteStatement)
    return try body(statement)
  }
}
