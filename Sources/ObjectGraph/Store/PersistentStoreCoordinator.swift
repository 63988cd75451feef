/// The store beneath contexts. The store's own target implements it with SQLite.
///
/// Every call runs on the calling thread and may wait. In *serial* mode it waits for whole
/// requests; in *pool* mode only for the row cache and a connection.
///
/// The **row cache** holds the last known row of each object that a context of this coordinator
/// registers. Registrations are counted. `fetch` and `save` count one for each row that they return
/// or insert; the caller returns those of already registered objects (`unregister`). An entry
/// without registrations is removed, and a later fault on its object reads SQLite.
public protocol PersistentStoreCoordinator: AnyObject, Sendable {
  var model: Model { get }

  /// The same for every coordinator of one file in this process.
  var storeNumber: Int32 { get }

  /// A copy of the file has the same one.
  var storeIdentifier: String { get }

  /// The contexts that automatically merge saves through this coordinator.
  var saveListeners: SaveListeners { get }

  /// Reads the matching rows from SQLite, even if they are cached. The row cache keeps them, each
  /// registered once for the caller.
  func fetch(_ request: FetchRequest) throws -> [FetchedRow]

  /// The number of matching rows, up to the request's limit.
  func count(_ request: FetchRequest) throws -> Int

  /// The IDs of the matching rows, in order. It reads no values and registers nothing.
  func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID]

  func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>]

  /// The rows with these permanent IDs, in the same order, from the row cache or else from SQLite;
  /// nil for rows that are gone. A row read from SQLite is cached if its object is registered.
  func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?]

  /// Like `snapshots(of:)`, but runs no SQL: nil for rows that are not cached.
  func cachedSnapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?]

  /// Like `snapshots(of:)`, for one row. A fault calls it.
  func snapshot(of id: ManagedObjectID) throws -> RowSnapshot?

  /// The IDs in a to-many relationship of a stored object, read from SQLite in order of keys.
  ///
  /// - Parameter relationship: its index in the entity's `toManyRelationships`.
  func related(to id: ManagedObjectID, at relationship: Int) throws -> [ManagedObjectID]

  /// A coordinator whose reads show the store's current state as long as it lives. It writes
  /// through this coordinator, keeps the rows that it reads, and ignores registrations.
  func generation() throws -> any PersistentStoreCoordinator

  /// Like `related(to:at:)` for several objects whose entities inherit the same relationship. One
  /// statement reads thousands of them.
  func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]]

  /// Removes the cached rows of these objects. They stay registered; their next fault reads SQLite.
  func forgetRows(of ids: [ManagedObjectID])

  /// Writes all changes in one transaction, or none.
  ///
  /// - Throws: `SaveError.conflict` if a row to update or delete does not have the given version.
  /// - Returns: the permanent IDs of the inserted objects, in order. Inserted rows have version 1,
  ///   or a higher one than ever before if they return; updated rows the given version plus 1.
  ///   Inserted rows are registered once for the caller. Deleted rows leave the row cache
  ///   regardless of registrations.
  func save(_ request: SaveRequest) throws -> [ManagedObjectID]

  /// Like `save`, and returns the save's position in the store's history.
  func commit(_ request: SaveRequest) throws -> SaveReceipt

  /// Like `commit`, while nobody else can write to the store. After a conflict it writes what
  /// `settle` returns instead.
  ///
  /// `settle` runs on the calling thread and may read through this coordinator. It sees the rows
  /// that the request conflicts with.
  /// - Throws: an error of `settle`. Nothing is then written.
  func commit(
    _ request: SaveRequest, settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt

  /// Changes many rows by SQL in one transaction. It does not update the row cache.
  ///
  /// - Throws: `SaveError.constraint` if the request violates a uniqueness constraint.
  func execute(_ request: BatchRequest) throws -> BatchResult

  /// Reserves primary keys in the store for unsaved objects. It costs a transaction.
  func obtainPermanentIDs(for temporaryIDs: [ManagedObjectID]) throws -> [ManagedObjectID]

  /// Counts one registration for each ID; temporary IDs are ignored.
  func register(_ ids: [ManagedObjectID])
  /// Removes one registration for each ID; temporary IDs are ignored.
  func unregister(_ ids: [ManagedObjectID])
}

