public import ObjectGraph
public import Queues

// Who holds what while a request is served:
//
//   serial   ├── lock ─────────────────────────────────────────────┤
//            │ row cache │ connection: SQL      │ row cache        │
//   pool     ├── lock ───┤                      ├── lock ──────────┤
//
// A save reserves keys, writes and commits on the one writing connection; everything else reads.
// No block of a caller and no notification runs in here.

/// A persistent store coordinator over one SQLite file.
///
/// Requests run on the calling thread, which waits as `StoreMode` says: for the coordinator's lock
/// and for a reading connection charged to `.coordinator`, for the writing connection and for
/// SQLite's own lock to `.sqlite`.
///
/// On the calling thread it counts: *statements*, each execution of an SQL statement (a save
/// executes one for each row, one for the keys of each inserted entity, and one for each conflict;
/// BEGIN and COMMIT do not count); *commits*, of saves and of reservations of keys; *rows read*, by
/// fetches and faults, not those that a count passes; *rows written*, once they are committed.
///
/// Errors are `SaveError` and `StoreError`, and GRDB's `DatabaseError` for what SQLite reports.
///
// `@unchecked Sendable`: everything is immutable but the row cache, which only `withCache` touches,
// with `lock` held: by itself in pool mode, by `exclusively` around it in serial mode.
public final class SQLiteCoordinator: PersistentStoreCoordinator, @unchecked Sendable {
  public let model: Model
  public let storeNumber: Int32
  public let saveListeners: SaveListeners
  package let configuration: StoreConfiguration
  let schema: Schema
  let pool: ConnectionPool
  /// By entity, of rows of it alone, and of rows that may be of its subentities.
  let decoders: [EntityDecoder]
  let familyDecoders: [EntityDecoder]
  let commitTime: Lock<Instant?>
  private let lock: ChargedLock
  // Exclusive access is not checked at run time: `lock` is what makes it exclusive.
  @exclusivity(unchecked) private var cache = RowCache()

  /// Opens the store, or makes an empty one where there is no file. Opens all its connections.
  ///
  /// - Throws: `StoreError` if the file is something else or a store of another model, GRDB's
  ///   `DatabaseError` if it cannot be opened.
  public init(_ configuration: StoreConfiguration, model: Model) throws {
    let schema = try Schema(model)
    let pool = try ConnectionPool(configuration, schema: schema)
    let number = StoreNumber.number(path: configuration.path, uuid: pool.metadata.uuid)
    saveListeners = SaveListeners()
    commitTime = Lock(nil)
    lock = ChargedLock()
    self.model = model
    self.configuration = configuration
    self.schema = schema
    self.pool = pool
    self.storeNumber = number
    (decoders, familyDecoders) = Self.decoders(of: schema, storeNumber: number)
  }

  /// One that reads a state of the store which does not change.
  private init(pinning base: SQLiteCoordinator) throws {
    pool = try ConnectionPool(pinning: base.pool)
    model = base.model
    storeNumber = base.storeNumber
    saveListeners = base.saveListeners
    configuration = base.configuration
    schema = base.schema
    decoders = base.decoders
    familyDecoders = base.familyDecoders
    commitTime = base.commitTime
    lock = base.lock
  }

  /// As the protocol says: each has a connection of its own for as long as it is held, opened if none
  /// is spare, and its own row cache.
  public func generation() throws -> any PersistentStoreCoordinator {
    try exclusively { try SQLiteCoordinator(pinning: self) }
  }

  private static func decoders(
    of schema: Schema, storeNumber: Int32
  ) -> ([EntityDecoder], [EntityDecoder]) {
    func decoders(withSubentities: Bool) -> [EntityDecoder] {
      schema.tables.enumerated().map { index, table in
        EntityDecoder(
          index, in: schema, storeNumber: storeNumber,
          withSubentities: withSubentities && table.hasSubentities)
      }
    }
    return (decoders(withSubentities: false), decoders(withSubentities: true))
  }

  deinit {
    // Nothing to tell the error to; closing by `close` tells it.
    try? pool.close()
  }

  /// Closes all connections, leaving the file without a WAL if no other coordinator has it open.
  /// Later requests that need SQLite fail.
  ///
  /// - Precondition: no request is under way.
  public func close() throws {
    try pool.close()
  }

  /// When the last commit of a save or batch ended, on the system's monotonic clock; nil before the first.
  public var lastCommit: Instant? { commitTime.withLock { $0 } }

  public var storeIdentifier: String { pool.metadata.uuid }

  /// How many WAL checkpoints this coordinator has run.
  package var checkpointCount: Int { pool.checkpointer.count }

  /// How many objects are registered in the row cache.
  package var cachedObjectCount: Int { exclusively { withCache { $0.count } } }

  /// The row that the cache holds of an object; nil if it holds none.
  package func cachedSnapshot(of id: ManagedObjectID) -> RowSnapshot? {
    exclusively { withCache { $0.snapshot(of: id) } }
  }

  public func register(_ ids: [ManagedObjectID]) {
    exclusively { withCache { $0.register(ids) } }
  }

  public func unregister(_ ids: [ManagedObjectID]) {
    exclusively { withCache { $0.unregister(ids) } }
  }
}

extension SQLiteCoordinator {
  /// A request: in serial mode, the only one.
  func exclusively<R>(_ request: () throws -> R) rethrows -> R {
    switch configuration.mode {
    case .serial: try lock.withLock(waitingAs: .coordinator, request)
    case .pool: try request()
    }
  }

  /// The row cache, inside `exclusively`.
  func withCache<R>(_ body: (inout RowCache) -> R) -> R {
    switch configuration.mode {
    case .serial: body(&cache)
    case .pool: lock.withLock(waitingAs: .coordinator) { body(&cache) }
    }
  }

  /// Runs SQL and takes its outcome into the row cache, which knows meanwhile that a request is
  /// under way.
  func caching<R>(
    _ work: () throws -> R, _ take: (inout RowCache, inout R) -> Void
  ) throws -> R {
    withCache { $0.requestBegan() }
    do {
      var result = try work()
      withCache { cache in
        take(&cache, &result)
        cache.requestEnded()
      }
      return result
    } catch {
      withCache { $0.requestEnded() }
      throw error
    }
  }
}
