package import ObjectGraph
package import Queues

// What the same work costs without a core, without contexts and without GRDB's rows: the ruler that
// `raw_sqlite_ms` is. For each batch:
//
//   SELECT … WHERE key IN (…)       or one SELECT for each object; every column is read
//   BEGIN IMMEDIATE
//   UPDATE Z_PRIMARYKEY …           for each entity of which the batch inserts
//   INSERT · UPDATE … AND Z_OPT = ? · DELETE … AND Z_OPT = ?     one for each row
//   COMMIT                          a passive checkpoint if the WAL is long enough
//
// Timed is what lies between the first lookup and the last commit, checkpoints and fsyncs included.
// Opening and closing the connection and preparing the statements are not, as the core has done
// both before its first change.

/// The same changes and lookups by prepared statements of the SQLite C API, on one connection, set
/// as the store's writer is. The file ends as the core would leave it.
package struct RawSQLite {
  package enum Lookup: String, CaseIterable, Sendable {
    /// One statement for all rows of a batch that are to be changed or referred to.
    case perBatch
    /// One for each.
    case perObject
  }

  /// A change of a row, which is named by the value of its key attribute. A column that refers to
  /// another row holds the value of that row's key attribute, or null.
  package enum Change: Sendable {
    case insert(ContiguousArray<Value>)
    /// The columns, by their index, and their new values.
    case update(key: Value, [(Int, Value)])
    case delete(key: Value)
    /// Looked for, whether it is there or not, and left as it is.
    case find(key: Value)
    /// A whole row: looked for, and written where it differs, or inserted.
    case upsert(ContiguousArray<Value>)
    /// The same without looking: a uniqueness constraint finds the row that is there.
    case takeOver(ContiguousArray<Value>)
    /// Every row that matches is deleted.
    case deleteWhere(FetchPredicate)
    /// The same of another entity, by its place.
    indirect case of(Int, Change)
  }

  /// An entity whose rows change.
  package struct Rows: Sendable {
    package let entity: Entity
    /// The attribute that names a row, by its index.
    package let key: Int
    /// The to-one columns that are set, and the place of the entity that each leads to.
    package let references: [(column: Int, destination: Int)]

    package init(
      _ entity: Entity, key: Int, references: [(column: Int, destination: Int)] = []
    ) {
      self.entity = entity
      self.key = key
      self.references = references
    }

    /// The columns that a whole row sets: other relationships it leaves alone.
    package var givenColumns: [Int] {
      entity.columns.indices.filter { column in
        entity.columns[column].attribute != nil || references.contains { $0.column == column }
      }
    }
  }

  private let configuration: StoreConfiguration
  private let schema: Schema
  private let rows: [Rows]
  private let lookup: Lookup

  /// - Parameters:
  ///   - configuration: of the store that it is compared with. The mode makes no difference.
  ///   - rows: by their places; the first is that of changes which name none.
  package init(
    _ configuration: StoreConfiguration, model: Model, rows: [Rows], lookup: Lookup
  ) throws {
    self.configuration = configuration
    self.schema = try Schema(model)
    self.rows = rows
    self.lookup = lookup
  }

  /// Applies the batches to the store, a transaction each.
  ///
  /// - Throws: `StoreError.noSuchRow` if a row to change or to refer to is not there.
  /// - Returns: the time it took.
  package func run(
    _ batches: [[Change]], clock: any MonotonicClock = SystemClock()
  ) throws -> Duration {
    let opening = StoreOpening(configuration)
    let queue = try opening.writer()
    let connection = try Connection(queue, checkpointer: opening.checkpointer, schema: schema)
    let elapsed = try time(batches, on: connection, clock: clock)
    try connection.close()
    return elapsed
  }

  /// The statements go when this returns, so that the connection can be closed.
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
