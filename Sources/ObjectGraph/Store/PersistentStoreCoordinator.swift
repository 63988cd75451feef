/// The store beneath contexts, implemented with SQLite in its own target.
///
/// Every call runs on the calling thread and may wait: in *serial* mode for whole requests, in
/// *pool* mode only for the row cache and a connection.
///
/// The **row cache** holds the last known row of each registered object. `fetch` and `save` count a
/// registration for each row that they return or insert; the caller returns those of already
/// registered objects (`unregister`). An entry without registrations is removed, and a later fault
/// on its object reads SQLite.
///
/// Example: `Snippets/open-and-save.swift`.
public protocol PersistentStoreCoordinator: AnyObject, Sendable {
  var model: Model { get }

  /// The same for every coordinator of one file in this process.
  var storeNumber: Int32 { get }

  /// A copy of the file has the same one.
  var storeIdentifier: String { get }

  /// The contexts that automatically merge saves through this coordinator.
  var saveListeners: SaveListeners { get }

  /// Reads the matching rows from SQLite, even if they are cached. Caches each and registers it
  /// once for the caller.
  func fetch(_ request: FetchRequest) throws -> [FetchedRow]

  /// Applies the request's offset and limit.
  func count(_ request: FetchRequest) throws -> Int

  /// In order. Reads no values and registers nothing.
  func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID]

  func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>]

  /// The rows with these permanent IDs, in the same order, from the row cache or SQLite; nil for
  /// rows that are gone. A row from SQLite is cached if its object is registered.
  func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?]

  /// Runs no SQL: nil for rows that are not cached.
  func cachedSnapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?]

  /// Like `snapshots(of:)`. A fault calls it.
  func snapshot(of id: ManagedObjectID) throws -> RowSnapshot?

  /// The IDs in a to-many relationship of a stored object, read from SQLite in order of keys.
  ///
  /// - Parameter relationship: its index in the entity's `toManyRelationships`.
  func related(to id: ManagedObjectID, at relationship: Int) throws -> [ManagedObjectID]

  /// Makes a coordinator that reads the store's current state as long as it lives. It writes
  /// through this coordinator, keeps the rows that it reads, and ignores registrations.
  func generation() throws -> any PersistentStoreCoordinator

  /// The related IDs of many objects, whose entities share the relationship by inheritance. One
  /// statement reads thousands of objects.
  func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]]

  /// Removes the cached rows. The objects stay registered; their next fault reads SQLite.
  func forgetRows(of ids: [ManagedObjectID])

  /// Writes all changes in one transaction, or none.
  ///
  /// - Throws: `SaveError.conflict` if a row to update or delete does not have the given version.
  /// - Returns: the permanent IDs of the inserted objects, in order, each registered once for the
  ///   caller. Inserted rows have version 1. A row that existed before gets a higher version than
  ///   it ever had. Updated rows have the given version plus 1. Deleted rows leave the row cache
  ///   regardless of registrations.
  func save(_ request: SaveRequest) throws -> [ManagedObjectID]

  /// Like `save`, and returns the save's position in the store's history.
  func commit(_ request: SaveRequest) throws -> SaveReceipt

  /// Like `commit`, while nobody else can write to the store. After a conflict it writes what
  /// `settle` returns instead.
  ///
  /// `settle` runs on the calling thread and may read through this coordinator, also the
  /// conflicting rows.
  /// - Throws: an error of `settle`. Nothing is then written.
  func commit(
    _ request: SaveRequest, settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt

  /// Changes many rows by SQL in one transaction, but not the row cache.
  ///
  /// - Throws: `SaveError.constraint` if the request violates a uniqueness constraint.
  func execute(_ request: BatchRequest) throws -> BatchResult

  /// Reserves primary keys for unsaved objects. It costs a transaction.
  func obtainPermanentIDs(for temporaryIDs: [ManagedObjectID]) throws -> [ManagedObjectID]

  /// Counts one registration for each permanent ID.
  func register(_ ids: [ManagedObjectID])
  /// Removes one registration for each permanent ID.
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
  /// Nil if there is no history, or nothing was written.
  public let historyToken: HistoryToken?
  /// The versions of the rows that came back.
  public let returnedVersions: [ManagedObjectID: Int64]

  // Not `[:]`: a public default is inlinable. Its literal makes a second copy of this module's
  // lookups by ID, and the compiler puts a jump before the merged copies.
  public init(
    insertedIDs: [ManagedObjectID], historyToken: HistoryToken?,
    returnedVersions: [ManagedObjectID: Int64] = .init()
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
    /// The whole row, of which only the `changed` columns are written. The mask may be empty: a
    /// changed to-many relationship alone raises the version too.
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
    /// The index in the source's `toManyRelationships`.
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
  /// Pairs to add. Temporary IDs in them and in to-one columns belong to this request's inserts.
  public var linked: [Link] = []
  public var unlinked: [Link] = []
  /// Unwritten rows that must have the given version for the save to succeed.
  public var checks: [Delete] = []
  /// Unwritten rows that new relations lead to. They must exist, in any version.
  public var targets: [Delete] = []
  /// For the store's history.
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
/// While a token or a pinned context holds the state, it occupies a connection. SQLite's WAL grows,
/// because no checkpoint can pass a state that is being read.
public struct QueryGenerationToken: Sendable, Equatable {
  /// The store's state at the context's next read.
  public static let current = QueryGenerationToken(reader: nil)

  /// Nil until the state is chosen.
  let reader: (any PersistentStoreCoordinator)?

  public static func == (a: QueryGenerationToken, b: QueryGenerationToken) -> Bool {
    a.reader === b.reader
  }
}
