public import ObjectGraph
public import Queues

// The locks of a request:
//
//   serial   ├── lock ─────────────────────────────────────────────┤
//            │ row cache │ connection: SQL      │ row cache        │
//   pool     ├── lock ───┤                      ├── lock ──────────┤
//
// No caller's closure runs under them, except that a save may settle conflicts (`SettlingThread`).

/// A persistent store coordinator over one SQLite file.
///
/// Requests run on the calling thread and wait as `StoreMode` says. Waits for its lock or a reading
/// connection count as `.coordinator`, waits for the writing connection or SQLite's lock as
/// `.sqlite`. The calling thread counts:
///
/// - *statements*: each execution, except BEGIN and COMMIT. A save executes one for each row, each
///   inserted entity's keys, and each conflict.
/// - *commits*: of saves and of key reservations.
/// - *rows read*: by fetches and faults, not by counts.
/// - *rows written*: once they are committed.
///
/// It throws `SaveError` for conflicts, and else `StoreError`.
///
/// Example: `Snippets/open-and-save.swift`.
// `@unchecked Sendable`: only `withCache` touches the mutable row cache. `lock` is then held: by
// `withCache` in pool mode, by `exclusively` in serial mode.
public final class SQLiteCoordinator: PersistentStoreCoordinator, @unchecked Sendable {
  public let model: Model
  public let storeNumber: Int32
  public let saveListeners: SaveListeners
  package let configuration: StoreConfiguration
  let schema: Schema
  let pool: ConnectionPool
  /// By entity; `familyDecoders` also decode its subentities.
  let decoders: [EntityDecoder]
  let familyDecoders: [EntityDecoder]
  let commitTime: Lock<Instant?>
  private let lock: ChargedLock
  // Not checked at run time, because `lock` ensures exclusive access.
  @exclusivity(unchecked) private var cache = RowCache()

  /// Opens the writing connection. Creates an empty store if there is no file.
  ///
  /// - Throws: `StoreError` if the file cannot be opened, or is no store of this model.
  public init(_ configuration: StoreConfiguration, model: Model) throws {
    let schema = try Schema(model)
    let pool = try configuration.reporting(.opening) {
      try ConnectionPool(configuration, schema: schema)
    }
    saveListeners = SaveListeners()
    commitTime = Lock(nil)
    lock = ChargedLock(for: "a request to '\(configuration.path)'")
    self.model = model
    self.configuration = configuration
    self.schema = schema
    self.pool = pool
    storeNumber = pool.storeNumber
    decoders = schema.tables.map {
      EntityDecoder($0.index, in: schema, storeNumber: pool.storeNumber, withSubentities: false)
    }
    familyDecoders = schema.tables.map {
      EntityDecoder(
        $0.index, in: schema, storeNumber: pool.storeNumber, withSubentities: $0.hasSubentities)
    }
  }

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

  /// A coordinator that goes on reading the store's present state, on its own connection (a query
  /// generation).
  public func generation() throws -> any PersistentStoreCoordinator {
    try request(.reading) { try SQLiteCoordinator(pinning: self) }
  }

  deinit { try? pool.close() }

  /// Opens all reading connections at once, so that no later read spends time on it.
  ///
  /// - Precondition: no request is running.
  public func openReaders() throws {
    try configuration.reporting(.opening) { try pool.openReaders() }
  }

  /// Closes all connections, and removes the WAL unless others have the file open. If the disk
  /// fails meanwhile, the WAL stays, and the next opening reads it. Later requests that need SQLite
  /// fail.
  ///
  /// - Precondition: no request is running.
  public func close() throws {
    try configuration.reporting(.closing) { try pool.close() }
  }

  /// The end of the last save or batch request, on the system's monotonic clock.
  public var lastCommit: Instant? { commitTime.withLock { $0 } }

  public var storeIdentifier: String { pool.storeIdentifier }

  package var checkpointCount: Int { pool.checkpointer.count }

  package var cachedObjectCount: Int { exclusively { withCache { $0.count } } }

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
  @inline(__always)  // A fault in the row cache costs less than one of the closures would.
  func request<R>(_ operation: StoreOperation, _ body: () throws -> R) throws -> R {
    do { return try exclusively(body) } catch { throw configuration.reported(error, operation) }
  }

  func exclusively<R>(_ request: () throws -> R) rethrows -> R {
    switch configuration.mode {
    case .serial where !pool.settlingThread.isCurrent:
      try lock.withLock(waitingAs: .coordinator, request)
    case .serial, .pool: try request()
    }
  }

  /// Call it inside `exclusively`.
  func withCache<R>(_ body: (inout RowCache) -> R) -> R {
    switch configuration.mode {
    case .serial: body(&cache)
    case .pool: lock.withLock(waitingAs: .coordinator) { body(&cache) }
    }
  }

  func caching<R>(
    _ work: () throws -> R, _ take: (inout RowCache, inout R, RowCache.RequestNumber) -> Void
  ) throws -> R {
    let number = withCache { $0.requestBegan() }
    do {
      var result = try work()
      withCache { cache in
        take(&cache, &result, number)
        cache.requestEnded()
      }
      return result
    } catch {
      withCache { $0.requestEnded() }
      throw error
    }
  }
}

extension SQLiteCoordinator {
  /// Calls `body` after each transaction in the history, by any coordinator of this file in this
  /// process. It runs on the requesting thread with no lock held. Without a history, `body` is
  /// never called.
  ///
  /// Core Data's notification also reports other processes. Polling SQLite's `data_version` for
  /// them would add reads to the measured work. Read the history after the last token instead.
  public func observeRemoteChanges(
    _ body: @escaping @Sendable (HistoryToken) -> Void
  ) -> RemoteChangeObservation { RemoteChanges.observe(storeNumber, body) }
}