extension PersistentStoreCoordinator {
  /// For a coordinator without a cache.
  public func cachedSnapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try snapshots(of: ids)
  }

  public func commit(_ request: SaveRequest) throws -> SaveReceipt {
    SaveReceipt(insertedIDs: try save(request), historyToken: nil)
  }

  /// Repeats the save, for a coordinator that cannot keep others from writing.
  public func commit(
    _ request: SaveRequest, settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt {
    var request = request
    while true {
      do { return try commit(request) } catch let error as SaveError {
        request = try settle(error)
      }
    }
  }
}

public struct SaveReceipt: Sendable {
  /// The permanent IDs of the inserted objects, in order.
  public let insertedIDs: [ManagedObjectID]
  /// The save's position in the store's history; nil if there is no history, or nothing was
  /// written.
  public let historyToken: HistoryToken?
  /// The versions of the rows that came back.
  public let returnedVersions: [ManagedObjectID: Int64]

  public init(
    insertedIDs: [ManagedObjectID], historyToken: HistoryToken?,
    returnedVersions: [ManagedObjectID: Int64] = [:]
  ) {
    self.insertedIDs = insertedIDs
    self.historyToken = historyToken
    self.returnedVersions = returnedVersions
  }
}

public struct FetchedRow: Sendable {
  public let id: ManagedObjectID
  public private(set) var snapshot: RowSnapshot

  public init(id: ManagedObjectID, snapshot: RowSnapshot) {
    self.id = id
    self.snapshot = snapshot
  }

  mutating func takeSnapshot() -> RowSnapshot { snapshot.take() }
}

/// The net changes of a context, for the store.
public struct SaveRequest: Sendable {
  public struct Insert: Sendable {
    /// Temporary, or permanent if its key was reserved.
    public let id: ManagedObjectID
    public let values: ContiguousArray<Value>

    package init(id: ManagedObjectID, values: ContiguousArray<Value>) {
      self.id = id
      self.values = values
    }
  }

  public struct Update: Sendable {
    public let id: ManagedObjectID
    /// The whole row. Only the `changed` columns are written. There may be none: a changed
    /// relationship alone gives the row a new version.
    public let values: ContiguousArray<Value>
    public let changed: AttributeMask
    /// The version that the change is based on.
    public let version: Int64

    package init(
      id: ManagedObjectID, values: ContiguousArray<Value>, changed: AttributeMask, version: Int64
    ) {
      self.id = id
      self.values = values
      self.changed = changed
      self.version = version
    }
  }

  /// A pair of a many-to-many relationship, listed once from either side.
  public struct Link: Hashable, Sendable {
    public let source: ManagedObjectID
    /// The index of the relationship in the source's `toManyRelationships`.
    public let relationship: Int
    public let destination: ManagedObjectID

    package init(source: ManagedObjectID, relationship: Int, destination: ManagedObjectID) {
      self.source = source
      self.relationship = relationship
      self.destination = destination
    }
  }

  public struct Delete: Sendable {
    public let id: ManagedObjectID
    public let version: Int64

    package init(id: ManagedObjectID, version: Int64) {
      self.id = id
      self.version = version
    }
  }

  public var inserts: [Insert] = []
  /// The inserts whose rows existed before, under the same keys.
  public var returning: Set<ManagedObjectID> = []
  public var updates: [Update] = []
  public var deletes: [Delete] = []
  /// Temporary IDs in pairs and to-one columns belong to this request's inserts.
  public var linked: [Link] = []
  public var unlinked: [Link] = []
  /// Rows that are not written, but must have the given version for the save to succeed.
  public var checks: [Delete] = []
  /// Rows that new relations lead to and that are not written. They must exist, in any version.
  public var targets: [Delete] = []
  /// The author, for the store's history.
  public var author: String?
  public var contextName: String?

  package init() {}

  public var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && linked.isEmpty && unlinked.isEmpty
      && checks.isEmpty
  }
}

/// One state of a store, which contexts can read while others write.
///
/// A token or a pinned context holds the state. It occupies a connection, and SQLite's WAL grows
/// meanwhile: no checkpoint can pass a state that is being read.
public struct QueryGenerationToken: Sendable, Equatable {
  /// The store's state at the context's next read.
  public static let current = QueryGenerationToken(reader: nil)

  /// Reads this state; nil until it is chosen.
  let reader: (any PersistentStoreCoordinator)?

  private init(reader: (any PersistentStoreCoordinator)?) {
    self.reader = reader
  }

  init(of coordinator: any PersistentStoreCoordinator) throws {
    reader = try coordinator.generation()
  }

  public static func == (a: QueryGenerationToken, b: QueryGenerationToken) -> Bool {
    a.reader === b.reader
  }
}
