/// What a context needs of the store beneath it. Implemented over SQLite by the store's own target.
///
/// Every call runs on the calling thread, which waits where the store's mode makes it wait: a whole
/// request long in *serial* mode, only for the row cache and a connection in *pool* mode.
///
/// The **row cache** holds the last known row of each object that some context of this coordinator
/// registers. Registrations are counted: `fetch` and `save` count one for each row they return or
/// insert, on behalf of the caller, who gives back what it had already (`unregister`); an entry
/// whose count reaches zero goes, and a later fault on that object is SQL.
public protocol PersistentStoreCoordinator: AnyObject, Sendable {
  var model: Model { get }

  /// The store's number in this process, the same for every coordinator of one file.
  var storeNumber: Int32 { get }

  /// What the store calls itself. A copied file keeps it.
  var storeIdentifier: String { get }

  /// The contexts that merge by themselves what others save through this coordinator.
  var saveListeners: SaveListeners { get }

  /// Reads the matching rows from SQLite, whatever is cached, and leaves them in the row cache, each
  /// registered once for the caller.
  func fetch(_ request: FetchRequest) throws -> [FetchedRow]

  /// How many rows match. `limit` counts; the order does not.
  func count(_ request: FetchRequest) throws -> Int

  /// The IDs of the matching rows, in order; no values are read, and nothing is registered.
  func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID]

  /// Rows of values, as the store has them.
  func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>]

  /// The rows of these permanent IDs, in their order, from the row cache or else by SQL; nil where
  /// the row is gone. A row read by SQL is cached if its object is registered.
  func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?]

  /// As `snapshots(of:)`, for one: what a fault costs.
  func snapshot(of id: ManagedObjectID) throws -> RowSnapshot?

  /// The IDs of the objects in a to-many relationship of a stored object, by SQL, in the order of
  /// their keys.
  ///
  /// - Parameter relationship: its place in the entity's `toManyRelationships`.
  func related(to id: ManagedObjectID, at relationship: Int) throws -> [ManagedObjectID]

  /// A coordinator whose reads all show the store as it is now, whatever is committed later; for as
  /// long as it is held. Its writes are this coordinator's. It keeps the rows that it reads, and
  /// registrations do not count there.
  func generation() throws -> any PersistentStoreCoordinator

  /// As `related(to:at:)` for several objects, whose entities inherit the relationship from one: a
  /// statement for thousands of them.
  func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]]

  /// Forgets the cached rows of these objects, which stay registered: their next fault is SQL.
  func forgetRows(of ids: [ManagedObjectID])

  /// Writes all changes in one transaction, or none.
  ///
  /// - Throws: `SaveError.conflict` if a row to update or delete is not of the version given.
  /// - Returns: the permanent IDs of the inserted objects, in order. Inserted rows have version 1,
  ///   updated rows the version given plus 1. The inserted are registered once for the caller;
  ///   deleted rows leave the row cache, whatever their count.
  func save(_ request: SaveRequest) throws -> [ManagedObjectID]

  /// As `save`, saying where in the store's history it stands.
  func commit(_ request: SaveRequest) throws -> SaveReceipt

  /// Changes many rows by SQL alone, in one transaction; the row cache keeps what it has.
  ///
  /// - Throws: `SaveError.constraint` where a uniqueness constraint stops it.
  func execute(_ request: BatchRequest) throws -> BatchResult

  /// Reserves primary keys in the store for objects that are not saved yet; costs a transaction.
  func obtainPermanentIDs(for temporaryIDs: [ManagedObjectID]) throws -> [ManagedObjectID]

  /// Counts one registration for each ID; temporary IDs are ignored.
  func register(_ ids: [ManagedObjectID])
  /// Takes back one registration for each ID; temporary IDs are ignored.
  func unregister(_ ids: [ManagedObjectID])
}

extension PersistentStoreCoordinator {
  public func commit(_ request: SaveRequest) throws -> SaveReceipt {
    SaveReceipt(insertedIDs: try save(request), historyToken: nil)
  }
}

/// What a save leaves behind.
public struct SaveReceipt: Sendable {
  /// The permanent IDs of the inserted objects, in order.
  public let insertedIDs: [ManagedObjectID]
  /// The save's place in the store's history; nil if that keeps none, or nothing was written.
  public let historyToken: HistoryToken?

  public init(insertedIDs: [ManagedObjectID], historyToken: HistoryToken?) {
    self.insertedIDs = insertedIDs
    self.historyToken = historyToken
  }
}

/// A row that a fetch found.
public struct FetchedRow: Sendable {
  public let id: ManagedObjectID
  public private(set) var snapshot: RowSnapshot

  public init(id: ManagedObjectID, snapshot: RowSnapshot) {
    self.id = id
    self.snapshot = snapshot
  }

  mutating func takeSnapshot() -> RowSnapshot { snapshot.take() }
}

/// The net changes of a context, as they go to the store.
public struct SaveRequest: Sendable {
  public struct Insert: Sendable {
    /// Temporary, or permanent if its key was reserved before.
    public let id: ManagedObjectID
    public let values: ContiguousArray<Value>

    package init(id: ManagedObjectID, values: ContiguousArray<Value>) {
      self.id = id
      self.values = values
    }
  }

  public struct Update: Sendable {
    public let id: ManagedObjectID
    /// The whole row; only the `changed` columns are written. None need be: what is related to the
    /// object changed, and so does its version.
    public let values: ContiguousArray<Value>
    public let changed: AttributeMask
    /// The version that the change was made on.
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

  /// A pair of a many-to-many relationship that is made or ended; named from either side, and once.
  public struct Link: Hashable, Sendable {
    public let source: ManagedObjectID
    /// The place of the relationship in the source's `toManyRelationships`.
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
  public var updates: [Update] = []
  public var deletes: [Delete] = []
  /// Temporary IDs in pairs, and in the to-one columns of rows, are of this request's inserts.
  public var linked: [Link] = []
  public var unlinked: [Link] = []
  /// Rows that are not written, but must be of the version given for the save to succeed.
  public var checks: [Delete] = []
  /// Who saves, for the store's history.
  public var author: String?
  public var contextName: String?

  package init() {}

  public var isEmpty: Bool {
    inserts.isEmpty && updates.isEmpty && deletes.isEmpty && linked.isEmpty && unlinked.isEmpty
      && checks.isEmpty
  }
}
