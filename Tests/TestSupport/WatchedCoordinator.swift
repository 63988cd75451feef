package import ObjectGraph
package import SQLiteStore

/// Reports each registration in its row cache, each read and each save, in advance.
package final class WatchedCoordinator: PersistentStoreCoordinator {
  package enum Read: Sendable { case rows, members }

  private let base: SQLiteCoordinator
  private let willRegister: @Sendable ([ManagedObjectID]) -> Void
  private let willUnregister: @Sendable ([ManagedObjectID]) -> Void
  private let willRead: @Sendable (Read) throws -> Void
  private let willCommit: @Sendable () throws -> Void

  /// - Parameter willRead: called before a read. An error thrown here replaces the read.
  package init(
    _ base: SQLiteCoordinator,
    willRegister: @escaping @Sendable ([ManagedObjectID]) -> Void = { _ in },
    willUnregister: @escaping @Sendable ([ManagedObjectID]) -> Void = { _ in },
    willRead: @escaping @Sendable (Read) throws -> Void = { _ in },
    willCommit: @escaping @Sendable () throws -> Void = {}
  ) {
    self.base = base
    self.willRegister = willRegister
    self.willUnregister = willUnregister
    self.willRead = willRead
    self.willCommit = willCommit
  }

  package func register(_ ids: [ManagedObjectID]) {
    willRegister(ids)
    base.register(ids)
  }

  package func unregister(_ ids: [ManagedObjectID]) {
    willUnregister(ids)
    base.unregister(ids)
  }
}

// MARK: - Reads

extension WatchedCoordinator {
  private func reading<R>(_ read: Read, _ body: () throws -> R) throws -> R {
    try willRead(read)
    return try body()
  }

  package func fetch(_ request: FetchRequest) throws -> [FetchedRow] {
    try reading(.rows) { try base.fetch(request) }
  }

  package func count(_ request: FetchRequest) throws -> Int {
    try reading(.rows) { try base.count(request) }
  }

  package func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    try reading(.rows) { try base.fetchIDs(request) }
  }

  package func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    try reading(.rows) { try base.fetchDictionaries(request) }
  }

  package func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try reading(.rows) { try base.snapshots(of: ids) }
  }

  package func snapshot(of id: ManagedObjectID) throws -> RowSnapshot? {
    try reading(.rows) { try base.snapshot(of: id) }
  }

  package func related(to id: ManagedObjectID, at relationship: Int) throws -> [ManagedObjectID] {
    try reading(.members) { try base.related(to: id, at: relationship) }
  }

  package func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    try reading(.members) { try base.related(to: ids, at: relationship) }
  }
}

// MARK: - Forwarded calls

extension WatchedCoordinator {
  package var model: Model { base.model }
  package var storeNumber: Int32 { base.storeNumber }
  package var storeIdentifier: String { base.storeIdentifier }
  package var saveListeners: SaveListeners { base.saveListeners }

  package func generation() throws -> any PersistentStoreCoordinator { try base.generation() }
  package func forgetRows(of ids: [ManagedObjectID]) { base.forgetRows(of: ids) }

  package func save(_ request: SaveRequest) throws -> [ManagedObjectID] { try base.save(request) }
  package func commit(_ request: SaveRequest) throws -> SaveReceipt {
    try willCommit()
    return try base.commit(request)
  }

  package func commit(
    _ request: SaveRequest, settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt {
    try willCommit()
    return try base.commit(request, settling: settle)
  }

  package func execute(_ request: BatchRequest) throws -> BatchResult { try base.execute(request) }

  package func obtainPermanentIDs(for temporaryIDs: [ManagedObjectID]) throws -> [ManagedObjectID] {
    try base.obtainPermanentIDs(for: temporaryIDs)
  }
}
