import GRDBSQLite
package import ObjectGraph
package import SQLiteStore
package import Queues

/// Keeps a store open, executes the baseline's statements (`RawSQLite`) and counts them. Any thread
/// may call it. Writes wait for the one writing connection; these waits count as `.sqlite`. The
/// connections have a coordinator's settings.
package final class PlainStore: Sendable {
  private let configuration: StoreConfiguration
  private let pool: ConnectionPool
  private let schema: Schema
  private let rows: [RowEntity]
  private let lookup: Lookup
  /// By entity.
  private let decoders: [EntityDecoder]
  private let deletion: PlainDeletion
  private let trace: StatementTrace
  private let commitTime = Lock<Instant?>(nil)

  /// - Parameter rows: the entities by index. The first is the list's.
  package init(
    _ configuration: StoreConfiguration, model: Model, rows: [RowEntity],
    lookup: Lookup
  ) throws {
    let schema = try Schema(model)
    self.configuration = configuration
    self.schema = schema
    self.lookup = lookup
    self.rows = rows
    deletion = PlainDeletion(schema)
    decoders = model.entities.indices.map {
      EntityDecoder($0, in: schema, storeNumber: 0, withSubentities: false)
    }
    let trace = StatementTrace()
    self.trace = trace
    pool = try configuration.reporting(.opening) {
      try ConnectionPool(configuration, schema: schema, didOpen: trace.install)
    }
  }

  /// The end of the last commit, on the system's monotonic clock.
  package var lastCommit: Instant? { commitTime.withLock { $0 } }

  package func openReaders() throws {
    try configuration.reporting(.opening) { try pool.openReaders() }
  }

  package func close() throws { try configuration.reporting(.closing) { try pool.close() } }

  /// Applies changes in one transaction, with the model's delete rules.
  ///
  /// - Throws: `StoreError.noSuchRow` or `.deleteDenied`, with nothing written.
  package func apply(_ changes: [Change]) throws {
    try Activity.slice(.save) {
      try configuration.reporting(.saving) {
        try pool.write { connection in
          let tables = try rows.map { try RawTable($0, connection, schema: schema) }
          var run = try RawRun(connection, tables, lookup: lookup, deletion: deletion)
          let runs = try changes.runsUntilDeletions.map { try run.prepare($0) }
          try run.apply(runs[0], and: runs.dropFirst())
          commitTime.setToNow()
          Activity.count(.commits)
          Activity.count(.rowsWritten, changes.count + run.rowsBeyondChanges)
        }
      }
    }
  }

  private func reading<R>(_ body: (Connection) throws -> R) throws -> R {
    try Activity.slice(.fetch) {
      try configuration.reporting(.reading) { try pool.read(body) }
    }
  }

  /// The primary keys of a list's rows in order, and each row's value of `section`.
  ///
  /// - Parameter section: nil for no values.
  /// - Throws: `StoreError`.
  package func orderedKeys(
    of list: FetchRequest, section: RelatedValue? = nil
  ) throws -> (keys: [Int64], sections: [Value]) {
    try reading { connection in
      let query = Query(list, .keys, related: [section].compactMap(\.self), in: schema)
      let decoder = RelatedColumns(query.shape, in: schema)
      return try connection.withStatement(.query(query.shape), query.parameters) { statement in
        var (keys, sections): ([Int64], [Value]) = ([], [])
        while try statement.step() {
          keys.append(sqlite3_column_int64(statement.handle, 0))
          if section != nil { sections += decoder.values(of: statement.handle) }
        }
        return (keys, sections)
      }
    }
  }

  /// Nil if there is no such row.
  ///
  /// - Throws: `StoreError`.
  package func row(_ key: Int64, of entity: Int) throws -> ContiguousArray<Value>? {
    try row(key, .row(entity)) { try decoders[entity].row(of: $0).snapshot.values }
  }

  /// The row's values, and then the related ones. Nil if there is no such row.
  ///
  /// - Throws: `StoreError`.
  package func row(_ key: Int64, _ query: RelatedQuery) throws -> ContiguousArray<Value>? {
    try row(key, .query(query.shape)) {
      try decoders[query.entity].row(of: $0).snapshot.values + query.columns.values(of: $0)
    }
  }

  private func row(
    _ key: Int64, _ statement: Connection.StatementKey,
    _ values: (OpaquePointer) throws -> ContiguousArray<Value>
  ) throws -> ContiguousArray<Value>? {
    try reading { connection in
      let statement = try connection.statement(statement)
      defer { statement.reset() }
      try bind(.int64(key), to: statement.handle, at: 1)
      return try statement.step() ? try values(statement.handle) : nil
    }
  }

  package func query(ofEntity index: Int, related: [RelatedValue]) -> RelatedQuery {
    let shape = QueryShape.row(ofEntity: index, related: related)
    return RelatedQuery(entity: index, shape: shape, columns: RelatedColumns(shape, in: schema))
  }

  /// - Throws: `StoreError`.
  package func count(_ request: FetchRequest) throws -> Int {
    try reading { connection in
      let query = Query(request, .count, in: schema)
      return try connection.withStatement(.query(query.shape), query.parameters) {
        try $0.step() ? Int(sqlite3_column_int64($0.handle, 0)) : 0
      }
    }
  }

  /// Returns the number of rows with these values of the key attribute.
  package func readRows(of keys: [Value]) throws -> Int {
    try reading { connection in
      let request = FetchRequest(rows[0].entity, where: .isIn(rows[0].keyIndex, ValueSet(keys)))
      let query = Query(request, .rows, in: schema)
      return try connection.withStatement(.query(query.shape), query.parameters) {
        try decoders[schema.model.index(of: request.entity)].rows(of: $0).count
      }
    }
  }
}

/// Selects one row of an entity with related values. Made once for a list.
package struct RelatedQuery: Sendable {
  fileprivate let entity: Int
  fileprivate let shape: QueryShape
  fileprivate let columns: RelatedColumns
}
