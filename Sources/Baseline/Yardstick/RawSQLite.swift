package import ObjectGraph
package import SQLiteStore
package import Queues

// The baseline `raw_sqlite_ms`: the same work without contexts and GRDB's rows. For each batch:
//
//   SELECT … WHERE key IN (…)       or one SELECT for each object; reads every column
//   BEGIN IMMEDIATE
//   UPDATE Z_PRIMARYKEY …           for each entity with inserts
//   INSERT · UPDATE … AND Z_OPT = ? · DELETE … AND Z_OPT = ?     one for each row
//   COMMIT                          a passive checkpoint if the WAL is long enough
//
// The time runs from the first lookup to the last commit, with checkpoints and fsyncs. Opening the
// connection and preparing statements do not count: the core does both before its first change.

/// Applies changes by prepared statements. The file ends as the core would leave it.
package struct RawSQLite {
  private let configuration: StoreConfiguration
  private let schema: Schema
  private let rows: [RowEntity]
  private let lookup: Lookup

  /// - Parameter rows: the entities by index.
  package init(
    _ configuration: StoreConfiguration, model: Model, rows: [RowEntity], lookup: Lookup
  ) throws {
    self.configuration = configuration
    self.schema = try Schema(model)
    self.rows = rows
    self.lookup = lookup
  }

  /// - Throws: `StoreError.noSuchRow` if a row to change or to refer to is missing.
  package func run(
    _ batches: [[Change]], clock: any MonotonicClock = SystemClock()
  ) throws -> Duration {
    try connected { try time(batches, on: $0, clock: clock) }
  }

  /// Reads each column of each row that a list fetches, by one statement.
  package func read(
    _ request: FetchRequest, clock: any MonotonicClock = SystemClock()
  ) throws -> Duration {
    let query = Query(request, .rows, in: schema)
    let types = schema.table(of: request.entity).layouts.flatMap(\.storedTypes)
    return try connected { connection in
      try connection.withStatement(.query(query.shape), query.parameters) { statement in
        let start = clock.now()
        while try statement.step() {
          for index in types.indices {
            touch(types[index], of: statement.handle, at: CInt(index + 2))
          }
        }
        return clock.now() - start
      }
    }
  }

  private func connected(_ body: (Connection) throws -> Duration) throws -> Duration {
    let opening = StoreOpening(configuration)
    let queue = try opening.writer()
    let connection = try Connection(queue, checkpointer: opening.checkpointer, schema: schema)
    let elapsed = try body(connection)
    try connection.close()
    return elapsed
  }

  /// Returning releases the statements, so that the connection can close.
  private func time(
    _ batches: [[Change]], on connection: Connection, clock: any MonotonicClock
  ) throws -> Duration {
    let tables = try rows.map { try RawTable($0, connection, schema: schema) }
    var run = try RawRun(connection, tables, lookup: lookup)
    let prepared = try batches.map { try run.prepare($0) }
    let start = clock.now()
    for batch in prepared { try run.apply(batch) }
    return clock.now() - start
  }
}
