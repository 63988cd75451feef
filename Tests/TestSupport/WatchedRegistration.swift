package import ObjectGraph
package import SQLiteStore

/// A coordinator that tells of each registration in its row cache before it is made or given back.
package final class WatchedRegistration: PersistentStoreCoordinator {
  private let base: SQLiteCoordinator
  private let willRegister: @Sendable ([ManagedObjectID]) -> Void
  private let willUnregister: @Sendable ([ManagedObjectID]) -> Void

  package init(
    _ base: SQLiteCoordinator,
    willRegister: @escaping @Sendable ([ManagedObjectID]) -> Void = { _ in },
    willUnregister: @escaping @Sendable ([ManagedObjectID]) -> Void = { _ in }
  ) {
    self.base = base
    self.willRegister = willRegister
    self.willUnregister = willUnregister
  }

  package var model: Model { base.model }
  package var storeNumber: Int32 { base.storeNumber }
  package var storeIdentifier: String { base.storeIdentifier }
  package var saveListeners: SaveListeners { base.saveListeners }

  package func register(_ ids: [ManagedObjectID]) {
    willRegister(ids)
    base.register(ids)
  }

  package func unregister(_ ids: [ManagedObjectID]) {
    willUnregister(ids)
    base.unregister(ids)
  }

  package func fetch(_ request: FetchRequest) throws -> [FetchedRow] { try base.fetch(request) }
  package func count(_ request: FetchRequest) throws -> Int { try base.count(request) }
  package func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    try base.fetchIDs(request)
  }
  package func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    try base.fetchDictionaries(request)
  }
  package func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    try base.related(to: ids, at: relationship)
  }
  package func snapshot(of id: ManagedObjectID) throws -> RowSnapshot? { try base.snapshot(of: id) }
  package func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try base.snapshots(of: ids)
  }
  package func related(to id: ManagedObjectID, at relationship: Int) throws -> [ManagedObjectID] {
    try base.related(to: id, at: relationship)
  }
  package func generation() throws -> any PersistentStoreCoordinator { try base.generation() }
  package func forgetRows(of ids: [ManagedObjectID]) { base.forgetRows(of: ids) }
  package func save(_ request: SaveRequest) throws -> [ManagedObjectID] { try base.save(request) }
  package func execute(_ request: BatchRequest) throws -> BatchResult { try base.execute(request) }
  package func obtainPermanentIDs(for ids: [ManagedObjectID]) throws -> [ManagedObjectID] {
    try base.obtainPermanentIDs(for: ids)
  }
}
